import type { Json, JsonObject } from '../../model/json/document.ts'
import type { TriggerKeys } from './default-trigger-schema.ts'

/** The parts of a trigger, split by the configured key names. */
export interface TriggerParts {
  readonly geometry?: Json
  readonly centroid?: Json
  /** Absent: every collection. */
  readonly collections?: readonly string[]
  /** Absent: every kind of event. */
  readonly event?: readonly string[]
  /** All other keys. They are compared with the event and the document. */
  readonly others: ReadonlyMap<string, Json>
}

export function readTrigger(trigger: JsonObject, keys: TriggerKeys): TriggerParts {
  // Null counts as absent.
  const own = (key: string): Json | undefined => (Object.hasOwn(trigger, key) ? (trigger[key] ?? undefined) : undefined)
  const geometry = own(keys.geometry)
  const centroid = own(keys.centroid)
  const collections = listed(own(keys.collections))
  const event = listed(own(keys.event))
  const named = new Set(Object.values(keys))
  return {
    ...(geometry === undefined ? {} : { geometry }),
    ...(centroid === undefined ? {} : { centroid }),
    ...(collections === undefined ? {} : { collections }),
    ...(event === undefined ? {} : { event }),
    others: new Map(Object.entries(trigger).filter(([key]) => !named.has(key))),
  }
}

/** A custom schema may allow a single name instead of a list. */
function listed(value: Json | undefined): readonly string[] | undefined {
  if (value === undefined) return undefined
  return [value].flat().filter((item) => typeof item === 'string')
}
