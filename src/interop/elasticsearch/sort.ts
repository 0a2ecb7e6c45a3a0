import type { FoundDocument } from '../../engine/engine.ts'
import { problem } from '../../errors.ts'
import { greatCircle } from '../../geo/distance.ts'
import { pointValues } from '../../geo/shape/document-geometry.ts'
import type { Json } from '../../model/json/document.ts'
import { withExactIntegers } from '../../model/json/exact-json.ts'
import { isRecord } from '../../model/json/json-object.ts'
import { cursorAfter } from '../../query/page/cursor.ts'
import { unsortable } from '../../query/page/sort.ts'
import type { Cursor, SortKey } from '../../query/plan/plan.ts'
import type { Scalar } from '../../query/plan/predicate.ts'
import { rawAt } from '../../query/schema/document-path.ts'
import { documentIds, type Field } from '../../query/schema/field.ts'
import { printIp } from '../../query/value/ip-text.ts'
import { readTypedText } from '../../query/value/typed-text.ts'
import { geoField, pointOf, readUnit } from './geo-queries.ts'
import { checkNames, fault, listOf, type Members, placeOf, readOnly, readText } from './members.ts'
import type { QueryContext } from './query-context.ts'

/** One key of `sort`, with its value in the answer. Keys without `plan` do not change the order. */
export interface SortPart {
  readonly plan?: SortKey
  /** Metres of a unit of distance. */
  readonly unit?: number
  readonly isScore?: true
}

const MOST_KEYS = 32

/** Reads `sort`: names, `{"name":"asc"}` and `{"name":{"order":"asc"}}`. */
export function readSort(value: unknown, place: string, context: QueryContext): readonly SortPart[] {
  if (value === undefined || value === null) return []
  const items = listOf(value).flatMap((item): readonly unknown[] =>
    isRecord(item) ? Object.entries(item).map(([name, options]) => ({ [name]: options })) : [item],
  )
  if (items.length > MOST_KEYS) throw fault(place, `must have at most ${MOST_KEYS} keys`)
  return items.map((item, i) => readKey(item, `${place}[${i}]`, context))
}

/** Reads the parameter `sort`: `field,other:desc`. */
export function readSortParameter(text: string, context: QueryContext): readonly SortPart[] {
  const items = text.split(',').map((item) => {
    const match = /^(.+):(asc|desc)$/.exec(item.trim())
    return match === null ? item.trim() : { [match[1] ?? '']: match[2] }
  })
  return readSort(items, 'sort', context)
}

const OPTIONS = ['order', 'missing', 'mode', 'unmapped_type', 'numeric_type']

function readKey(item: unknown, place: string, context: QueryContext): SortPart {
  if (typeof item === 'string') return keyOf(item, {}, place, context)
  const { name, value, place: at } = readOnly(item, place)
  if (name === '_geo_distance') return distanceKey(value, at, context)
  return keyOf(name, isRecord(value) ? value : { order: value }, at, context)
}

function keyOf(name: string, options: Members, place: string, context: QueryContext): SortPart {
  checkNames(options, place, OPTIONS)
  if (name === '_score') return { isScore: true }
  const descending = isDescending(options.order, placeOf(place, 'order'))
  if (name === '_id' || name === '_doc' || name === '_shard_doc') {
    return { plan: { kind: 'field', field: documentIds, descending } }
  }
  if (options.missing !== undefined && options.missing !== '_last') {
    throw fault(placeOf(place, 'missing'), 'must be _last', options.missing)
  }
  checkMode(options.mode, descending, placeOf(place, 'mode'))
  const field = context.schema.lookup(name)
  if (field === undefined && options.unmapped_type === undefined) {
    throw problem('FIELD_NOT_FOUND', { name, owner: context.schema.indices.join(', ') })
  }
  if (field === undefined) return {}
  const reason = unsortable(field)
  if (reason !== undefined) throw fault(place, reason, name)
  return { plan: { kind: 'field', field, descending } }
}

function isDescending(order: unknown, place: string): boolean {
  if (order === undefined || order === 'asc' || order === 'desc') return order === 'desc'
  throw fault(place, 'must be asc or desc', order)
}

function checkMode(mode: unknown, descending: boolean, place: string): void {
  const only = descending ? 'max' : 'min'
  if (mode !== undefined && mode !== only) throw fault(place, `must be ${only} in this order`, mode)
}

const DISTANCE_OPTIONS = ['order', 'unit', 'mode', 'distance_type', 'ignore_unmapped', 'validation_method']

function distanceKey(value: unknown, place: string, context: QueryContext): SortPart {
  const { name, value: centre, place: at, members } = readOnly(value, place, DISTANCE_OPTIONS)
  const descending = isDescending(members.order, placeOf(place, 'order'))
  checkMode(members.mode, descending, placeOf(place, 'mode'))
  const [lon = 0, lat = 0] = pointOf(centre, at)
  const unit = readUnit(members.unit ?? 'm', placeOf(place, 'unit'))
  const field = geoField(name, at, context)
  if (field !== undefined) return { plan: { kind: 'distance', field, lon, lat, descending }, unit }
  if (members.ignore_unmapped === true) return {}
  throw problem('FIELD_NOT_FOUND', { name, owner: context.schema.indices.join(', ') })
}

export const planOf = (parts: readonly SortPart[]): readonly SortKey[] => parts.flatMap(({ plan }) => plan ?? [])

/** Reads `search_after`: one value for each key. */
export function readPosition(value: unknown, parts: readonly SortPart[], place: string): Cursor | undefined {
  if (value === undefined) return undefined
  if (!Array.isArray(value) || value.length !== parts.length || parts.length === 0) {
    throw fault(place, 'must have one value for each key of sort')
  }
  const values = parts.flatMap(({ plan }, i): readonly (Scalar | null)[] => {
    if (plan === undefined) return []
    if (plan.kind === 'distance') throw fault(`${place}[${i}]`, 'must not be used with a distance')
    return [readValue(plan.field, value[i], `${place}[${i}]`)]
  })
  if (values.length === 0) throw fault(place, 'must be used with a key of sort other than _score')
  return { direction: 'after', values }
}

function readValue(field: Field, value: unknown, place: string): Scalar | null {
  if (value === null) return null
  const text = readText(value, place)
  const found = readTypedText(field, text)
  if (found === undefined || found === null) throw fault(place, `must fit a field of type ${field.type}`, text)
  return found
}

/** The members of `sort` of a hit. */
export function sortValues(parts: readonly SortPart[], hit: FoundDocument): readonly unknown[] {
  const source = hit.text === undefined ? hit.source : withExactIntegers(hit.text)
  return parts.map(({ plan, unit = 1, isScore }) => {
    if (plan === undefined) return isScore ? 1 : null
    if (plan.kind === 'distance') return distanceOf(plan, rawAt(source, plan.field.path), unit)
    if (plan.field.isId) return hit.id ?? null
    const [value = null] = cursorAfter([plan], source).values
    return value === null ? null : printValue(plan.field, value)
  })
}

/** A value in an answer. Integers beyond 2^53 keep their digits. */
export function printValue(field: Field, value: Scalar): unknown {
  if (typeof value === 'bigint')
    return Number.isSafeInteger(Number(value)) ? Number(value) : JSON.rawJSON(String(value))
  return field.type === 'IP' ? printIp(String(value)) : value
}

function distanceOf(key: Extract<SortKey, { kind: 'distance' }>, raw: Json | undefined, unit: number): number | null {
  const distances = pointValues(raw ?? null).map(([x = 0, y = 0]) => greatCircle(key.lon, key.lat, x, y) / unit)
  if (distances.length === 0) return null
  return key.descending ? Math.max(...distances) : Math.min(...distances)
}
