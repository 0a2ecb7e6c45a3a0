import type { SchemaElement } from 'hyparquet'
import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import type { Json } from '../../model/document.ts'
import type { Field } from '../../query/field.ts'
import { readStoredValue } from '../../query/stored-value.ts'
import { columnsBeside, type ExportColumn, GEOMETRY_COLUMN } from './export-column.ts'
import { cellText, type ExportRow } from './export-row.ts'
import type { SpooledRows } from './row-spool.ts'
import { encodeGeometry } from './wkb-geometry.ts'

/** A GeoParquet 1.1 file: one row group per batch, the geometry as WKB in longitude and latitude of WGS 84. */
export async function* writeGeoparquet(columns: readonly ExportColumn[], rows: SpooledRows): AsyncIterable<Uint8Array> {
  const named = columnsBeside(GEOMETRY_COLUMN, columns)
  const written = named.map((column) => toWritten(column, rows.several.has(column.field.path)))
  const schema: SchemaElement[] = [
    { name: 'root', num_children: written.length + 1 },
    ...written.map(({ element }) => element),
    { name: GEOMETRY_COLUMN, type: 'BYTE_ARRAY', repetition_type: 'OPTIONAL' },
  ]
  const bytes = new ByteWriter()
  const kvMetadata = [{ key: 'geo', value: JSON.stringify(geoMetadata(rows)) }]
  const parquet = new ParquetWriter({ writer: bytes, schema, kvMetadata })
  for await (const batch of rows.read()) {
    parquet.write({ columnData: columnData(written, batch), rowGroupSize: batch.length })
    yield take(bytes)
  }
  parquet.finish()
  yield take(bytes)
}

/** What was written since the last time; the places in the file go on counting. */
function take(writer: ByteWriter): Uint8Array {
  const bytes = new Uint8Array(writer.buffer.slice(0, writer.index))
  writer.index = 0
  return bytes
}

function geoMetadata({ geometryTypes, box }: SpooledRows) {
  return {
    version: '1.1.0',
    primary_column: GEOMETRY_COLUMN,
    columns: {
      [GEOMETRY_COLUMN]: {
        encoding: 'WKB',
        geometry_types: [...geometryTypes].sort(),
        ...(box === undefined ? {} : { bbox: [box.west, box.south, box.east, box.north] }),
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

function columnData(columns: readonly WrittenColumn[], rows: readonly ExportRow[]) {
  const data = columns.map(({ element, read }, i) => ({
    name: element.name,
    data: rows.map((row) => read(row.cells[i] ?? [])),
  }))
  const geometry = rows.map((row) => (row.geometry === undefined ? undefined : encodeGeometry(row.geometry)))
  return [...data, { name: GEOMETRY_COLUMN, data: geometry }]
}
