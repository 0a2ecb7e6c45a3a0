import { geohashCentre } from '../geohash.ts'
import type { Cell } from './cell.ts'
import type { HalfOpenBox } from './half-open-box.ts'
import { clampTile, tileBounds, tileColumn, tileRow } from './tile.ts'

/** The cells of one level of a grid, numbered from the west, and from the south (geohash) or the north (tiles). */
export interface CellGrid {
  /** Column and row of the cell that contains a point. */
  readonly columnOf: (lon: number) => number
  readonly rowOf: (lat: number) => number
  /** The box of all cells of the range. */
  readonly boxOf: (range: CellRange) => HalfOpenBox
}

/** A rectangle of cells; all four ends inclusive. */
export interface CellRange {
  readonly firstColumn: number
  readonly lastColumn: number
  readonly firstRow: number
  readonly lastRow: number
}

export type GridKind = 'geohash' | 'geotile'

/** Outer cells extend beyond the world: they contain 180, the poles, and latitudes beyond the mercator limit. */
const BEYOND_LONGITUDES = 200
const BEYOND_LATITUDES = 100

/** Maximum cached row edges; consecutive shapes are usually close to each other. */
const MOST_REMEMBERED = 50_000

/** Upper bound of the rounding error of an edge. Degrees. */
const WIDEST_ROUNDING = 1e-12

/** `level`: characters of a geohash, zoom of tiles. */
export function cellGrid(kind: GridKind, level: number): CellGrid {
  return kind === 'geohash' ? geohashGrid(level) : tileGrid(level)
}

/** Returns the grid of a cell, and its position in it. */
export function placeOfCell(cell: Cell): { readonly grid: CellGrid; readonly range: CellRange } {
  if (cell.kind === 'tile') return { grid: tileGrid(cell.z), range: oneCell(cell.x, cell.y) }
  const grid = geohashGrid(cell.hash.length)
  const [lon = 0, lat = 0] = geohashCentre(cell.hash) ?? []
  return { grid, range: oneCell(grid.columnOf(lon), grid.rowOf(lat)) }
}

/** Returns the cells of a grid that share a point with a cell of any grid. */
export function cellsAround(grid: CellGrid, cell: Cell): CellRange {
  const place = placeOfCell(cell)
  const box = place.grid.boxOf(place.range)
  const beyond = grid.columnOf(box.east)
  const touches = grid.boxOf(oneCell(beyond, 0)).west === box.east
  const held = grid.rowOf(box.held)
  const other = grid.rowOf(box.open)
  const last = latitudesMeet(grid.boxOf(oneCell(0, other)), box) ? other : other + Math.sign(held - other)
  return {
    firstColumn: grid.columnOf(box.west),
    lastColumn: touches ? beyond - 1 : beyond,
    firstRow: Math.min(held, last),
    lastRow: Math.max(held, last),
  }
}

export function commonCells(a: CellRange, b: CellRange): CellRange | undefined {
  const range = {
    firstColumn: Math.max(a.firstColumn, b.firstColumn),
    lastColumn: Math.min(a.lastColumn, b.lastColumn),
    firstRow: Math.max(a.firstRow, b.firstRow),
    lastRow: Math.min(a.lastRow, b.lastRow),
  }
  return range.firstColumn <= range.lastColumn && range.firstRow <= range.lastRow ? range : undefined
}

/**
 * Returns the points that `geohashOf` assigns to a cell. Because of rounding, points less than 1e-13 degrees outside
 * the western or southern edge belong to it too.
 */
export function geohashPointBox(hash: string): HalfOpenBox {
  const { columns, rows } = geohashSize(hash.length)
  const { range, grid } = placeOfCell({ kind: 'geohash', hash })
  const { west, east, held, open } = grid.boxOf(range)
  const longitude = (edge: number, column: number): number =>
    Math.abs(edge) === BEYOND_LONGITUDES ? edge : firstDouble(edge, 1, (lon) => tileColumn(lon) * columns >= column)
  const latitude = (edge: number, row: number): number =>
    Math.abs(edge) === BEYOND_LATITUDES ? edge : firstDouble(edge, 1, (lat) => ((lat + 90) / 180) * rows >= row)
  return {
    west: longitude(west, range.firstColumn),
    east: longitude(east, range.firstColumn + 1),
    held: latitude(held, range.firstRow),
    open: latitude(open, range.firstRow + 1),
  }
}

const oneCell = (column: number, row: number): CellRange => ({
  firstColumn: column,
  lastColumn: column,
  firstRow: row,
  lastRow: row,
})

function latitudesMeet(a: HalfOpenBox, b: HalfOpenBox): boolean {
  const low = Math.max(Math.min(a.held, a.open), Math.min(b.held, b.open))
  const high = Math.min(Math.max(a.held, a.open), Math.max(b.held, b.open))
  return low < high || (low === high && (a.held === low || a.open !== low) && (b.held === low || b.open !== low))
}

/** Returns the number of columns and rows of geohashes of a length. */
export function geohashSize(length: number): { readonly columns: number; readonly rows: number } {
  return { columns: 2 ** Math.ceil((5 * length) / 2), rows: 2 ** Math.floor((5 * length) / 2) }
}

function geohashGrid(length: number): CellGrid {
  const { columns, rows } = geohashSize(length)
  const rowEdge = (row: number): number =>
    row === 0 ? -BEYOND_LATITUDES : row === rows ? BEYOND_LATITUDES : (row / rows) * 180 - 90
  const rowOf = (lat: number): number => {
    const row = clampTile(((lat + 90) / 180) * rows, rows)
    return lat < rowEdge(row) ? row - 1 : row
  }
  return gridOf(columns, rowOf, rowEdge)
}

/** Except for the equator, row edges are not exact doubles; an edge is where the row formula changes its result. */
function tileGrid(zoom: number): CellGrid {
  const n = 2 ** zoom
  const formula = (lat: number): number => clampTile(tileRow(Math.min(Math.max(lat, -90), 90)) * n, n)
  const rowEdge = remember((row) => {
    if (row === 0) return BEYOND_LATITUDES
    if (row === n) return -BEYOND_LATITUDES
    return 2 * row === n ? 0 : firstDouble(tileBounds(zoom, 0, row).north, -1, (lat) => formula(lat) >= row)
  })
  // Sines and logarithms may not be monotonic in the last digit.
  const rowOf = (lat: number): number => {
    let row = formula(lat)
    while (row > 0 && lat > rowEdge(row)) row--
    while (row < n - 1 && lat <= rowEdge(row + 1)) row++
    return row
  }
  return gridOf(n, rowOf, rowEdge)
}

function gridOf(columns: number, rowOf: (lat: number) => number, rowEdge: (row: number) => number): CellGrid {
  const columnEdge = (column: number): number =>
    column === 0 ? -BEYOND_LONGITUDES : column === columns ? BEYOND_LONGITUDES : (column / columns) * 360 - 180
  return {
    columnOf: (lon) => {
      const column = clampTile(tileColumn(lon) * columns, columns)
      return lon < columnEdge(column) ? column - 1 : column
    },
    rowOf,
    boxOf: ({ firstColumn, lastColumn, firstRow, lastRow }) => ({
      west: columnEdge(firstColumn),
      east: columnEdge(lastColumn + 1),
      held: rowEdge(firstRow),
      open: rowEdge(lastRow + 1),
    }),
  }
}

/** Returns the first double, in the given direction, beyond an edge near `about`. */
function firstDouble(about: number, direction: 1 | -1, isBeyond: (value: number) => boolean): number {
  let before = about - direction * WIDEST_ROUNDING
  let beyond = about + direction * WIDEST_ROUNDING
  for (;;) {
    const middle = (before + beyond) / 2
    if (middle === before || middle === beyond) return beyond
    if (isBeyond(middle)) beyond = middle
    else before = middle
  }
}

function remember(edge: (row: number) => number): (row: number) => number {
  const known = new Map<number, number>()
  return (row) => {
    const old = known.get(row)
    if (old !== undefined) return old
    const value = edge(row)
    if (known.size === MOST_REMEMBERED) known.clear()
    known.set(row, value)
    return value
  }
}
