import { type ErrorCode, Problem, problem } from '../../errors.ts'
import type { Filter } from '../../model/filter.ts'
import { unusableGrant } from '../access/partition-filter.ts'
import { comparedPaths, filterPaths } from '../filter/filter-paths.ts'
import { resolveParsedFilter } from '../filter/filter-resolver.ts'
import { type FilterSyntaxContext, type ParsedFilter, parseFilter } from '../filter/filter-syntax.ts'
import { nameIn } from '../page/request-origin.ts'
import { expressionBudget } from '../plan/expression-budget.ts'
import { and, everything, or, type Predicate } from '../plan/predicate.ts'
import { type CollectionView, ownerOf } from '../schema/collection-view.ts'
import { allColumns, checkColumns } from '../schema/visible-columns.ts'
import { keepPredicate, knownPredicate, selectionText } from './known-selections.ts'
import type { RequestFilters, SelectionContext } from './selection-context.ts'

/** Alias of timestamp_path wherever a field is named (spec 3.3.5). */
const TIMESTAMP = '$timestamp'

/** The parsed filters of a request; `resolve` looks up the fields and adds the filters the caller did not send. */
export interface ParsedSelection {
  /**
   * `named`: the paths the request names outside its filters. All paths are checked against the visible columns before
   * any field is looked up.
   */
  resolve(named?: readonly string[]): Predicate
}

/**
 * The effective query (spec 3.2): the filter of the collection AND that of the request AND (OR of the partition filters
 * of the body) AND (OR of those of the caller). Every operation that reads documents must get its predicate here.
 */
export function resolveSelection(request: RequestFilters, context: SelectionContext): Predicate {
  return parseSelection(request, context).resolve()
}

/**
 * First half of `resolveSelection`, for operations that check other parameters before fields are looked up. A filter
 * that was resolved recently is not parsed again.
 */
export function parseSelection(request: RequestFilters, context: SelectionContext): ParsedSelection {
  const text = selectionText(request, context)
  const known = text === undefined ? undefined : knownPredicate(text, context)
  const { collection, notices } = context
  if (known !== undefined) {
    return {
      resolve(others = []) {
        if (others.length > 0) notices?.unknownFields(others.map(pathIn(collection)), collection)
        return known
      },
    }
  }
  const parsed = parseFilters(request, context)
  return {
    resolve(others) {
      const predicate = parsed.resolve(others)
      // A filter with notices is resolved each time, so that each request gets them.
      if (text !== undefined && notices?.texts.length === 0) keepPredicate(text, context, predicate)
      return predicate
    },
  }
}

const pathIn =
  ({ reference }: CollectionView) =>
  (name: string): string =>
    name === TIMESTAMP ? reference.params.timestamp_path : name

function parseFilters(request: RequestFilters, context: SelectionContext): ParsedSelection {
  const { collection, access, limits, now, origin, notices } = context
  const budget = expressionBudget(limits)
  const { params } = collection.reference
  const under = (parameter: string): FilterSyntaxContext => ({ limits, budget, parameter, places: params })
  const ofRequest = under(nameIn(origin, 'f'))
  const filter = parseFilter(request.filter ?? {}, ofRequest)
  budget.spend(request.partitionFilter?.length ?? 0, 'partitionFilter')
  const partitions = (request.partitionFilter ?? []).map((entry, i) => {
    const syntax = under(`partitionFilter[${i}]`)
    return { syntax, parsed: parseFilter(entry, syntax) }
  })
  const { schema, wholeSchema = schema, hidden, excluded = hidden, columns = allColumns } = collection
  const facts = { timestampPath: params.timestamp_path, now, owner: ownerOf(collection) }
  const resolve = (parsed: ParsedFilter, syntax: FilterSyntaxContext): Predicate =>
    resolveParsedFilter(parsed, { ...syntax, ...facts, schema, hidden })
  // Uses a separate budget, so that the caller cannot infer the size of this filter from the rest of its own budget.
  const unseen = (name: string, entry: Filter, isGranted = false): Predicate =>
    unspoken(name, isGranted, () => {
      const syntax = { limits, budget: expressionBudget(limits), parameter: name, places: params }
      return resolveParsedFilter(parseFilter(entry, syntax), {
        ...syntax,
        ...facts,
        schema: wholeSchema,
        hidden: excluded,
      })
    })
  const pathOf = pathIn(collection)
  const namedBy = (paths: typeof filterPaths): readonly string[] =>
    [filter, ...partitions.map((p) => p.parsed)].flatMap((parsed) => paths(parsed, pathOf))
  const { filtersOf, granted = false } = access.partition ?? { filtersOf: () => [] }
  const partitionFilters = filtersOf(collection.reference.collection_name)

  return {
    resolve(others = []) {
      if (columns.restricted) checkColumns(columns, [...namedBy(filterPaths), ...others.map(pathOf)])
      notices?.unknownFields([...namedBy(comparedPaths), ...others.map(pathOf)], collection)
      return and([
        resolve(filter, ofRequest),
        anyOf(partitions.map((p) => resolve(p.parsed, p.syntax))),
        params.filter === undefined ? everything : unseen(`the filter of ${ownerOf(collection)}`, params.filter),
        anyOf(partitionFilters.map((entry) => unseen('partition-filter', entry, granted))),
      ])
    },
  }
}

/** An empty list restricts nothing. */
const anyOf = (entries: readonly Predicate[]): Predicate => (entries.length === 0 ? everything : or(entries))

/**
 * Hides the content of a filter the caller did not send from its errors (spec 1.5). An invalid filter from the caller's
 * permissions denies access (spec 9.6).
 */
function unspoken(name: string, isGranted: boolean, resolve: () => Predicate): Predicate {
  try {
    return resolve()
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    if (isGranted) throw unusableGrant()
    const kept: readonly ErrorCode[] = ['INVALID_GEOMETRY', 'LIMIT_EXCEEDED']
    const code = kept.find((c) => c === error.code) ?? 'INVALID_FILTER'
    throw problem(code, { parameter: name, reason: 'does not match the fields of the index' })
  }
}
