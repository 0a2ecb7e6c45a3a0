import type { SearchResult } from '../engine/engine.ts'
import type { Search } from '../model/search.ts'
import { distinctOrder } from '../query/page/distinct-order.ts'
import type { SearchPlan } from '../query/plan/plan.ts'
import { and, type Predicate } from '../query/plan/predicate.ts'
import { type ResolvedSearch, resolveSearch } from '../query/request/search-request.ts'
import type { Operation } from './operation.ts'

export interface PlannedSearch extends ResolvedSearch {
  readonly plan: SearchPlan
}

interface FoundDocuments extends PlannedSearch {
  readonly result: SearchResult
}

interface FindOptions {
  readonly wantsTotal: boolean
  /** Predicate in addition to the effective query. Called after the form of the request was validated. */
  readonly also?: () => Predicate
}

/** Plans a search request and fetches its page from the engine. */
export async function findDocuments(
  request: Search,
  operation: Operation,
  options: FindOptions,
): Promise<FoundDocuments> {
  const planned = planSearch(request, operation, options)
  return { ...planned, result: await operation.engine.search(planned.plan, operation.signal) }
}

/** Plans a search request. All errors of the request are thrown here. */
export function planSearch(request: Search, operation: Operation, { wantsTotal, also }: FindOptions): PlannedSearch {
  const { engine, collection } = operation
  const resolved = resolveSearch(request, {
    ...operation,
    window: operation.limits.window ?? engine.capabilities.resultWindow,
  })
  const { size, from } = resolved.page
  const plan = {
    indices: collection.schema.indices,
    predicate: also === undefined ? resolved.predicate : and([resolved.predicate, also()]),
    ...distinctOrder(resolved.page),
    size,
    from,
    wantsTotal,
  }
  return { ...resolved, plan }
}
