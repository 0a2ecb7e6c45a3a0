import type { Json, JsonObject } from './document.ts'

/** True of `{...}`, not of arrays and null. */
export function isJsonObject(value: Json | undefined): value is JsonObject {
  return isRecord(value)
}

/** The same of a value that nothing is known about. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
