import { type Mapping, type MappingField, readOtherwise } from '../../model/mapping.ts'
import type { Field } from './field.ts'
import { schemaOf } from './schema.ts'

/** Where the documents of an index hold the values of a field, and how to read them. */
export interface FieldReading {
  /** As described by this index. */
  readonly field: Field
  /** Its own path, and those of the fields copied to it (`copy_to`). */
  readonly paths: readonly string[]
  /** False if only the engine knows the values. */
  readonly exact: boolean
}

/** The fields of a collection as seen by one index. */
export interface IndexFields {
  /** Undefined if the index lacks the field or has another type for it: its documents then have no value. */
  reading(field: Field): FieldReading | undefined
}

const known = new WeakMap<Mapping, IndexFields>()

export function indexFields(mapping: Mapping): IndexFields {
  const found = known.get(mapping)
  if (found !== undefined) return found
  const made = readFields(mapping)
  known.set(mapping, made)
  return made
}

function readFields(mapping: Mapping): IndexFields {
  const schema = schemaOf([{ name: '', mapping }])
  const special = new Set<string>()
  const copied = new Map<string, string[]>()
  for (const { path, field } of leaves(mapping.properties, '')) {
    if (field[readOtherwise] === true) special.add(path)
    for (const target of field.copy_to ?? []) copied.set(target, [...(copied.get(target) ?? []), path])
    for (const [name, sub] of Object.entries(field.fields ?? {})) {
      if (sub[readOtherwise] === true) special.add(`${path}.${name}`)
    }
  }
  // Engines differ in whether copied values are copied again.
  const isPlain = (path: string): boolean => !special.has(path) && !copied.has(path)
  return {
    reading({ path, type }) {
      const field = schema.lookup(path)
      if (field === undefined || field.type !== type || !field.indexed || field.nested) return undefined
      const sources = copied.get(path) ?? []
      const place = field.source ?? path
      const exact = !special.has(path) && !(place !== path && copied.has(place)) && sources.every(isPlain)
      return { field, paths: [place, ...sources], exact }
    },
  }
}

interface Leaf {
  readonly path: string
  readonly field: MappingField
}

function* leaves(properties: Mapping['properties'], prefix: string): Generator<Leaf> {
  for (const [name, field] of Object.entries(properties)) {
    const path = `${prefix}${name}`
    if (field.properties === undefined) yield { path, field }
    else yield* leaves(field.properties, `${path}.`)
  }
}
