import type { JsonObject } from '../model/document.ts'
import { countFields, firstFields } from '../model/field-limit.ts'
import type { Mapping } from '../model/mapping.ts'
import { inferMapping } from './infer-mapping.ts'
import { learntFields } from './mapping-difference.ts'

/**
 * The fields that documents bring and an index takes; undefined when there is none. An index that has `mostFields`
 * takes no more: what documents hold beside them is stored, and is no field.
 */
export function newFields(known: Mapping, documents: readonly JsonObject[], mostFields: number): Mapping | undefined {
  const count = countFields(known)
  if (count >= mostFields) return undefined
  const learnt = learntFields(known, inferMapping(documents, count + mostFields))
  return learnt && firstFields(learnt, mostFields - count)
}
