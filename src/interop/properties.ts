import type { OpenCollection } from '../collections/open-collection.ts'
import { problem } from '../errors.ts'
import { geometryReader } from '../formats/document-reader.ts'
import type { Json, JsonObject } from '../model/json/document.ts'
import { setOwn } from '../model/json/json-object.ts'
import { readableFormats, readStoredDate } from '../query/date/field-date.ts'
import { valuesAt } from '../query/schema/document-path.ts'
import { type Field, isGeo } from '../query/schema/field.ts'

/** The fields of a collection the caller may see, by dotted path; objects are left out. */
export function visibleFields({ schema, hidden }: OpenCollection): readonly Field[] {
  return schema.fields.filter(
    ({ path, type }) => type !== 'OBJECT' && type !== 'NESTED' && type !== 'UNKNOWN' && !hidden.selects(path),
  )
}

/** The fields that a filter can use. Of texts only words are indexed, so they cannot be compared. */
export const queryableFields = (collection: OpenCollection): readonly Field[] =>
  visibleFields(collection).filter(({ type, indexed, nested }) => indexed && !nested && type !== 'TEXT')

/** Chooses fields by their names. Throws INVALID_PARAMETER for an unknown one. */
export function chosenFields(names: readonly string[], fields: readonly Field[], parameter: string): readonly Field[] {
  return names.map((name) => {
    const field = fields.find(({ path }) => path === name)
    if (field !== undefined) return field
    throw problem('INVALID_PARAMETER', { parameter, value: name, reason: 'must name properties of the collection' })
  })
}

type Reader = (source: JsonObject) => Json | undefined

/** Returns a function from a document to its properties, flat by dotted path; several values become an array. */
export function propertiesOf(fields: readonly Field[]): (source: JsonObject) => JsonObject {
  const readers = fields.map((field) => [field.path, readerOf(field)] as const)
  return (source) => {
    const properties: Record<string, Json> = {}
    for (const [path, read] of readers) {
      const value = read(source)
      if (value !== undefined) setOwn(properties, path, value)
    }
    return properties
  }
}

function readerOf(field: Field): Reader {
  if (isGeo(field.type)) return geometryReader(field.path, field.type)
  const convert = field.type === 'DATE' ? dateConverter(field) : (value: Json) => value
  return (source) => {
    const values = valuesAt(source, field.path).map(convert)
    return values.length > 1 ? values : values[0]
  }
}

function dateConverter({ format }: Field): (value: Json) => Json {
  const formats = readableFormats(format)
  return (value) => {
    const ms = readStoredDate(formats, value)
    return ms === undefined ? value : (printTime(ms) ?? value)
  }
}

const MOST_MS = 8.64e15

/** RFC 3339 in UTC, without a fraction of zero; undefined outside the years it can print. */
export function printTime(ms: number): string | undefined {
  if (!(Math.abs(ms) <= MOST_MS)) return undefined
  const text = new Date(ms).toISOString()
  return /^\d{4}-/.test(text) ? text.replace('.000Z', 'Z') : undefined
}
