import type { Draw, SqlDialect, SqlQuestion } from './question.ts'
import { boxOf } from './question-parts.ts'

/** Zoom of the columns `mx` and `my`. */
const ZOOM = 29

/** Columns of a document. */
const DOCUMENT = 'id, owner, kind, seen, speed, title, lon, lat'

/** Newest documents. */
export const newestRows = (size: number, where: readonly string[] = [], columns = DOCUMENT): SqlQuestion => ({
  select: columns,
  where,
  tail: `ORDER BY seen DESC, id LIMIT ${size}`,
})

/** Documents in the order of their ids. */
export const rowsById = (size: number, where: readonly string[]): SqlQuestion => ({
  select: DOCUMENT,
  where,
  tail: `ORDER BY id LIMIT ${size}`,
})

export const countRows = (...where: readonly string[]): SqlQuestion => ({ select: 'count(*)', where })

/** Counts of the values of an expression, with metrics. */
export const countsBy = (key: string, { where = [], metrics = [] }: Grouping = {}): SqlQuestion => ({
  select: [key, 'count(*)', ...metrics].join(', '),
  where,
  tail: 'GROUP BY 1',
})

/** The most frequent values of a column, with metrics. */
export const topCounts = (column: string, size: number, { where = [], metrics = [] }: Grouping = {}): SqlQuestion => ({
  select: [column, 'count(*) AS n', ...metrics].join(', '),
  where,
  tail: `GROUP BY ${column} ORDER BY n DESC, ${column} LIMIT ${size}`,
})

/** Counts of the tiles of a zoom, with metrics. */
export const countsByTile = (
  { name }: SqlDialect,
  zoom: number,
  { where = [], metrics = [] }: Grouping = {},
): SqlQuestion => {
  const bits = ZOOM - zoom
  // ClickHouse has no operator for it.
  const shifted = (column: string): string =>
    name === 'ClickHouse' ? `bitShiftRight(${column}, ${bits})` : `${column} >> ${bits}`
  return {
    select: [shifted('mx'), shifted('my'), 'count(*)', ...metrics].join(', '),
    where,
    tail: 'GROUP BY 1, 2',
  }
}

interface Grouping {
  readonly where?: readonly string[]
  readonly metrics?: readonly string[]
}

export const rowsOfKind = ({ kind }: Draw): string => `kind = '${kind}'`

export const rowsOfOwner = ({ owner }: Draw): string => `owner = '${owner}'`

export const rowsInTime = ({ range }: Draw): string => `seen BETWEEN ${range.from} AND ${range.to}`

/** Ranges rather than a shifted column, so that blocks of rows can be skipped. */
export function rowsInTile({ tile: { z, x, y } }: Draw): string {
  const size = 2 ** (ZOOM - z)
  const within = (column: string, at: number): string => `${column} BETWEEN ${at * size} AND ${(at + 1) * size - 1}`
  return `${within('mx', x)} AND ${within('my', y)}`
}

export function rowsInBox(d: Draw): string {
  const { west, south, east, north } = boxOf(d)
  return `lon BETWEEN ${west} AND ${east} AND lat BETWEEN ${south} AND ${north}`
}
