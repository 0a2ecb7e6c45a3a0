import type { OpenCollection } from '../collections/open-collection.ts'
import { problem } from '../errors.ts'
import type { SuggestResponse } from '../model/answer/aggregation-response.ts'
import { type ParsedSelection, parseSelection } from '../query/request/effective-query.ts'
import type { RequestFilters } from '../query/request/selection-context.ts'
import type { Field } from '../query/schema/field.ts'
import { lowerCaseToken } from '../query/text/text-analysis.ts'
import { compareCodePoints } from '../query/value/code-point-order.ts'
import type { Operation } from './operation.ts'

export interface SuggestRequest extends Pick<RequestFilters, 'filter'> {
  /** Field to search; absent or `_all`: all fields with terms. */
  readonly field?: string | undefined
  /** Plain-text prefix of a term or of one of its words; absent: every term. */
  readonly q?: string | undefined
  readonly size: number
  readonly from: number
}

type Suggestions = SuggestResponse['suggestions']

/** Returns terms that complete a text, merged from several collections (spec 5.10). One operation per collection. */
export async function suggestTerms(
  request: SuggestRequest,
  operations: readonly Operation[],
): Promise<SuggestResponse> {
  // Validate the request for all collections before fields are looked up in any.
  const parsed = operations.map((operation) => ({ operation, selection: parseSelection(request, operation) }))
  const asked = parsed.map((one) => askedTerms(request, one.operation, one.selection))
  const found = await Promise.all(asked.map((ask) => ask()))
  const suggestions = found.flat().sort(compareSuggestions)
  return { suggestions: suggestions.slice(request.from, request.from + request.size) }
}

function askedTerms(
  { field, q, size, from }: SuggestRequest,
  { collection, engine, signal }: Operation,
  selection: ParsedSelection,
): () => Promise<Suggestions> {
  const isNamed = field !== undefined && field !== '_all'
  const predicate = selection.resolve(isNamed ? [field] : [])
  const fields = isNamed ? namedField(field, collection) : termFields(collection)
  const name = collection.reference.collection_name
  return async () => {
    if (fields.length === 0) return []
    const prefix = lowerCaseToken(q ?? '')
    const plan = { indices: collection.schema.indices, predicate, fields, prefix, size: from + size }
    const terms = await engine.suggest(plan, signal)
    return terms.map(({ field: { path }, text, count }) => ({ field: path, text, count, collection: name }))
  }
}

const hasTerms = ({ type }: Field): boolean => type === 'KEYWORD' || type === 'TEXT'

function termFields({ schema, hidden }: OpenCollection): readonly Field[] {
  return schema.fields
    .filter((field) => hasTerms(field) && field.indexed && !field.nested && !hidden.selects(field.path))
    .sort((a, b) => compareCodePoints(a.path, b.path))
}

/** Unknown and hidden fields have no terms; throws on a field of another type. */
function namedField(path: string, { schema, hidden }: OpenCollection): readonly Field[] {
  const field = schema.lookup(path)
  if (field === undefined || hidden.selects(path)) return []
  if (hasTerms(field) && field.indexed && !field.nested) return [field]
  const kind = field.nested
    ? 'one below a NESTED field'
    : field.indexed
      ? `one of type ${field.type}`
      : 'one that is not indexed'
  const reason = `must be an indexed KEYWORD or TEXT field, not ${kind}`
  throw problem('INVALID_PARAMETER', { parameter: 'field', value: path, reason })
}

/** The sort is stable, so equal entries keep the order of the collections. */
function compareSuggestions(a: Suggestions[number], b: Suggestions[number]): number {
  return b.count - a.count || compareCodePoints(a.text, b.text) || compareCodePoints(a.field, b.field)
}
