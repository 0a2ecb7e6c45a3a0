import type { JsonObject } from '../../model/document.ts'
import type { Predicate } from '../plan/predicate.ts'
import type { IndexFields } from '../schema/index-fields.ts'
import { compileEvaluator } from './predicate-evaluator.ts'

/** Fields that documents hold under their own paths, whatever the index. */
const plainFields: IndexFields = {
  reading: (field) => ({ field, paths: [field.source ?? field.path], exact: true }),
}

/** What a predicate means for a document: the reading tests hold the resolver against. */
export const holds = (predicate: Predicate, source: JsonObject): boolean =>
  compileEvaluator(predicate, plainFields).holds(source)
