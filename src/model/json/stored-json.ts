import type { Static, TSchema } from 'typebox'
import { parseRewritable } from './exact-json.ts'
import { validatorOf } from './schema-validator.ts'

/**
 * Parses a stored record and checks its shape. Throws an error with `name` if the text is damaged; it does not quote
 * the text, which may be secret. `parse`: for records with integers beyond 2^53.
 */
export function parseStored<T extends TSchema>(
  schema: T,
  text: string,
  name: string,
  parse: (text: string) => unknown = JSON.parse,
): Static<T> {
  let value: unknown
  try {
    value = parse(text)
  } catch {
    throw new Error(`The stored ${name} is damaged: it is not JSON`)
  }
  if (hasShape(schema, value)) return value
  const { instancePath: path = '', message = 'is not valid' } = validatorOf(schema).errors?.at(-1) ?? {}
  throw new Error(`The stored ${name} is damaged: ${path === '' ? 'it' : path} ${message}`)
}

/** True if a value matches a schema. Unlike `checkBody` it changes nothing, so null members do not count as absent. */
export function hasShape<T extends TSchema>(schema: T, value: unknown): value is Static<T> {
  return validatorOf(schema)(value)
}

/** Parses text that this process printed from a `T` and kept in memory: nothing else can have written it. */
export const parseOwn = <T>(text: string): T => parseRewritable(text) as T
