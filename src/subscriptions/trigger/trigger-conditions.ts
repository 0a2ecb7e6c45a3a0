import { readGeoJson } from '../../geo/geojson.ts'
import type { Shape } from '../../geo/shape/shape.ts'
import { canonicalJson } from '../../model/json/canonical-json.ts'
import type { Json, JsonObject } from '../../model/json/document.ts'
import { placesAt } from '../../query/schema/document-path.ts'
import type { TriggerKeys } from './default-trigger-schema.ts'
import { drawnShape } from './drawn-shape.ts'
import { readTrigger } from './trigger-parts.ts'

/** Conditions of a trigger on events (spec 3.5). */
interface TriggerConditions {
  /** Absent: any collection. */
  readonly collections?: readonly string[]
  readonly kinds?: readonly string[]
  readonly shape?: Shape
  /** All other keys. */
  readonly keys: readonly TriggerKey[]
  /** True if it can never match: its geometry is invalid, or a key has no values. */
  readonly impossible: boolean
}

export interface TriggerKey {
  readonly key: string
  /** Canonical JSON of the accepted values. */
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

/** Returns the shape of a validated geometry, undefined if the value is not a geometry. */
export function readDrawn(value: Json | undefined): Shape | undefined {
  const geometry = isObject(value) ? readGeoJson(value) : undefined
  return geometry === undefined ? undefined : drawnShape(geometry)
}

const wantedTexts = (value: Json): readonly string[] => (isArray(value) ? value : [value]).map(canonicalJson)

/** Returns what a value can equal: itself or one of its elements. Equality is by JSON type and value (spec 1.5). */
export function comparableTexts(value: Json): readonly string[] {
  if (!isArray(value)) return [canonicalJson(value)]
  return [...value.map(canonicalJson), canonicalJson(value)]
}

/** Returns the value at a key: the literal key first, then the dotted path. Undefined if absent or null. */
export function valueAt(object: JsonObject, key: string): Json | undefined {
  const literal = Object.hasOwn(object, key) ? object[key] : undefined
  if (literal !== undefined && literal !== null) return literal
  const found = placesAt(object, key)
  return found.length > 1 ? found.flat() : found[0]
}

const isArray = (value: Json): value is readonly Json[] => Array.isArray(value)

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !isArray(value)
