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
