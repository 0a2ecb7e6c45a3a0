import type { SearchResult } from '../engine/engine.ts'
import type { Search } from '../model/search.ts'
import { and, type Predicate } from '../query/predicate.ts'
import { type ResolvedSearch, resolveSearch } from '../query/search-request.ts'
import type { Operation } from './operation.ts'

export interface FoundDocuments extends ResolvedSearch {
  readonly result: SearchResult
}

export interface FindOptions {
  readonly wantsTotal: boolean
  /** What must hold beside the effective query; made after the form of the request was checked. */
  readonly also?: () => Predicate
}

/** Reads a search request whole and asks the engine for its page. */
export async function findDocuments(
  request: Search,
  operation: Operation,
  { wantsTotal, also }: FindOptions,
): Promise<FoundDocuments> {
  const { engine, collection, signal } = operation
  const resolved = resolveSearch(request, {
    ...operation,
    window: operation.limits.window ?? engine.capabilities.resultWindow,
  })
  const { sort, size, from, cursor } = resolved.page
  const plan = {
    indices: collection.schema.indices,
    predicate: also === undefined ? resolved.predicate : and([resolved.predicate, also()]),
    sort,
    size,
    from,
    wantsTotal,
    ...(cursor === undefined ? {} : { cursor }),
  }
  return { ...resolved, result: await engine.search(plan, signal) }
}
