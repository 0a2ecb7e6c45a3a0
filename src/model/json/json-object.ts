import type { Json, JsonObject } from './document.ts'

/** True for objects; false for arrays and null. */
export function isJsonObject(value: Json | undefined): value is JsonObject {
  return isRecord(value)
}

/** As `isJsonObject`, for an unknown value. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Parses the text of a document. Checks only that it is an object, because every document takes this way. */
export function parseObject(text: string): JsonObject {
  return asObject(JSON.parse(text))
}

export function asObject(value: Json): JsonObject {
  if (isJsonObject(value)) return value
  throw new Error('A document is damaged: its text is not a JSON object')
}

/** Returns the value at a path through nested objects; a key may span several steps with dots. */
export function valueAt(document: JsonObject, path: string): Json | undefined {
  if (Object.hasOwn(document, path)) return document[path]
  for (let dot = path.indexOf('.'); dot > 0; dot = path.indexOf('.', dot + 1)) {
    const key = path.slice(0, dot)
    const inner = Object.hasOwn(document, key) ? document[key] : undefined
    if (isJsonObject(inner)) return valueAt(inner, path.slice(dot + 1))
  }
  return undefined
}

/**
 * Merges the changed members of a document into it, as an update does: objects key by key, any other value is replaced.
 * Integers beyond 2^53 may be bigints, as those of a cluster are.
 */
export function mergeDocument<T extends Readonly<Record<string, unknown>>>(before: T, part: T): T {
  const merged: Record<string, unknown> = { ...before }
  for (const [key, value] of Object.entries(part)) {
    const old = Object.hasOwn(merged, key) ? merged[key] : undefined
    setOwn(merged, key, isRecord(old) && isRecord(value) ? mergeDocument(old, value) : value)
  }
  // Every member comes from one of the two.
  return merged as T
}

/** Sets a key as data; assigning to `__proto__` would change the prototype. */
export function setOwn<T>(object: Record<string, T>, key: string, value: T): void {
  if (key !== '__proto__') object[key] = value
  else Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })
}
