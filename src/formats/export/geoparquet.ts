import type { SchemaElement } from 'hyparquet'
import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import type { Geometry } from '../../model/geometry.ts'
import type { Json } from '../../model/json/document.ts'
import type { Field } from '../../query/schema/field.ts'
import { readStoredValue } from '../../query/value/stored-value.ts'
import { Turn } from '../../turn.ts'
import { columnsBeside, type ExportColumn, freeName, GEOMETRY_COLUMN } from './export-column.ts'
import { cellText, type ExportRow } from './export-row.ts'
import { growBox } from './geometry-box.ts'
import type { SpooledRows } from './row-spool.ts'
import { encodeGeometry } from './wkb-geometry.ts'

/** Maximum rows and approximate bytes of a row group. Each column of a group is written at once. */
const GROUP_ROWS = 10_000
const GROUP_BYTES = 4_000_000

/** Sides of the box of a geometry, in the order of the format. */
const SIDES = ['xmin', 'ymin', 'xmax', 'ymax'] as const

/**
 * Writes a GeoParquet 1.1 file. The geometry is WKB in longitude and latitude of WGS 84. A second column has its box
 * (section "covering"): readers skip row groups whose boxes are outside of the area they look for.
 */
export async function* writeGeoparquet(columns: readonly ExportColumn[], rows: SpooledRows): AsyncIterable<Uint8Array> {
  const named = columnsBeside(GEOMETRY_COLUMN, columns)
  const written = named.map((column) => toWritten(column, rows.several.has(column.field.path)))
  const boxColumn = freeName('bbox', named)
  const schema: SchemaElement[] = [
    { name: 'root', num_children: written.length + 2 },
    ...written.map(({ element }) => element),
    { name: GEOMETRY_COLUMN, type: 'BYTE_ARRAY', repetition_type: 'OPTIONAL' },
    { name: boxColumn, repetition_type: 'OPTIONAL', num_children: SIDES.length },
    ...SIDES.map((name): SchemaElement => ({ name, type: 'DOUBLE', repetition_type: 'REQUIRED' })),
  ]
  const bytes = new ByteWriter()
  const kvMetadata = [{ key: 'geo', value: JSON.stringify(geoMetadata(rows, boxColumn)) }]
  const parquet = new ParquetWriter({ writer: bytes, schema, kvMetadata })
  for await (const group of rowGroups(written, boxColumn, rows)) {
    await writeGroup(parquet, group)
    yield take(bytes)
  }
  parquet.finish()
  yield take(bytes)
}

/** Takes the bytes written since the last call; file offsets keep counting. */
function take(writer: ByteWriter): Uint8Array {
  const bytes = new Uint8Array(writer.buffer.slice(0, writer.index))
  writer.index = 0
  return bytes
}

function geoMetadata({ geometryTypes, box }: SpooledRows, boxColumn: string) {
  return {
    version: '1.1.0',
    primary_column: GEOMETRY_COLUMN,
    columns: {
      [GEOMETRY_COLUMN]: {
        encoding: 'WKB',
        geometry_types: [...geometryTypes].sort(),
        ...(box === undefined ? {} : { bbox: [box.west, box.south, box.east, box.north] }),
        covering: { bbox: Object.fromEntries(SIDES.map((side) => [side, [boxColumn, side]])) },
      },
    },
  }
}

interface WrittenColumn {
  readonly element: SchemaElement
  readonly read: (cell: readonly Json[]) => unknown
}

function toWritten({ name, field }: ExportColumn, several: boolean): WrittenColumn {
  const optional = { name, repetition_type: 'OPTIONAL' as const }
  const text: WrittenColumn = {
    element: { ...optional, type: 'BYTE_ARRAY', converted_type: 'UTF8' },
    read: (cell) => (cell.length === 0 ? undefined : cellText(cell)),
  }
  if (several) return text
  const typed = (cell: readonly Json[]): unknown =>
    cell[0] === undefined ? undefined : readStoredValue(field, cell[0])
  switch (field.type) {
    case 'BOOLEAN':
      return { element: { ...optional, type: 'BOOLEAN' }, read: typed }
    case 'BYTE':
    case 'SHORT':
    case 'INTEGER':
      return { element: { ...optional, type: 'INT32' }, read: (cell) => smallInteger(typed(cell)) }
    case 'LONG':
      return { element: { ...optional, type: 'INT64' }, read: typed }
    case 'FLOAT':
      return { element: { ...optional, type: 'FLOAT' }, read: typed }
    case 'DOUBLE':
      return { element: { ...optional, type: 'DOUBLE' }, read: typed }
    case 'DATE':
      return { element: { ...optional, type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' }, read: dateReader(field) }
    default:
      return text
  }
}

const smallInteger = (value: unknown): number | undefined => (typeof value === 'bigint' ? Number(value) : undefined)

const dateReader =
  (field: Field) =>
  (cell: readonly Json[]): Date | undefined => {
    const ms = cell[0] === undefined ? undefined : readStoredValue(field, cell[0])
    return typeof ms === 'number' && Math.abs(ms) <= 8.64e15 ? new Date(ms) : undefined
  }

/** The values of one column in a row group. */
interface ColumnValues {
  readonly name: string
  readonly data: unknown[]
}

/** Converts rows to columns, one row group at a time. */
async function* rowGroups(
  columns: readonly WrittenColumn[],
  boxColumn: string,
  rows: SpooledRows,
): AsyncIterable<readonly ColumnValues[]> {
  const empty = (): readonly ColumnValues[] =>
    [...columns.map(({ element }) => element.name), GEOMETRY_COLUMN, boxColumn].map((name) => ({ name, data: [] }))
  let group = empty()
  let bytes = 0
  for await (const batch of rows.read()) {
    for (const row of batch) {
      const values = valuesOf(columns, row)
      values.forEach((value, i) => {
        group[i]?.data.push(value)
      })
      bytes += values.reduce((sum: number, value) => sum + bytesOf(value), 0)
      if ((group[0]?.data.length ?? 0) < GROUP_ROWS && bytes < GROUP_BYTES) continue
      yield group
      group = empty()
      bytes = 0
    }
  }
  if ((group[0]?.data.length ?? 0) > 0) yield group
}

function valuesOf(columns: readonly WrittenColumn[], { cells, geometry }: ExportRow): readonly unknown[] {
  const values = columns.map(({ read }, i) => read(cells[i] ?? []))
  return geometry === undefined
    ? [...values, undefined, undefined]
    : [...values, encodeGeometry(geometry), coveringOf(geometry)]
}

function coveringOf(geometry: Geometry): Readonly<Record<(typeof SIDES)[number], number>> | undefined {
  const box = growBox(undefined, geometry)
  return box && { xmin: box.west, ymin: box.south, xmax: box.east, ymax: box.north }
}

const bytesOf = (value: unknown): number =>
  typeof value === 'string' || value instanceof Uint8Array ? value.length : 8

/** Writes a row group column by column, in turns, and joins the parts. The writer itself would write it in one go. */
async function writeGroup(parquet: ParquetWriter, columns: readonly ColumnValues[]): Promise<void> {
  const turn = new Turn()
  const before = parquet.num_rows
  const first = parquet.row_groups.length
  const rows = columns[0]?.data.length ?? 0
  for (const column of columns) {
    if (turn.isOver) await turn.next()
    parquet.write({ columnData: [column], rowGroupSize: rows })
  }
  const parts = parquet.row_groups.splice(first)
  parquet.num_rows = before + BigInt(rows)
  parquet.row_groups.push({
    columns: parts.flatMap((part) => part.columns),
    total_byte_size: parts.reduce((sum, part) => sum + part.total_byte_size, 0n),
    num_rows: BigInt(rows),
  })
}
