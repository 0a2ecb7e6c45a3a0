import { buildFeature } from 'flatgeobuf/lib/mjs/generic/feature.js'
import type { IParsedGeometry } from 'flatgeobuf/lib/mjs/generic/geometry.js'
import type { HeaderMeta } from 'flatgeobuf/lib/mjs/header-meta.js'
import type { Geometry, Position } from '../../model/geometry.ts'
import type { Json } from '../../model/json/document.ts'
import type { Field } from '../../query/schema/field.ts'
import { readStoredValue } from '../../query/value/stored-value.ts'
import type { ExportColumn } from './export-column.ts'
import { cellText, type ExportRow } from './export-row.ts'
import { encodeHeader } from './flatgeobuf-header.ts'
import type { SpooledRows } from './row-spool.ts'

/** Constants of the format (flatgeobuf.org, version 3). */
const MAGIC = Uint8Array.of(0x66, 0x67, 0x62, 0x03, 0x66, 0x67, 0x62, 0x01)
const columnTypes = { boolean: 2, int: 5, long: 7, float: 9, double: 10, text: 11, date: 13 } as const
const geometryTypes = {
  Point: 1,
  LineString: 2,
  Polygon: 3,
  MultiPoint: 4,
  MultiLineString: 5,
  MultiPolygon: 6,
  GeometryCollection: 7,
} as const
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
  for await (const batch of rows.read()) {
    const features: Uint8Array[] = []
    for (const row of batch) {
      if (row.geometry === undefined) continue
      // The writer distinguishes the forms by their members, which its types do not express.
      const geometry = parsed(row.geometry) as IParsedGeometry
      features.push(buildFeature(geometry, properties(columns, kinds, row), header))
    }
    yield Buffer.concat(features)
  }
}

type ColumnKind = keyof typeof columnTypes

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

type CellValue = string | number | boolean

/** A missing value must be null: undefined would be written as zero or an empty text. */
function properties(
  columns: readonly ExportColumn[],
  kinds: readonly ColumnKind[],
  { cells }: ExportRow,
): Record<string, CellValue | null> {
  const values: Record<string, CellValue | null> = {}
  for (const [i, { name, field }] of columns.entries()) {
    values[name] = cellValue(kinds[i] ?? 'text', field, cells[i] ?? []) ?? null
  }
  return values
}

function cellValue(kind: ColumnKind, field: Field, cell: readonly Json[]): CellValue | undefined {
  const [first] = cell
  if (first === undefined) return undefined
  if (kind === 'text') return cellText(cell)
  const value = readStoredValue(field, first)
  if (kind === 'date') return typeof value === 'number' ? printDate(value) : undefined
  // The writer converts the text of a LONG to 64 bits.
  return typeof value === 'bigint' ? (kind === 'long' ? String(value) : Number(value)) : value
}

/** Range of ISO 8601 with four-digit years; other dates are left out. */
const FIRST_MS = Date.parse('0000-01-01T00:00:00.000Z')
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z')

const printDate = (ms: number): string | undefined =>
  ms >= FIRST_MS && ms <= LAST_MS ? new Date(ms).toISOString() : undefined

/** A flat list of coordinates with the ends of its paths, or parts; never both. */
type ParsedGeometry =
  | { readonly type: number; readonly xy: readonly number[]; readonly ends?: readonly number[] }
  | { readonly type: number; readonly parts: readonly ParsedGeometry[] }

function parsed(geometry: Geometry): ParsedGeometry {
  const type = geometryTypes[geometry.type]
  switch (geometry.type) {
    case 'Point':
      return flat(type, [[geometry.coordinates]])
    case 'MultiPoint':
    case 'LineString':
      return flat(type, [geometry.coordinates])
    case 'MultiLineString':
    case 'Polygon':
      return flat(type, geometry.coordinates)
    case 'MultiPolygon':
      return several(
        type,
        geometry.coordinates.map((rings) => flat(geometryTypes.Polygon, rings)),
      )
    case 'GeometryCollection':
      return several(type, geometry.geometries.map(parsed))
  }
}

function flat(type: number, paths: readonly (readonly Position[])[]): ParsedGeometry {
  const xy = paths.flatMap((path) => path.flatMap(([x = 0, y = 0]) => [x, y]))
  // The end of a single path is implied; only several paths need their ends.
  if (paths.length < 2) return { type, xy }
  let end = 0
  const ends = paths.map((path) => {
    end += path.length
    return end
  })
  return { type, xy, ends }
}

const several = (type: number, parts: readonly ParsedGeometry[]): ParsedGeometry => ({ type, parts })
