import type { Position } from '../../model/geometry.ts'
import type { Box } from '../area.ts'
import { indexEdges } from '../polygon/edge-index.ts'
import type { Edge } from '../polygon/edge-tree.ts'
import { locate, type Region, regionOf } from '../polygon/region.ts'
import { type Shape, shapeBounds } from '../shape/shape.ts'
import type { Cell } from './cell.ts'
import { type CellGrid, type CellRange, commonCells, placeOfCell } from './cell-grid.ts'
import { type HalfOpenBox, halfOpenHolds, halfOpenMeets } from './half-open-box.ts'

/** Column and row of a cell in its grid. */
export interface GridPlace {
  readonly column: number
  readonly row: number
}

/** A polygon, or a line if it has no region, with those of its edges that meet the current cells. */
interface Part {
  readonly region: Region | undefined
  readonly edges: readonly Edge[]
}

/** The parts of a shape in a range of cells. */
interface Contents {
  readonly parts: readonly Part[]
  readonly points: readonly Position[]
}

/**
 * Returns the cells of a grid that share a point with the shape, each once, restricted to those in `scope` if given;
 * undefined if there are more than `most`. Ranges of cells are halved until the shape fills them, misses them or a
 * single cell is left, so the work grows with the number of cells on the border of the shape.
 */
export function shapeCells(
  shape: Shape,
  grid: CellGrid,
  most: number,
  scope?: CellRange,
): readonly GridPlace[] | undefined {
  const bounds = shapeBounds(shape)
  const around = cellsOfBounds(bounds, grid)
  const range = scope ? commonCells(around, scope) : around
  const cells: GridPlace[] = []
  if (range === undefined) return cells
  const isComplete = fillsBounds(shape, bounds)
    ? addAll(cells, range, most)
    : addCells(cells, grid, range, contentsOf(shape), most)
  return isComplete ? cells : undefined
}

/** Returns a test whether a shape shares a point with the half-open cell. */
export function meetsCell(cell: Cell): (shape: Shape) => boolean {
  const { grid, range } = placeOfCell(cell)
  const box = grid.boxOf(range)
  return (shape) => {
    const { parts, points } = contentsOf(shape)
    return (
      points.some(([x = 0, y = 0]) => halfOpenHolds(box, x, y)) ||
      parts.some((part) => part.edges.some((edge) => halfOpenMeets(box, edge))) ||
      parts.some((part) => fills(part, box))
    )
  }
}

function contentsOf({ polygons, lines, points }: Shape): Contents {
  const areas = polygons.map((rings): Part => {
    const region = regionOf(rings, false)
    return { region, edges: region.edges }
  })
  return {
    parts: lines.length === 0 ? areas : [...areas, { region: undefined, edges: indexEdges(lines).edges }],
    points,
  }
}

function cellsOfBounds({ west, south, east, north }: Box, grid: CellGrid): CellRange {
  const rows = [grid.rowOf(south), grid.rowOf(north)]
  return {
    firstColumn: grid.columnOf(west),
    lastColumn: grid.columnOf(east),
    firstRow: Math.min(...rows),
    lastRow: Math.max(...rows),
  }
}

/** True for upright boxes and lines, which fill their bounds, so their cells need no search. A common case. */
function fillsBounds({ polygons, lines, points }: Shape, { west, south, east, north }: Box): boolean {
  if (polygons.length + lines.length + points.length !== 1) return false
  const [path] = lines
  if (path) return path.length === 2 && (west === east || south === north)
  const [rings] = polygons
  if (!rings) return true
  const [[a = [], b = [], c = [], d = [], ...closing] = []] = rings
  const atCorners = [a, b, c, d].every(([x, y]) => (x === west || x === east) && (y === south || y === north))
  return rings.length === 1 && closing.length === 1 && atCorners && isDiagonal(a, c) && isDiagonal(b, d)
}

const isDiagonal = (a: Position, b: Position): boolean => a[0] !== b[0] && a[1] !== b[1]

/** Returns false if there are more than `most`; `addCells` does the same. */
function addAll(cells: GridPlace[], { firstColumn, lastColumn, firstRow, lastRow }: CellRange, most: number): boolean {
  if (cells.length + (lastColumn - firstColumn + 1) * (lastRow - firstRow + 1) > most) return false
  for (let column = firstColumn; column <= lastColumn; column++) {
    for (let row = firstRow; row <= lastRow; row++) cells.push({ column, row })
  }
  return true
}

function addCells(cells: GridPlace[], grid: CellGrid, range: CellRange, contents: Contents, most: number): boolean {
  const inside = contentsIn(grid.boxOf(range), contents)
  if (inside === 'nothing') return true
  const { firstColumn, lastColumn, firstRow, lastRow } = range
  const width = lastColumn - firstColumn + 1
  const height = lastRow - firstRow + 1
  if (inside === 'everything' || width * height === 1) return addAll(cells, range, most)
  if (width >= height) {
    const middle = firstColumn + (width >> 1)
    return (
      addCells(cells, grid, { firstColumn, lastColumn: middle - 1, firstRow, lastRow }, inside, most) &&
      addCells(cells, grid, { firstColumn: middle, lastColumn, firstRow, lastRow }, inside, most)
    )
  }
  const middle = firstRow + (height >> 1)
  return (
    addCells(cells, grid, { firstColumn, lastColumn, firstRow, lastRow: middle - 1 }, inside, most) &&
    addCells(cells, grid, { firstColumn, lastColumn, firstRow: middle, lastRow }, inside, most)
  )
}

function contentsIn(box: HalfOpenBox, contents: Contents): Contents | 'everything' | 'nothing' {
  const parts: Part[] = []
  for (const part of contents.parts) {
    const edges = part.edges.filter((edge) => halfOpenMeets(box, edge))
    if (edges.length > 0) parts.push({ region: part.region, edges })
    else if (fills(part, box)) return 'everything'
  }
  const points = contents.points.filter(([x = 0, y = 0]) => halfOpenHolds(box, x, y))
  return parts.length + points.length > 0 ? { parts, points } : 'nothing'
}

/** Requires that no edge of the part meets the box, so it lies wholly inside or outside, and one point decides. */
function fills({ region }: Part, box: HalfOpenBox): boolean {
  return region !== undefined && locate(region, box.west, box.held) >= 0
}
