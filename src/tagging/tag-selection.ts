import type { OpenCollection } from '../collections/open-collection.ts'
import type { Limits } from '../config/settings.ts'
import type { TagTask } from '../engine/tag-task.ts'
import type { Filter } from '../model/filter.ts'
import type { LoggedRequest } from '../model/tag-record.ts'
import type { Access } from '../query/access/access.ts'
import { expressionBudget } from '../query/filter/expression-budget.ts'
import { resolveParsedFilter } from '../query/filter/filter-resolver.ts'
import { type FilterSyntaxContext, parseFilter } from '../query/filter/filter-syntax.ts'
import { and, everything, or, type Predicate } from '../query/plan/predicate.ts'
import { resolveSelection } from '../query/request/effective-query.ts'
import { ownerOf } from '../query/schema/collection-view.ts'
import { propagationField } from './propagation-field.ts'

export interface TagSelectionContext {
  /** What narrowed the view of whoever sent the request. */
  readonly access: Access
  readonly limits: Limits
  /** ms; `now` in filters: acceptance of the request. */
  readonly now: number
}

/** The parts of a request that say which documents it is about. */
export type SelectingParts = Pick<LoggedRequest, 'search' | 'filter' | 'partitionFilter' | 'propagation'>

export interface TagFilters {
  /** S of spec tagging 1.4: the documents the request selects. */
  readonly selection: Predicate
  /** T without its condition on the value: the documents that may get the tag. */
  readonly target: Predicate
}

/** Which documents a request is about, in the collection as it is now (spec tagging 1.4). Throws what is wrong with its filters. */
export function resolveTagSelection(
  collection: OpenCollection,
  request: LoggedRequest,
  context: TagSelectionContext,
): Pick<TagTask, 'target' | 'propagation'> {
  const { selection, target } = resolveTagFilters(collection, request, context)
  if (request.propagation === undefined) return { target }
  return { target, propagation: { field: propagationField(collection, request.propagation), selection } }
}

/** The filters of a request alone, whatever its propagation is about; the expressions of all of them are counted together. */
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
    // The collection's own filter and the header: nothing of them may show in a message.
    resolveSelection({}, { collection, access: context.access, limits, now, origin: 'body' }),
  ]
  const selection = and([...wanted, ...bounds])
  if (propagation === undefined) return { selection, target: selection }
  return { selection, target: and([...bounds, resolve(propagation.filter, 'propagation.filter')]) }
}
