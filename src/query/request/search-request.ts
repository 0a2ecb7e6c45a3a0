import type { Search } from '../../model/search.ts'
import { parsePage, type ResolvedPage, resolveParsedPage } from '../page/page.ts'
import {
  type ParsedProjection,
  type ProjectionPlan,
  parseProjection,
  resolveParsedProjection,
} from '../page/projection.ts'
import type { SortItem } from '../page/sort.ts'
import type { Predicate } from '../plan/predicate.ts'
import { parseSelection, type SelectionContext } from './effective-query.ts'

/** A search read whole: what it selects, in which order and place, and what is kept of each document. */
export interface ResolvedSearch {
  readonly predicate: Predicate
  readonly page: ResolvedPage
  readonly projection: ProjectionPlan
}

export interface SearchContext extends SelectionContext {
  /** Largest from + size of the engine; absent when it has no bound. */
  readonly window?: number | undefined
}

/**
 * Reads the request of `_search`, `_geosearch` and their relatives with the checks in their order (spec 1.5): the form
 * of every parameter first, then fields and types.
 */
export function resolveSearch(search: Search, context: SearchContext): ResolvedSearch {
  const selection = parseSelection(search, context)
  const page = parsePage(search.page, context)
  const projection = parseProjection(search.projection, search.returned_geometries, context)
  const named = [...sortedPaths(page.items), ...namedByProjection(projection)]
  return {
    predicate: selection.resolve(named),
    page: resolveParsedPage(page, context),
    projection: resolveParsedProjection(projection, context),
  }
}

const sortedPaths = (items: readonly SortItem[]): readonly string[] =>
  items.flatMap((item) => (item.kind === 'field' ? item.path : []))

/** Patterns name no field: what they let through is reduced to what may be seen. */
function namedByProjection({ include, returnedGeometries = [] }: ParsedProjection): readonly string[] {
  const exact = (include?.patterns ?? []).filter((pattern) => !pattern.includes('*'))
  return [...exact, ...returnedGeometries]
}
