import type { IndexInfo } from '../engine/engine.ts'
import type { Mapping } from '../model/mapping.ts'
import { type Schema, schemaOf } from '../query/schema/schema.ts'

interface KnownSchema {
  readonly infos: readonly IndexInfo[]
  readonly schema: Schema
}

/** Keyed by the mapping of the first index. Engines return the same mapping object until the mapping changes. */
const known = new WeakMap<Mapping, KnownSchema>()

/** Returns the combined schema of the indices. Cached until a mapping changes, because every request needs it. */
export function knownSchema(infos: readonly IndexInfo[]): Schema {
  const first = infos[0]
  if (first === undefined) return schemaOf(infos)
  const found = known.get(first.mapping)
  if (found !== undefined && areSame(found.infos, infos)) return found.schema
  const schema = schemaOf(infos)
  known.set(first.mapping, { infos, schema })
  return schema
}

function areSame(before: readonly IndexInfo[], now: readonly IndexInfo[]): boolean {
  return (
    before.length === now.length &&
    now.every((info, i) => info.name === before[i]?.name && info.mapping === before[i]?.mapping)
  )
}
