import type { JsonObject } from '../../model/json/document.ts'
import type { Predicate } from '../plan/predicate.ts'
import type { IndexFields } from '../schema/index-fields.ts'
import { compileEvaluator } from './predicate-evaluator.ts'

/** Fields whose values are stored under their own paths, whatever the index. */
const plainFields: IndexFields = {
  reading: (field) => ({ field, paths: [field.source ?? field.path], exact: true }),
}

/** Evaluates a predicate on a document; the reference for the tests of the resolver. */
export const holds = (predicate: Predicate, source: JsonObject): boolean =>
  compileEvaluator(predicate, plainFields).holds(source)
