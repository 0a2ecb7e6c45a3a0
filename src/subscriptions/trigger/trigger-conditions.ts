import { readGeoJson } from '../../geo/geojson.ts'
import type { Shape } from '../../geo/shape/shape.ts'
import { canonicalJson } from '../../model/canonical-json.ts'
import type { Json, JsonObject } from '../../model/document.ts'
import { placesAt } from '../../query/schema/document-path.ts'
import type { TriggerKeys } from './default-trigger-schema.ts'
import { drawnShape } from './drawn-shape.ts'
import { readTrigger } from './trigger-parts.ts'

/** What must hold for an event, read from a trigger (spec 3.5). */
export interface TriggerConditions {
  /** Absent: any. */
  readonly collections?: readonly string[]
  readonly kinds?: readonly string[]
  readonly shape?: Shape
  /** Further keys. */
  readonly keys: readonly TriggerKey[]
  /** It can match nothing: its geometry cannot be read, or a key wants no value. */
  readonly impossible: boolean
}

export interface TriggerKey {
  readonly key: string
  /** Canonical JSON of each value of which one suffices. */
  readonly wanted: readonly string[]
}

export function triggerConditions(trigger: JsonObject, names: TriggerKeys): TriggerConditions {
  const { collections, event: kinds, geometry, others } = readTrigger(trigger, names)
  const shape = readDrawn(geometry)
  const keys = [...others].map(([key, value]) => ({ key, wanted: wantedTexts(value) }))
  return {
    ...(collections === undefined ? {} : { collections }),
    ...(kinds === undefined ? {} : { kinds }),
    ...(shape === undefined ? {} : { shape }),
    keys,
    impossible: (geometry !== undefined && shape === undefined) || keys.some(({ wanted }) => wanted.length === 0),
  }
}

/** The shape of a geometry that was checked when it was sent; undefined when it is none. */
export function readDrawn(value: Json | undefined): Shape | undefined {
  const geometry = isObject(value) ? readGeoJson(value) : undefined
  return geometry === undefined ? undefined : drawnShape(geometry)
}

const wantedTexts = (value: Json): readonly string[] => (isArray(value) ? value : [value]).map(canonicalJson)

/** What a value at a key can equal: itself, or one of its elements; equality is by JSON type and value (spec 1.5). */
export function comparableTexts(value: Json): readonly string[] {
  if (!isArray(value)) return [canonicalJson(value)]
  return [...value.map(canonicalJson), canonicalJson(value)]
}

/** The value at a key: the literal key first, then the dotted path; undefined when there is none, or null. */
export function valueAt(object: JsonObject, key: string): Json | undefined {
  const literal = Object.hasOwn(object, key) ? object[key] : undefined
  if (literal !== undefined && literal !== null) return literal
  const found = placesAt(object, key)
  return found.length > 1 ? found.flat() : found[0]
}

const isArray = (value: Json): value is readonly Json[] => Array.isArray(value)

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !isArray(value)
