import type { Filter } from '../model/filter.ts'

/**
 * What narrows the caller's view. Plans are rewritten with it in one place (`query/effective-query.ts`), so an
 * operation cannot forget it. The headers that fill it are read by the access layer; until one is configured the view
 * is unrestricted.
 */
export interface Access {
  /** OR of these Filters is added to every query; empty: no restriction. */
  readonly partitionFilters: readonly Filter[]
}

export const unrestricted: Access = { partitionFilters: [] }
