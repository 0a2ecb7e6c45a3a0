import { DuckDBBlobValue, DuckDBListValue, DuckDBStructValue, type DuckDBValue } from '@duckdb/node-api'
import { mortonKey } from '../../../geo/grid/morton-key.ts'
import { pointValues, shapeValues } from '../../../geo/shape/document-geometry.ts'
import { planarCentroid } from '../../../geo/shape/planar-centroid.ts'
import { normaliseShape, shapeBounds, shapeOfAll } from '../../../geo/shape/shape.ts'
import { encodeShape } from '../../../geo/shape/wkb.ts'
import type { Json } from '../../../model/json/document.ts'
import type { Scalar } from '../../../query/plan/predicate.ts'
import { type Field, isInteger } from '../../../query/schema/field.ts'
import { tokenize } from '../../../query/text/text-analysis.ts'
import { readStoredValue, readStoredValues } from '../../../query/value/stored-value.ts'
import { joinValues } from '../index/several-values.ts'
import type { FieldLayout } from '../index/table-layout.ts'

/** Column values of one field of one document. Reused for every document. */
export interface FieldValues {
  /** One entry per column of the field, in order. */
  readonly single: DuckDBValue[]
  /** Value of the list column if the document has several values. */
  several: DuckDBValue | undefined
}

/** Thrown if a value does not fit the field's type. The document is rejected, as in Elasticsearch. */
export class UnreadableValue extends Error {}

/** A field with columns, in the form the query core uses. */
export type StoredField = FieldLayout & Field

/**
 * Reads `raw`, the value or values a document has at the field's path, into `values`. Returns false if there are none.
 */
export function readField(field: StoredField, raw: Json, values: FieldValues): boolean {
  values.several = undefined
  switch (field.type) {
    case 'TEXT':
      return readTexts(raw, values)
    case 'GEO_POINT':
      return readPoints(raw, values)
    case 'GEO_SHAPE':
      return readShapes(raw, values)
    default:
      return typeof raw === 'object' ? readScalars(field, raw, values) : readOneScalar(field, raw, values)
  }
}

function readOneScalar(field: StoredField, raw: Json, values: FieldValues): boolean {
  const value = readStoredValue(field, raw)
  if (value === undefined) throw new UnreadableValue(describeUnreadable(field, raw))
  values.single[0] = columnValue(field, value)
  return true
}

function readScalars(field: StoredField, raw: Json, values: FieldValues): boolean {
  const read = readStoredValues(field, raw)
  if (read.length < (Array.isArray(raw) ? countScalars(raw) : 1))
    throw new UnreadableValue(describeUnreadable(field, raw))
  const [first] = read
  if (first === undefined) return false
  values.single[0] = columnValue(field, first)
  if (read.length > 1) values.several = joinValues(read)
  return true
}

function columnValue(field: FieldLayout, value: Scalar): DuckDBValue {
  if (field.type === 'DATE') return BigInt(value as number)
  return isInteger(field.type) && field.type !== 'LONG' ? Number(value) : value
}

function countScalars(raw: Json): number {
  if (raw === null) return 0
  return Array.isArray(raw) ? raw.reduce((n: number, v: Json) => n + countScalars(v), 0) : 1
}

function describeUnreadable(field: FieldLayout, raw: Json): string {
  const shown = JSON.stringify(raw)
  const cut = shown.length > 100 ? `${shown.slice(0, 100)}...` : shown
  const format = field.format === undefined ? '' : ` with format [${field.format}]`
  return `failed to parse field [${field.path}] of type [${field.type.toLowerCase()}]${format}, got ${cut}`
}

function readTexts(raw: Json, values: FieldValues): boolean {
  if (typeof raw === 'string') {
    values.single[0] = tokenText([tokenize(raw)])
    return true
  }
  const texts: string[] = []
  const collect = (value: Json): void => {
    if (Array.isArray(value)) for (const item of value) collect(item)
    else if (typeof value === 'object' && value !== null)
      throw new UnreadableValue('a text field cannot hold an object')
    else if (value !== null) texts.push(String(value))
  }
  collect(raw)
  if (texts.length === 0) return false
  values.single[0] = tokenText(texts.map(tokenize))
  return true
}

function readPoints(raw: Json, values: FieldValues): boolean {
  const points = pointValues(raw)
  const [first] = points
  if (!first) return false
  const [lon = 0, lat = 0] = first
  const { single } = values
  single[0] = lon
  single[1] = lat
  single[2] = mortonKey(lon, lat)
  if (points.length > 1) {
    const list = points.map(([x = 0, y = 0]) => new DuckDBStructValue({ lon: x, lat: y, key: mortonKey(x, y) }))
    values.several = new DuckDBListValue(list)
  }
  return true
}

function readShapes(raw: Json, values: FieldValues): boolean {
  const shapes = shapeValues(raw).flatMap((g) => normaliseShape(g) ?? [])
  if (shapes.length === 0) return false
  const shape = shapes.length === 1 && shapes[0] ? shapes[0] : shapeOfAll(shapes)
  const [lon = 0, lat = 0] = planarCentroid(shape)
  const box = shapeBounds(shape)
  const wkb = new DuckDBBlobValue(encodeShape(shape))
  const columns = [lon, lat, mortonKey(lon, lat), wkb, box.west, box.south, box.east, box.north]
  for (const [i, value] of columns.entries()) values.single[i] = value
  return true
}

/**
 * Returns the content of a TEXT column: the tokens of the field, each between blanks (` the quick fox `). Several
 * values of one document are separated by a line feed, so that no phrase spans two of them. A token never contains
 * either.
 */
function tokenText(values: readonly (readonly string[])[]): string {
  return values.map((tokens) => ` ${tokens.join(' ')}${tokens.length > 0 ? ' ' : ''}`).join('\n')
}
