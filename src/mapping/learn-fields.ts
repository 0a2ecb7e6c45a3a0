import { countFields, firstFields } from '../model/field-limit.ts'
import type { JsonObject } from '../model/json/document.ts'
import type { Mapping } from '../model/mapping.ts'
import { inferMapping } from './infer-mapping.ts'
import { learntFields } from './mapping-difference.ts'

/**
 * Returns the new fields of the documents that the index accepts; undefined if none. An index with `mostFields` fields
 * accepts no more: further values are stored, but not searchable.
 */
export function newFields(known: Mapping, documents: readonly JsonObject[], mostFields: number): Mapping | undefined {
  const count = countFields(known)
  if (count >= mostFields) return undefined
  const learnt = learntFields(known, inferMapping(documents, count + mostFields))
  return learnt && firstFields(learnt, mostFields - count)
}
