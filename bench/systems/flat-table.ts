import { tileOf } from '../../src/geo/grid/tile.ts'
import type { DatasetName } from '../questions/question.ts'

/** Type of a column; `category`: text with few values. */
export type ColumnType = 'text' | 'category' | 'milliseconds' | 'integer' | 'double' | 'tile'

export interface Column {
  readonly name: string
  readonly type: ColumnType
}

/** Table of ClickHouse and of plain DuckDB: a column per field, and others derived from date and location. */
export interface FlatTable {
  readonly name: string
  readonly columns: readonly Column[]
}

/** A document of a dataset with a table. */
export interface FlatDocument {
  readonly [field: string]: unknown
  readonly seen: number
  readonly location: { readonly lon: number; readonly lat: number }
}

/** Zoom of `mx` and `my`; the tables are sorted by their Morton key. */
const ZOOM = 29
const DAY_MS = 86_400_000

const DERIVED: readonly Column[] = [
  { name: 'day', type: 'integer' },
  { name: 'lon', type: 'double' },
  { name: 'lat', type: 'double' },
  { name: 'mx', type: 'tile' },
  { name: 'my', type: 'tile' },
]

const tableWith = (name: string, fields: Readonly<Record<string, ColumnType>>): FlatTable => ({
  name,
  columns: [...Object.entries({ id: 'text', ...fields } as const).map(([name, type]) => ({ name, type })), ...DERIVED],
})

/** Only points fit a flat table. */
const TABLES: Readonly<Partial<Record<DatasetName, FlatTable>>> = {
  points: tableWith('points', {
    owner: 'category',
    kind: 'category',
    seen: 'milliseconds',
    speed: 'double',
    title: 'text',
  }),
  flights: tableWith('flights', {
    seen: 'milliseconds',
    delay: 'integer',
    distance: 'integer',
    origin: 'category',
    destination: 'category',
  }),
}

export const flatTableOf = (dataset: DatasetName = 'points'): FlatTable | undefined => TABLES[dataset]

/** Returns the definitions of the columns, in the order of the rows. */
export const definitions = ({ columns }: FlatTable, types: Readonly<Record<ColumnType, string>>): string =>
  columns.map(({ name, type }) => `${name} ${types[type]}`).join(', ')

/** Returns the documents as CSV without a header. */
export function csvOf({ columns }: FlatTable, documents: Iterable<FlatDocument>): string {
  const fields = columns.slice(0, -DERIVED.length)
  const lines: string[] = []
  for (const document of documents) {
    const { lon, lat } = document.location
    const { x, y } = tileOf(lon, lat, ZOOM)
    const day = Math.floor(document.seen / DAY_MS)
    let line = ''
    for (const { name } of fields) line += `${cellOf(document[name])},`
    lines.push(`${line}${day},${lon},${lat},${x},${y}\n`)
  }
  return lines.join('')
}

function cellOf(value: unknown): string {
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'string') throw new Error(`a column is missing in a document: ${JSON.stringify(value)}`)
  return `"${value.includes('"') ? value.replaceAll('"', '""') : value}"`
}

/** Returns the document of a row with all columns. */
export function documentOf({ columns }: FlatTable, row: readonly unknown[]): FlatDocument {
  const { lon, lat, seen, ...others } = Object.fromEntries(columns.map(({ name }, i) => [name, row[i]]))
  return { ...others, seen: Number(seen), location: { lon: Number(lon), lat: Number(lat) } }
}
