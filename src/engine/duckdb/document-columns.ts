import { DuckDBBlobValue, DuckDBListValue, DuckDBStructValue, type DuckDBValue } from '@duckdb/node-api'
import { pointValues, shapeValues } from '../../geo/document-geometry.ts'
import { mortonKey } from '../../geo/morton-key.ts'
import { normaliseShape, planarCentroid, shapeBounds, shapeOfAll } from '../../geo/shape.ts'
import { encodeShape } from '../../geo/wkb.ts'
import type { Json } from '../../model/document.ts'
import { type Field, isInteger } from '../../query/field.ts'
import type { Scalar } from '../../query/predicate.ts'
import { readStoredValues } from '../../query/stored-value.ts'
import { tokenize } from '../../query/text-analysis.ts'
import type { FieldLayout } from './table-layout.ts'
import { tokenText } from './text-sql.ts'

/** The values of one field of one document as its columns hold them; undefined: no value. */
export interface FieldValues {
  /** One entry per column of the field, in order. */
  readonly single: readonly DuckDBValue[]
  /** The whole list, when there are several. */
  readonly several?: DuckDBValue
}

/** A value the field's type cannot read: the document is refused, as Elasticsearch does. */
export class UnreadableValue extends Error {}

/** A field with columns, as the query core sees it too. */
export type StoredField = FieldLayout & Field

/** `raw`: the value, or all values, a document has at the field's path. */
export function fieldValues(field: StoredField, raw: Json): FieldValues | undefined {
  switch (field.type) {
    case 'TEXT':
      return textValues(raw)
    case 'GEO_POINT':
      return pointFieldValues(raw)
    case 'GEO_SHAPE':
      return shapeFieldValues(raw)
    default:
      return scalarValues(field, raw)
  }
}

function scalarValues(field: StoredField, raw: Json): FieldValues | undefined {
  const values = readStoredValues(field, raw)
  const first = values[0]
  if (values.length < (Array.isArray(raw) ? countScalars(raw) : 1))
    throw new UnreadableValue(describeUnreadable(field, raw))
  if (first === undefined) return undefined
  const single = [columnValue(field, first)]
  if (values.length === 1) return { single }
  return { single, several: new DuckDBListValue(values.map((v) => columnValue(field, v))) }
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

function textValues(raw: Json): FieldValues | undefined {
  const texts: string[] = []
  const collect = (value: Json): void => {
    if (Array.isArray(value)) for (const item of value) collect(item)
    else if (typeof value === 'object' && value !== null)
      throw new UnreadableValue('a text field cannot hold an object')
    else if (value !== null) texts.push(String(value))
  }
  collect(raw)
  return texts.length === 0 ? undefined : { single: [tokenText(texts.map(tokenize))] }
}

function pointFieldValues(raw: Json): FieldValues | undefined {
  const points = pointValues(raw)
  const first = points[0]
  if (!first) return undefined
  const columns = (p: readonly number[]): [number, number, bigint] => [
    p[0] ?? 0,
    p[1] ?? 0,
    mortonKey(p[0] ?? 0, p[1] ?? 0),
  ]
  if (points.length === 1) return { single: columns(first) }
  const list = points.map((p) => {
    const [lon, lat, key] = columns(p)
    return new DuckDBStructValue({ lon, lat, key })
  })
  return { single: columns(first), several: new DuckDBListValue(list) }
}

function shapeFieldValues(raw: Json): FieldValues | undefined {
  const shapes = shapeValues(raw).flatMap((g) => normaliseShape(g) ?? [])
  if (shapes.length === 0) return undefined
  const shape = shapes.length === 1 && shapes[0] ? shapes[0] : shapeOfAll(shapes)
  const [lon = 0, lat = 0] = planarCentroid(shape)
  const box = shapeBounds(shape)
  const wkb = new DuckDBBlobValue(encodeShape(shape))
  return { single: [lon, lat, mortonKey(lon, lat), wkb, box.west, box.south, box.east, box.north] }
}
