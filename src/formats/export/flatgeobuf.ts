import type { HeaderMeta } from 'flatgeobuf/lib/mjs/header-meta.js'
import type { Json } from '../../model/json/document.ts'
import type { Field } from '../../query/schema/field.ts'
import { readStoredValue } from '../../query/value/stored-value.ts'
import type { ExportColumn } from './export-column.ts'
import { cellText, type ExportRow } from './export-row.ts'
import { type CellValue, type ColumnKind, columnTypes, FeatureEncoder } from './flatgeobuf-feature.ts'
import { encodeHeader } from './flatgeobuf-header.ts'
import type { SpooledRows } from './row-spool.ts'
import { geometryTypes } from './wkb-geometry.ts'

/** Constants of the format (flatgeobuf.org, version 3). */
const MAGIC = Uint8Array.of(0x66, 0x67, 0x62, 0x03, 0x66, 0x67, 0x62, 0x01)
const UNKNOWN_GEOMETRY = 0
const WGS_84 = 4326

/**
 * Writes a FlatGeobuf file with one layer, without index: features are in row order. Rows without geometry are left out.
 */
export async function* writeFlatgeobuf(
  layer: string,
  columns: readonly ExportColumn[],
  rows: SpooledRows,
): AsyncIterable<Uint8Array> {
  const kinds = columns.map(({ name, field }) => (rows.several.has(name) ? 'text' : kindOf(field)))
  const [onlyType] = rows.geometryTypes
  const header: HeaderMeta = {
    geometryType: rows.geometryTypes.size === 1 && onlyType !== undefined ? geometryTypes[onlyType] : UNKNOWN_GEOMETRY,
    columns: columns.map(({ name }, i) => columnMeta(name, columnTypes[kinds[i] ?? 'text'])),
    envelope: null,
    featuresCount: rows.located,
    indexNodeSize: 0,
    crs: null,
    title: null,
    description: null,
    metadata: null,
  }
  yield MAGIC
  yield encodeHeader(layer, header, WGS_84)
  const encoder = new FeatureEncoder(kinds)
  for await (const batch of rows.read()) {
    const features: Uint8Array[] = []
    for (const row of batch) {
      if (row.geometry === undefined) continue
      features.push(encoder.encode(row.geometry, cellValues(columns, kinds, row)))
    }
    yield Buffer.concat(features)
  }
}

function kindOf({ type }: Field): ColumnKind {
  switch (type) {
    case 'BOOLEAN':
      return 'boolean'
    case 'BYTE':
    case 'SHORT':
    case 'INTEGER':
      return 'int'
    case 'LONG':
      return 'long'
    case 'FLOAT':
      return 'float'
    case 'DOUBLE':
      return 'double'
    case 'DATE':
      return 'date'
    default:
      return 'text'
  }
}

const columnMeta = (name: string, type: number) => ({
  name,
  type,
  title: null,
  description: null,
  width: -1,
  precision: -1,
  scale: -1,
  nullable: true,
  unique: false,
  primary_key: false,
})

const cellValues = (
  columns: readonly ExportColumn[],
  kinds: readonly ColumnKind[],
  { cells }: ExportRow,
): readonly (CellValue | undefined)[] =>
  columns.map(({ field }, i) => cellValue(kinds[i] ?? 'text', field, cells[i] ?? []))

function cellValue(kind: ColumnKind, field: Field, cell: readonly Json[]): CellValue | undefined {
  const [first] = cell
  if (first === undefined) return undefined
  if (kind === 'text') return cellText(cell)
  const value = readStoredValue(field, first)
  if (kind === 'date') return typeof value === 'number' ? printDate(value) : undefined
  return value
}

/** Range of ISO 8601 with four-digit years; other dates are left out. */
const FIRST_MS = Date.parse('0000-01-01T00:00:00.000Z')
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z')

const printDate = (ms: number): string | undefined =>
  ms >= FIRST_MS && ms <= LAST_MS ? new Date(ms).toISOString() : undefined
