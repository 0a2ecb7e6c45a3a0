import { randomUUID } from 'node:crypto'
import { type Problem, problem } from '../../errors.ts'
import type { Json, JsonObject } from '../../model/json/document.ts'
import type { SubscriptionEvent } from '../record/subscription-event.ts'
import { geometryFault } from '../trigger/trigger-geometry.ts'

const LONGEST_ID = 256
const LONGEST_KIND = 64

interface EventDefaults {
  /** `events.defaultCollection` */
  readonly collection?: string | undefined
  /** Milliseconds. Time of acceptance, used for events without a time. */
  readonly now: number
  /** Id for an event without one. */
  readonly id?: string
}

/**
 * Validates an event and fills in defaults (spec 3.1). `place` is its path in the body, such as `events[3]`. Throws
 * INVALID_EVENT.
 */
export function readEvent(value: unknown, place: string, defaults: EventDefaults): SubscriptionEvent {
  const at = (key: string): string => (place === '' ? key : `${place}.${key}`)
  if (!isObject(value)) throw fault(place === '' ? 'event' : place, 'must be a JSON object', value)
  const object = value.object
  if (!isObject(object)) throw fault(at('object'), missingOr('must be an object', object), object)
  const { id: objectId } = object
  if (!isIdentifier(objectId)) {
    throw fault(at('object.id'), missingOr('must be a string or a number', objectId), objectId)
  }
  const collection = readName(value, object, 'collection', at) ?? defaults.collection
  if (collection === undefined) throw fault(at('collection'), 'is required, here or in object')
  const event = readName(value, object, 'event', at)
  if (event === undefined) throw fault(at('event'), 'is required, here or in object')
  if (lengthOf(event) > LONGEST_KIND) throw fault(at('event'), `must have 1 to ${LONGEST_KIND} characters`, event)
  checkObjectGeometry(object.geometry, at('object.geometry'))
  const { document } = value
  if (document !== undefined && document !== null && !isObject(document)) {
    throw fault(at('document'), 'must be an object', document)
  }
  return {
    id: readId(value.id, at('id')) ?? defaults.id ?? `evt_${randomUUID()}`,
    collection,
    event,
    time: readTime(value.time, at('time')) ?? new Date(defaults.now).toISOString(),
    object: { ...object, id: objectId },
    ...(isObject(document) ? { document } : {}),
    ...othersOf(value),
  }
}

/** Returns the members that are forwarded unchanged, nothing if that is only `object`. */
function othersOf(value: JsonObject): { others?: JsonObject } {
  const { id: _id, collection: _collection, event: _event, time: _time, document: _document, ...others } = value
  return Object.keys(others).length > 1 ? { others } : {}
}

function readId(value: Json | undefined, parameter: string): string | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string' && value !== '' && lengthOf(value) <= LONGEST_ID) return value
  throw fault(parameter, `must be a string of 1 to ${LONGEST_ID} characters`, value)
}

/** Reads a name from the event or its object. Both may have it if they are equal. */
function readName(
  value: JsonObject,
  object: JsonObject,
  key: 'collection' | 'event',
  at: (key: string) => string,
): string | undefined {
  const own = present(value[key])
  const inner = present(object[key])
  const given = own ?? inner
  if (given === undefined) return undefined
  const parameter = at(own === undefined ? `object.${key}` : key)
  if (typeof given !== 'string' || given === '') throw fault(parameter, 'must be a non-empty string', given)
  if (inner !== undefined && inner !== given) throw fault(at(`object.${key}`), `must equal ${at(key)}`, inner)
  return given
}

function readTime(value: Json | undefined, parameter: string): string | undefined {
  if (value === undefined || value === null) return undefined
  const instant = typeof value === 'string' ? readInstant(value) : undefined
  if (instant === undefined) throw fault(parameter, 'must be an RFC 3339 date and time', value)
  return new Date(instant).toISOString()
}

function checkObjectGeometry(value: Json | undefined, parameter: string): void {
  const found = value === undefined || value === null ? undefined : geometryFault(value)
  if (found !== undefined) throw fault(`${parameter}${memberPath(found.pointer)}`, found.reason)
}

/** Converts `/coordinates/0/1` to `.coordinates[0][1]`. */
const memberPath = (pointer: string): string => pointer.replaceAll(/\/(\d+)/g, '[$1]').replaceAll('/', '.')

const isIdentifier = (value: Json | undefined): value is string | number =>
  typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value))

const missingOr = (rule: string, value: unknown): string => (value === undefined ? 'is required' : rule)

const present = (value: Json | undefined): Json | undefined => value ?? undefined

const lengthOf = (text: string): number => [...text].length

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const fault = (parameter: string, reason: string, value?: unknown): Problem =>
  problem('INVALID_EVENT', { parameter, reason, ...(value === undefined ? {} : { value }) })

const RFC_3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))$/

/** Parses an RFC 3339 date and time into milliseconds. Returns undefined if invalid. Truncates finer fractions. */
export function readInstant(text: string): number | undefined {
  const [, year, month, day, hour, minute, second, fraction = '', sign, ...zone] = RFC_3339.exec(text) ?? []
  if (year === undefined) return undefined
  const [zoneHour = 0, zoneMinute = 0] = zone.map((part) => Number(part ?? 0))
  const parts = [Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second)] as const
  const [y, m, d, h, min, s] = parts
  if (h > 23 || min > 59 || s > 59 || zoneHour > 23 || zoneMinute > 59) return undefined
  const date = new Date(0)
  // Date.UTC would map the years 0 to 99 to 1900 to 1999.
  date.setUTCFullYear(y, m, d)
  date.setUTCHours(h, min, s, Number(`${fraction}000`.slice(0, 3)))
  if (date.getUTCMonth() !== m || date.getUTCDate() !== d) return undefined
  const shift = (zoneHour * 60 + zoneMinute) * 60_000
  return date.getTime() - (sign === '-' ? -shift : shift)
}
