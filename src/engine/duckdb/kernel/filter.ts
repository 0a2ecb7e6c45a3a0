import type { Predicate } from '../../../query/plan/predicate.ts'
import type { Part } from '../segment/part.ts'
import type { RowBatch } from './row-batch.ts'

/** A predicate compiled for one part. */
export interface Filter {
  /** Yields the live matching rows, ascending, batch by batch. Empty batches are left out unless they mark progress. */
  batches(): Iterable<RowBatch>
  /** True if a row is live and matches. */
  holds(row: number): boolean
  /** Upper bound of the rows that `batches` looks at. */
  readonly most: number
  /** True if all live rows match. */
  readonly isAll: boolean
}

export function compileFilter(_predicate: Predicate, _part: Part): Filter {
  throw new Error('to be written')
}
