import type { Position } from '../../model/geometry.ts'
import type { Box } from '../area.ts'
import { compareMidpoint, midpointOrientation, orientation } from '../orientation.ts'
import { type EdgeIndex, indexEdges, rowOf } from './edge-index.ts'
import { locateBoxInTree, locateInTree } from './edge-tree.ts'

/** The closed set enclosed by rings (even-odd), prepared for many point queries. */
export interface Region extends EdgeIndex {
  /** One state per cell, row by row; empty if the region has no grid. */
  readonly cells: Uint8Array
  readonly columns: number
  readonly columnsPerDegree: number
}

/** 1 strictly inside, 0 on the border, -1 outside. */
export type Location = 1 | 0 | -1

const MIXED = 0
const INSIDE = 1
const OUTSIDE = 2

const noCells = new Uint8Array(0)
/** Maximum cells visited for one box. */
const MOST_CELLS = 256

/**
 * `grid`: build a grid of at least `fewest` columns, or a tree if there are many edges; pays off for many tested points
 * or shapes. Rings are closed.
 */
export function regionOf(rings: readonly (readonly Position[])[], grid: boolean, fewest = 1): Region {
  const index = indexEdges(rings, fewest, grid)
  const { west, east } = index.bounds
  const columns = index.rows.length
  if (!grid || index.tree || columns === 1 || east === west)
    return { ...index, cells: noCells, columns: 0, columnsPerDegree: 0 }
  const region: Region = {
    ...index,
    cells: new Uint8Array(columns * index.rows.length),
    columns,
    columnsPerDegree: columns / (east - west),
  }
  fillCells(region)
  return region
}

export function locate(region: Region, x: number, y: number): Location {
  const { bounds, cells } = region
  if (!(x >= bounds.west && x <= bounds.east && y >= bounds.south && y <= bounds.north)) return -1
  if (region.tree) return locateInTree(region.tree, x, y)
  const row = rowOf(region, y)
  if (cells.length > 0) {
    const state = cells[row * region.columns + columnOf(region, x)]
    if (state === INSIDE) return 1
    if (state === OUTSIDE) return -1
  }
  let inside = false
  for (const { ax, ay, bx, by } of region.rows[row] ?? []) {
    if (ay > y ? by > y : ay < y && by < y) continue
    // An edge wholly to the left does not meet the ray to the right.
    if (ax < x && bx < x) continue
    const straddles = ay > y !== by > y
    if (ax > x && bx > x) {
      if (straddles) inside = !inside
      continue
    }
    const side = orientation(ax, ay, bx, by, x, y)
    // The box of the edge contains the point, so a point on the line is on the edge.
    if (side === 0) return 0
    if (straddles && side > 0 === by > ay) inside = !inside
  }
  return inside ? 1 : -1
}

/** Returns the location of the exact midpoint of two points, which may not be a double. */
export function locateMidpoint(region: Region, px: number, py: number, qx: number, qy: number): Location {
  const { bounds } = region
  if (compareMidpoint(px, qx, bounds.west) < 0 || compareMidpoint(px, qx, bounds.east) > 0) return -1
  if (compareMidpoint(py, qy, bounds.south) < 0 || compareMidpoint(py, qy, bounds.north) > 0) return -1
  let inside = false
  for (const { ax, ay, bx, by } of region.rows[rowOf(region, (py + qy) / 2)] ?? []) {
    const low = compareMidpoint(py, qy, ay)
    const high = compareMidpoint(py, qy, by)
    if ((low > 0 && high > 0) || (low < 0 && high < 0)) continue
    const side = midpointOrientation(ax, ay, bx, by, px, py, qx, qy)
    if (side === 0) {
      const left = compareMidpoint(px, qx, ax)
      const right = compareMidpoint(px, qx, bx)
      if (!((left > 0 && right > 0) || (left < 0 && right < 0))) return 0
    }
    if (low < 0 !== high < 0 && side > 0 === by > ay) inside = !inside
  }
  return inside ? 1 : -1
}

/** 1 if the cells show that the whole box is inside, -1 that it is outside, 0 if undecided. */
export function locateBox(region: Region, box: Box): Location {
  const { bounds, cells, columns } = region
  if (box.west > bounds.east || box.east < bounds.west || box.south > bounds.north || box.north < bounds.south)
    return -1
  if (region.tree) return locateBoxInTree(region.tree, box)
  if (cells.length === 0) return 0
  const firstRow = rowOf(region, box.south)
  const lastRow = rowOf(region, box.north)
  const firstColumn = columnOf(region, box.west)
  const lastColumn = columnOf(region, box.east)
  if ((lastRow - firstRow + 1) * (lastColumn - firstColumn + 1) > MOST_CELLS) return 0
  const state = cells[firstRow * columns + firstColumn]
  if (state === MIXED) return 0
  for (let row = firstRow; row <= lastRow; row++) {
    for (let column = firstColumn; column <= lastColumn; column++) {
      if (cells[row * columns + column] !== state) return 0
    }
  }
  if (state === OUTSIDE) return -1
  return insideBox(box, bounds) ? 1 : 0
}

export function insideBox(inner: Box, outer: Box): boolean {
  return (
    inner.west >= outer.west && inner.east <= outer.east && inner.south >= outer.south && inner.north <= outer.north
  )
}

/** Cells marked as inside, outside or border. */
export type CellRaster = Pick<Region, 'bounds' | 'cells' | 'columns' | 'columnsPerDegree' | 'rowsPerDegree'>

/** Returns the cells of a region; for one with a tree they are computed, `columns` in each direction. */
export function rasterOf(region: Region, columns: number): CellRaster {
  const { tree, bounds } = region
  const { west, south, east, north } = bounds
  if (!tree || !(west < east && south < north)) return region
  const raster = {
    bounds,
    cells: new Uint8Array(columns * columns),
    columns,
    columnsPerDegree: columns / (east - west),
    rowsPerDegree: columns / (north - south),
  }
  for (let cell = 0; cell < raster.cells.length; cell++) {
    const box = cellBox(raster, Math.floor(cell / columns), cell % columns)
    if (box.west < box.east && box.south < box.north && locateBoxInTree(tree, box) > 0) raster.cells[cell] = INSIDE
  }
  return raster
}

/** True if a cell lies wholly inside. */
export const isInnerCell = ({ cells, columns }: CellRaster, row: number, column: number): boolean =>
  cells[row * columns + column] === INSIDE

/** Returns a box surely inside the cell: slightly smaller, because of rounding. */
export function cellBox(raster: CellRaster, row: number, column: number): Box {
  const { bounds, rowsPerDegree, columnsPerDegree } = raster
  const [xPad, yPad] = [padOf(columnsPerDegree), padOf(rowsPerDegree)]
  return {
    west: bounds.west + column / columnsPerDegree + xPad,
    south: bounds.south + row / rowsPerDegree + yPad,
    east: bounds.west + (column + 1) / columnsPerDegree - xPad,
    north: bounds.south + (row + 1) / rowsPerDegree - yPad,
  }
}

/** Larger than any rounding error in the position of the border between two cells. */
const padOf = (cellsPerDegree: number): number => 1e-6 / cellsPerDegree + 1e-11

function columnOf(region: Region, x: number): number {
  const column = Math.floor((x - region.bounds.west) * region.columnsPerDegree)
  return column < 0 ? 0 : column >= region.columns ? region.columns - 1 : column
}

/** Marks the cells that an edge may touch, then decides each run of untouched cells of a row by one point. */
function fillCells(region: Region): void {
  const { bounds, cells, columns, rowsPerDegree, columnsPerDegree } = region
  const border = 255
  const [xPad, yPad] = [padOf(columnsPerDegree), padOf(rowsPerDegree)]
  region.rows.forEach((edges, row) => {
    const south = bounds.south + row / rowsPerDegree - yPad
    const north = bounds.south + (row + 1) / rowsPerDegree + yPad
    for (const { ax, ay, bx, by } of edges) {
      const slope = ay === by ? 0 : (bx - ax) / (by - ay)
      const enters = ay === by ? ax : ax + (Math.max(south, Math.min(ay, by)) - ay) * slope
      const leaves = ay === by ? bx : ax + (Math.min(north, Math.max(ay, by)) - ay) * slope
      const low = Math.max(Math.min(enters, leaves), Math.min(ax, bx)) - xPad
      const high = Math.min(Math.max(enters, leaves), Math.max(ax, bx)) + xPad
      const last = columnOf(region, high)
      for (let column = columnOf(region, low); column <= last; column++) cells[row * columns + column] = border
    }
  })
  for (let row = 0; row < region.rows.length; row++) {
    const y = bounds.south + (row + 0.5) / rowsPerDegree
    let state = MIXED
    for (let column = 0; column < columns; column++) {
      const cell = row * columns + column
      if (cells[cell] === border) {
        cells[cell] = MIXED
        state = MIXED
        continue
      }
      if (state === MIXED) {
        state = locate(region, bounds.west + (column + 0.5) / columnsPerDegree, y) > 0 ? INSIDE : OUTSIDE
      }
      cells[cell] = state
    }
  }
}
