import { type GridKind, geohashSize } from '../../../geo/grid/cell-grid.ts'

/** SQL of grid cells as unsigned 64-bit numbers: the column in the high bits, the row in the low bits. */

/** Bits of the row, below the column. No grid has more rows. */
export const ROW_BITS = 30

/** Latitudes beyond this lie in the first or last row of every zoom. The projection is infinite at the poles. */
const MERCATOR_END = 85.06

/** As a share of the world: larger than any difference between sines and logarithms in SQL and in JavaScript. */
const ROUNDING = 1e-12

/** SQL of the cell key of a box, and of whether the box may span several cells. */
interface EnvelopeCell {
  readonly key: string
  readonly isApart: string
}

/**
 * Compiles the geohash cell of a point with exactly the steps of `geohashOf`, so that rounding is the same. NULL
 * without a point.
 */
export function geohashCell(lon: string, lat: string, length: number): string {
  const { columns, rows } = geohashSize(length)
  const cell = packed(column(lon, columns), geohashRow(lat, rows))
  return `CASE WHEN ${lon} IS NOT NULL THEN ${cell} END`
}

/** Compiles the cell of an envelope from the columns of a shape. */
export function envelopeCell(kind: GridKind, level: number, c: string): EnvelopeCell {
  const { columns, rows } = kind === 'geohash' ? geohashSize(level) : { columns: 2 ** level, rows: 2 ** level }
  const west = column(`${c}_west`, columns)
  const columnsApart = `${west} <> ${column(`${c}_east`, columns)} OR ${c}_west < ${edge(west, 180, 360, columns)}`
  const first = kind === 'geohash' ? geohashRow(`${c}_south`, rows) : tileRow(`${c}_north`, -ROUNDING, rows)
  // A box too close to an edge for the precision of these formulas counts as spanning cells and gets the exact test.
  const rowsApart =
    kind === 'geohash'
      ? `${first} <> ${geohashRow(`${c}_north`, rows)} OR ${c}_south < ${edge(first, 90, 180, rows)}`
      : `${first} <> ${tileRow(`${c}_south`, ROUNDING, rows)}`
  return {
    key: `CASE WHEN ${c}_west IS NOT NULL THEN ${packed(west, first)} END`,
    isApart: `(${c}_west IS NOT NULL AND (${columnsApart} OR ${rowsApart}))`,
  }
}

/** Combines the bits of a key listed in `places`, each moved from one position to another. */
export function movedBits(key: string, places: readonly (readonly [from: number, to: number])[]): string {
  if (places.length === 0) return key
  const bit = ([from, to]: readonly [number, number]): string => {
    const mask = `(${key} & ${unsigned(2n ** BigInt(from))})`
    return to >= from ? `(${mask} << ${unsigned(to - from)})` : `(${mask} >> ${unsigned(from - to)})`
  }
  return `(${places.map(bit).join(' | ')})`
}

const double = (value: number): string => `${value}::DOUBLE`

export const unsigned = (value: number | bigint): string => `${value}::UBIGINT`

/** greatest and least ignore NULL, so the surrounding SQL must check for it. */
const clamped = (position: string, count: number): string =>
  `greatest(least(floor(${position}), ${double(count - 1)}), ${double(0)})`

const column = (lon: string, columns: number): string =>
  clamped(`(${lon} + ${double(180)}) / ${double(360)} * ${double(columns)}`, columns)

const geohashRow = (lat: string, rows: number): string =>
  clamped(`(${lat} + ${double(90)}) / ${double(180)} * ${double(rows)}`, rows)

/** The western or southern edge of a cell, without rounding. */
const edge = (cell: string, shift: number, span: number, count: number): string =>
  `${cell} / ${double(count)} * ${double(span)} - ${double(shift)}`

function tileRow(lat: string, shift: number, n: number): string {
  const sine = `sin(radians(greatest(least(${lat}, ${double(MERCATOR_END)}), ${double(-MERCATOR_END)})))`
  const row = `${double(0.5 + shift)} - ln((1 + ${sine}) / (1 - ${sine})) / ${double(4 * Math.PI)}`
  return clamped(`(${row}) * ${double(n)}`, n)
}

const packed = (column: string, row: string): string =>
  `((CAST(${column} AS UBIGINT) << ${unsigned(ROW_BITS)}) | CAST(${row} AS UBIGINT))`
