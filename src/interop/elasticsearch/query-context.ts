import type { Limits } from '../../config/settings.ts'
import { problem } from '../../errors.ts'
import type { ExpressionBudget } from '../../query/plan/expression-budget.ts'
import { documentIds, type Field } from '../../query/schema/field.ts'
import type { Schema } from '../../query/schema/schema.ts'
import { fault, readText } from './members.ts'

/** What is needed to translate the query of a request. */
export interface QueryContext {
  readonly schema: Schema
  readonly limits: Limits
  readonly budget: ExpressionBudget
  /** Milliseconds; read once per request. */
  readonly now: number
}

/**
 * Looks up a field. Undefined if no index has it, as for Elasticsearch, where nothing matches then. Throws for one that
 * cannot be used.
 */
export function findField(path: string, place: string, { schema }: QueryContext): Field | undefined {
  if (path === '_id') return documentIds
  if (path.startsWith('_')) checkMetadata(path, place, schema)
  const field = schema.lookup(path)
  if (field?.nested) throw fault(place, 'must not use a field below a nested object')
  if (field !== undefined && !field.indexed) throw fault(place, 'must not use a field that is not indexed')
  return field
}

/** Reads words to search. Bounded before they are parsed. */
export function readWords(value: unknown, place: string, { limits }: QueryContext): string {
  const text = readText(value, place)
  if (text.length <= limits.queryLength) return text
  throw problem('LIMIT_EXCEEDED', {
    parameter: place,
    reason: `must not be longer than ${limits.queryLength} characters`,
  })
}

function checkMetadata(path: string, place: string, schema: Schema): void {
  if (schema.lookup(path) === undefined) throw fault(place, `must not use ${path}: of the metadata, only _id is known`)
}

/** Searched if a query names no fields: texts, keywords and numbers are compared, others ignored. */
export const isSearchable = ({ indexed, nested, type }: Field): boolean =>
  indexed && !nested && type !== 'OBJECT' && type !== 'NESTED' && type !== 'UNKNOWN' && !type.startsWith('GEO')
