import type { IndexInfo } from '../engine/engine.ts'
import type { Mapping } from '../model/mapping.ts'
import { type Schema, schemaOf } from '../query/schema/schema.ts'

interface KnownSchema {
  readonly infos: readonly IndexInfo[]
  readonly schema: Schema
}

/** By the mapping of the first index; engines hand out the same mapping object until the mapping changes. */
const known = new WeakMap<Mapping, KnownSchema>()

/** The schema of these indices, united once and kept until a mapping changes: every request asks for it. */
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
