import type { Json, JsonObject } from '../json/document.ts'
import type { TagAction, TagValue } from '../tag-request.ts'

/** Effect of a request on a document (spec tagging 1.5). */
export type TagEffect =
  /** The document already is in the requested state. */
  | { readonly kind: 'unchanged' }
  /** The structure of the document does not fit the path; it is not changed. */
  | { readonly kind: 'mismatch'; readonly reason: string }
  /** The field gets `value`; `keys` is the key of each object on the way, the last one that of the field. */
  | { readonly kind: 'changed'; readonly value: Json; readonly keys: readonly string[] }

export const unchanged = { kind: 'unchanged' } as const

/** Returns the effect on a parsed document; integers beyond 2^53 may be bigints or raw JSON, and are kept. */
export function applyTag(document: JsonObject, path: string, action: TagAction, value?: TagValue | null): TagEffect {
  const keys: string[] = []
  let object: JsonObject = document
  for (let rest = path; ; ) {
    const key = keyIn(rest, (name) => Object.hasOwn(object, name))
    keys.push(key)
    const found: Json | undefined = Object.hasOwn(object, key) ? object[key] : undefined
    if (key === rest) return effectOn(found, action, value, keys)
    rest = rest.slice(key.length + 1)
    if (found === undefined || found === null) {
      if (action !== 'ADD') return unchanged
      return { kind: 'changed', value: [value ?? null], keys: [...keys, ...rest.split('.')] }
    }
    if (!isObject(found)) return mismatch(keys, kindOf(found))
    object = found
  }
}

/** Returns the next key for a path: the whole path if the object has such a key, else its first segment. */
export function keyIn(path: string, has: (key: string) => boolean): string {
  const dot = path.indexOf('.')
  return dot < 0 || has(path) ? path : path.slice(0, dot)
}

/** A document with only this field. */
export function partialDocument(keys: readonly string[], value: Json): JsonObject {
  return keys.reduceRight<Json>((inner, key) => ({ [key]: inner }), value) as JsonObject
}

function effectOn(
  found: Json | undefined,
  action: TagAction,
  value: TagValue | null | undefined,
  keys: readonly string[],
): TagEffect {
  if (found !== undefined && isObject(found)) return objectMismatch(keys)
  const changed = changedValue(found, action, value ?? null)
  return changed === undefined ? unchanged : { kind: 'changed', value: changed, keys }
}

/** Returns the new value of a field that is not an object; undefined if unchanged. */
function changedValue(found: Json | undefined, action: TagAction, value: Json): Json | undefined {
  if (found === undefined || found === null) return action === 'ADD' ? [value] : undefined
  if (action === 'REMOVEALL') return null
  if (!isArray(found)) {
    if (isEqual(found, value)) return action === 'ADD' ? [value] : []
    return action === 'ADD' ? [found, value] : undefined
  }
  const holds = found.some((item) => isEqual(item, value))
  if (action === 'ADD') return holds ? undefined : [...found, value]
  return holds ? found.filter((item) => !isEqual(item, value)) : undefined
}

/** Equal JSON type and value. */
const isEqual = (one: Json, other: Json): boolean => one === other

export const objectMismatch = (keys: readonly string[]): TagEffect & { kind: 'mismatch' } => ({
  kind: 'mismatch',
  reason: `${keys.join('.')} is an object, which cannot be tagged`,
})

export const mismatch = (keys: readonly string[], kind: string): TagEffect & { kind: 'mismatch' } => ({
  kind: 'mismatch',
  reason: `${keys.join('.')} is ${kind}, but must be an object`,
})

export function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'string' ? 'a string' : typeof value === 'boolean' ? 'a boolean' : 'a number'
}

const isArray = (value: Json): value is readonly Json[] => Array.isArray(value)

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !isArray(value) && !JSON.isRawJSON(value)
}
