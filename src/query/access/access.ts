import type { ColumnFilter } from './column-filter.ts'
import type { PartitionFilter } from './partition-filter.ts'

/**
 * Narrowing of the caller: the collections, documents and columns it may see. Needed to open a collection
 * (open-collection.ts) and to build a plan (effective-query.ts), so an operation cannot omit it.
 */
export interface Access {
  /** Absent: every document. */
  readonly partition?: PartitionFilter
  /** Absent: every column. */
  readonly columns?: ColumnFilter
  /** Organisations of the caller; absent: not checked. */
  readonly organisations?: readonly string[]
  /** True: public collections only. */
  readonly publicOnly?: boolean
  /** True if the rules of the caller allow it to search the collection; absent: no rules. */
  readonly explores?: (collection: string) => boolean
}

export const unrestricted: Access = {}
