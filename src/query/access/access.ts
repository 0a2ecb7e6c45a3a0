import type { ColumnFilter } from './column-filter.ts'
import type { PartitionFilter } from './partition-filter.ts'

/**
 * What narrows the caller's view: which collections, which of their documents, which of their columns. Collections are
 * opened with it (collections/open-collection.ts) and plans are made with it (query/request/effective-query.ts), so an
 * operation cannot forget it.
 */
export interface Access {
  /** Absent: every document. */
  readonly partition?: PartitionFilter
  /** Absent: every column. */
  readonly columns?: ColumnFilter
  /** Organisations of the caller; absent: they are not looked at. */
  readonly organisations?: readonly string[]
  /** Only collections that are public. */
  readonly publicOnly?: boolean
  /** Whether the rules of the caller let it search a collection; absent: there are no rules. */
  readonly explores?: (collection: string) => boolean
}

export const unrestricted: Access = {}
