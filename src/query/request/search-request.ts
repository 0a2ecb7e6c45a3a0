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
import { parseSelection } from './effective-query.ts'
import type { SelectionContext } from './selection-context.ts'

/** A resolved search: the selection, its order and page, and what to return of each document. */
export interface ResolvedSearch {
  readonly predicate: Predicate
  readonly page: ResolvedPage
  readonly projection: ProjectionPlan
}

interface SearchContext extends SelectionContext {
  /** Maximum from + size of the engine; absent: unlimited. */
  readonly window?: number | undefined
}

/**
 * Resolves the request of `_search`, `_geosearch` and similar operations. Checks run in the order of spec 1.5: the
 * syntax of every parameter first, then fields and types.
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

/** Patterns are not checked as named fields: their result is reduced to the visible columns. */
function namedByProjection({ include, returnedGeometries = [] }: ParsedProjection): readonly string[] {
  const exact = (include?.patterns ?? []).filter((pattern) => !pattern.includes('*'))
  return [...exact, ...returnedGeometries]
}
