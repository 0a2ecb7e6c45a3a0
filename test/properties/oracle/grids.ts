import { cellToBoundary, cellToLatLng, latLngToCell } from 'h3-js'
import type { UprightBox } from './aggregated-documents.ts'
import type { Position } from './geometry.ts'

/** A cell of a grid; `x` is counted from the west, `y` from the north for tiles and from the south for geohashes. */
export type GridCell =
  | { readonly grid: 'geohash'; readonly level: number; readonly x: number; readonly y: number }
  | { readonly grid: 'geotile'; readonly level: number; readonly x: number; readonly y: number }
  | { readonly grid: 'geohex'; readonly index: string }

/** A cell of a grid of columns and rows. */
export type SquareCell = Exclude<GridCell, { readonly grid: 'geohex' }>

const ALPHABET = '0123456789bcdefghjkmnpqrstuvwxyz'
const clamp = (v: number, count: number): number => Math.max(0, Math.min(count - 1, v))

const columns = (grid: SquareCell['grid'], level: number): number =>
  2 ** (grid === 'geohash' ? Math.ceil((5 * level) / 2) : level)
const rows = (grid: SquareCell['grid'], level: number): number =>
  2 ** (grid === 'geohash' ? Math.floor((5 * level) / 2) : level)

function columnOf(grid: SquareCell['grid'], level: number, lon: number): number {
  const n = columns(grid, level)
  return clamp(Math.floor(((lon + 180) / 360) * n), n)
}

function rowOf(grid: SquareCell['grid'], level: number, lat: number): number {
  const n = rows(grid, level)
  if (grid === 'geohash') return clamp(Math.floor(((lat + 90) / 180) * n), n)
  const s = Math.sin((lat * Math.PI) / 180)
  const y = 0.5 - Math.log((1 + s) / (1 - s)) / (4 * Math.PI)
  return clamp(Math.floor(y * n), n)
}

/** Returns the single cell that contains a point (spec 2.5). */
export function cellOfPoint(grid: GridCell['grid'], level: number, [lon, lat]: Position): GridCell {
  if (grid === 'geohex') return { grid, index: latLngToCell(lat, lon, level) }
  return { grid, level, x: columnOf(grid, level, lon), y: rowOf(grid, level, lat) }
}

/** Returns the cells that a closed box intersects: all between the cells of two opposite corners. */
export function cellsOfBox(grid: SquareCell['grid'], level: number, box: UprightBox): SquareCell[] {
  const { west, south, east, north } = box
  const bottom = rowOf(grid, level, south)
  const top = rowOf(grid, level, north)
  const out: SquareCell[] = []
  for (let x = columnOf(grid, level, west); x <= columnOf(grid, level, east); x++) {
    for (let y = Math.min(bottom, top); y <= Math.max(bottom, top); y++) out.push({ grid, level, x, y })
  }
  return out
}

export const holdsPoint = (cell: SquareCell, p: Position): boolean =>
  cellName(cellOfPoint(cell.grid, cell.level, p)) === cellName(cell)

export const meetsBox = (cell: SquareCell, box: UprightBox): boolean =>
  cellsOfBox(cell.grid, cell.level, box).some((c) => cellName(c) === cellName(cell))

/** True if one of two cells of a grid contains the other. */
export function overlap(a: SquareCell, b: SquareCell): boolean {
  const [coarse, fine] = a.level <= b.level ? [a, b] : [b, a]
  const shrink = (v: number, count: number, of: number): number => Math.floor(v / (of / count))
  return (
    a.grid === b.grid &&
    shrink(fine.x, columns(coarse.grid, coarse.level), columns(fine.grid, fine.level)) === coarse.x &&
    shrink(fine.y, rows(coarse.grid, coarse.level), rows(fine.grid, fine.level)) === coarse.y
  )
}

export function cellName(cell: GridCell): string {
  switch (cell.grid) {
    case 'geohex':
      return cell.index
    case 'geotile':
      return `${cell.level}/${cell.x}/${cell.y}`
    case 'geohash':
      return geohashText(cell.level, cell.x, cell.y)
  }
}

/** Five bits per character, longitude and latitude alternating, starting with longitude. */
function geohashText(level: number, x: number, y: number): string {
  const bits = 5 * level
  let [lonLeft, latLeft] = [Math.ceil(bits / 2), Math.floor(bits / 2)]
  let text = ''
  let value = 0
  for (let i = 0; i < bits; i++) {
    const bit = i % 2 === 0 ? Math.floor(x / 2 ** --lonLeft) % 2 : Math.floor(y / 2 ** --latLeft) % 2
    value = value * 2 + bit
    if (i % 5 === 4) {
      text += ALPHABET[value]
      value = 0
    }
  }
  return text
}

const mercatorLatitude = (y: number): number => (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI

export function boundsOf({ grid, level, x, y }: SquareCell): UprightBox {
  const [n, m] = [columns(grid, level), rows(grid, level)]
  const [west, east] = [(x / n) * 360 - 180, ((x + 1) / n) * 360 - 180]
  if (grid === 'geohash') return { west, east, south: (y / m) * 180 - 90, north: ((y + 1) / m) * 180 - 90 }
  return { west, east, south: mercatorLatitude((y + 1) / m), north: mercatorLatitude(y / m) }
}

export function centreOf(cell: GridCell): Position {
  if (cell.grid === 'geohex') {
    const [lat, lon] = cellToLatLng(cell.index)
    return [lon, lat]
  }
  const { west, south, east, north } = boundsOf(cell)
  return [(west + east) / 2, (south + north) / 2]
}

/** Returns a closed, counter-clockwise ring; the vertices of a hexagon are within 180 degrees of its centre. */
export function ringOf(cell: GridCell): readonly Position[] {
  if (cell.grid !== 'geohex') {
    const { west, south, east, north } = boundsOf(cell)
    return closed([
      [west, south],
      [east, south],
      [east, north],
      [west, north],
    ])
  }
  const [centre] = centreOf(cell)
  const vertices = cellToBoundary(cell.index).map(([lat, lon]): Position => {
    if (lon - centre > 180) return [lon - 360, lat]
    return centre - lon > 180 ? [lon + 360, lat] : [lon, lat]
  })
  return closed(vertices)
}

const closed = (ring: readonly Position[]): readonly Position[] => (ring[0] === undefined ? [] : [...ring, ring[0]])

/** Compares cells of equal rank: tiles by x, then y, other cells by text. */
export function compareCells(a: GridCell, b: GridCell): number {
  if (a.grid === 'geotile' && b.grid === 'geotile') return a.x - b.x || a.y - b.y
  return cellName(a) < cellName(b) ? -1 : cellName(a) > cellName(b) ? 1 : 0
}
