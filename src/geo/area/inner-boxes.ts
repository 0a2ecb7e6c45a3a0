import type { Box } from '../area.ts'
import { type CellRaster, cellBox, isInnerCell, type Region, rasterOf } from '../polygon/region.ts'

/** Columns and rows of the raster made for a region with an edge tree. */
const COLUMNS = 32

/** A block of cells, both ends inclusive. */
interface Block {
  readonly firstRow: number
  readonly lastRow: number
  readonly firstColumn: number
  readonly lastColumn: number
}

/**
 * Returns up to `most` disjoint boxes inside a region, made of its cells, the largest first. Points in them need no
 * exact test: in a disc, the first box covers more than half of the area, three boxes seven tenths.
 */
export function innerBoxes(region: Region, most: number): readonly Box[] {
  const raster = rasterOf(region, COLUMNS)
  const taken = new Uint8Array(raster.cells.length)
  const boxes: Box[] = []
  while (boxes.length < most) {
    const block = largestBlock(raster, taken)
    if (!block) break
    for (let row = block.firstRow; row <= block.lastRow; row++) {
      taken.fill(1, row * raster.columns + block.firstColumn, row * raster.columns + block.lastColumn + 1)
    }
    const { west, south } = cellBox(raster, block.firstRow, block.firstColumn)
    const { east, north } = cellBox(raster, block.lastRow, block.lastColumn)
    if (west < east && south < north) boxes.push({ west, south, east, north })
  }
  return boxes
}

/** Returns the largest block of free inner cells: the largest rectangle in a histogram, for each row. */
function largestBlock(raster: CellRaster, taken: Uint8Array): Block | undefined {
  const { columns } = raster
  const rows = columns === 0 ? 0 : raster.cells.length / columns
  const heights = new Uint16Array(columns)
  let best: Block | undefined
  let most = 0
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const isFree = isInnerCell(raster, row, column) && taken[row * columns + column] === 0
      heights[column] = isFree ? (heights[column] ?? 0) + 1 : 0
    }
    // Stack of columns whose block may still grow to the right, lowest first.
    const open: number[] = []
    for (let column = 0; column <= columns; column++) {
      const height = column < columns ? (heights[column] ?? 0) : 0
      while (open.length > 0 && (heights[open.at(-1) ?? 0] ?? 0) >= height) {
        const tall = heights[open.pop() ?? 0] ?? 0
        const firstColumn = (open.at(-1) ?? -1) + 1
        const size = tall * (column - firstColumn)
        if (size <= most) continue
        most = size
        best = { firstRow: row - tall + 1, lastRow: row, firstColumn, lastColumn: column - 1 }
      }
      open.push(column)
    }
  }
  return best
}
