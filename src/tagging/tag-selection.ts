import type { OpenCollection } from '../collections/open-collection.ts'
import type { Limits } from '../config/settings.ts'
import type { TagTask } from '../engine/tag-task.ts'
import type { Filter } from '../model/filter.ts'
import type { LoggedRequest } from '../model/tag-record.ts'
import type { Access } from '../query/access/access.ts'
import { resolveParsedFilter } from '../query/filter/filter-resolver.ts'
import { type FilterSyntaxContext, parseFilter } from '../query/filter/filter-syntax.ts'
import { expressionBudget } from '../query/plan/expression-budget.ts'
import { and, everything, or, type Predicate } from '../query/plan/predicate.ts'
import { resolveSelection } from '../query/request/effective-query.ts'
import { ownerOf } from '../query/schema/collection-view.ts'
import { propagationField } from './propagation-field.ts'

interface TagSelectionContext {
  /** The view of the sender. */
  readonly access: Access
  readonly limits: Limits
  /** Milliseconds. Value of `now` in filters: the time of acceptance. */
  readonly now: number
}

/** The parts of a request that select documents. */
type SelectingParts = Pick<LoggedRequest, 'search' | 'filter' | 'partitionFilter' | 'propagation'>

interface TagFilters {
  /** S of spec tagging 1.4: documents selected by the request. */
  readonly selection: Predicate
  /** T of spec tagging 1.4 without the condition on the value: documents that may get the tag. */
  readonly target: Predicate
}

/**
 * Resolves which documents a request affects in the current state of the collection (spec tagging 1.4). Throws if a
 * filter is invalid.
 */
export function resolveTagSelection(
  collection: OpenCollection,
  request: LoggedRequest,
  context: TagSelectionContext,
): Pick<TagTask, 'target' | 'propagation'> {
  const { selection, target } = resolveTagFilters(collection, request, context)
  if (request.propagation === undefined) return { target }
  return { target, propagation: { field: propagationField(collection, request.propagation), selection } }
}

/** Resolves the filters of a request without its propagation field. All filters share one expression budget. */
export function resolveTagFilters(
  collection: OpenCollection,
  { filter, search, partitionFilter, propagation }: SelectingParts,
  context: TagSelectionContext,
): TagFilters {
  const { limits, now } = context
  const { schema, hidden, reference } = collection
  const budget = expressionBudget(limits)
  const facts = { schema, hidden, now, timestampPath: reference.params.timestamp_path, owner: ownerOf(collection) }
  const resolve = (given: Filter | undefined, parameter: string): Predicate => {
    if (given === undefined) return everything
    const syntax: FilterSyntaxContext = { limits, budget, parameter, places: reference.params }
    return resolveParsedFilter(parseFilter(given, syntax), { ...syntax, ...facts })
  }
  const anyOf = (entries: readonly Filter[] | undefined, parameter: string): Predicate =>
    entries === undefined || entries.length === 0
      ? everything
      : or(entries.map((entry, i) => resolve(entry, `${parameter}[${i}]`)))

  const wanted = [resolve(filter, 'filter'), resolve(search?.filter, 'search.filter')]
  const bounds = [
    anyOf(partitionFilter, 'partitionFilter'),
    anyOf(search?.partitionFilter, 'search.partitionFilter'),
    // The collection's filter and the header. Their content must not appear in messages.
    resolveSelection({}, { collection, access: context.access, limits, now, origin: 'body' }),
  ]
  const selection = and([...wanted, ...bounds])
  if (propagation === undefined) return { selection, target: selection }
  return { selection, target: and([...bounds, resolve(propagation.filter, 'propagation.filter')]) }
}
