import type { SortKey } from '../../../../query/plan/plan.ts'
import type { Scalar } from '../../../../query/plan/predicate.ts'
import { compareCodePoints } from '../../../../query/value/code-point-order.ts'

/** A value that documents are sorted by: a term, or a number for all other types. Null if there is none. */
export type KeyValue = string | number | null

/** How a sort key is read. A page before a cursor is read backwards: missing values, which are last, come first. */
export interface Direction {
  /** -1 if larger values come first. */
  readonly sign: 1 | -1
  /** True if the largest of several values counts, else the smallest. */
  readonly takesLargest: boolean
  /** Rank of rows without a value: Infinity, or -Infinity if they come first. */
  readonly missing: number
}

/**
 * The values of a sort key in one part, as numbers that ascend in reading order. Values are finite, so infinite ranks
 * mean no value. Ranks of numbers are the same in all parts, those of terms are not.
 */
export interface Ranks {
  of(row: number): number
  /** Rank of any value, whether it occurs or not. */
  ofValue(value: KeyValue): number
  /**
   * Writes the ranks of the rows from `from` to `to` (excluded), at most BLOCK rows. Instead of ranks above `limit`, it
   * may write any others above it.
   */
  fill(from: number, to: number, ranks: Float64Array, limit: number): void
  /** Lower bound of the ranks in a block. */
  readonly lowest?: (block: number) => number
  /** Upper bound of the ranks in a block. */
  readonly highest?: (block: number) => number
  /** Rows that have a value by rank, ascending. Absent if rows may have several values. */
  readonly walk?: Walk
}

/** `rows` from `from` to `to` (excluded); read from the end if `isReversed`. */
export interface Walk {
  readonly rows: Uint32Array
  readonly from: number
  readonly to: number
  readonly isReversed: boolean
}

/** A sort key in one part. */
export interface PartKey {
  /** Undefined if ranks would be too expensive: the terms of an unsorted dictionary that is not small. */
  readonly ranks: Ranks | undefined
  value(row: number): KeyValue
  /** Compares two rows in reading order. */
  compare(a: number, b: number): number
}

export function directionOf(key: SortKey, backwards: boolean): Direction {
  return {
    sign: key.descending !== backwards ? -1 : 1,
    takesLargest: key.descending,
    missing: backwards ? -Infinity : Infinity,
  }
}

/** Compares values in reading order. */
export function compareKeyValues(a: KeyValue, b: KeyValue, { sign, missing }: Direction): number {
  if (a === null || b === null) return a === b ? 0 : (a === null) === missing > 0 ? 1 : -1
  if (typeof a === 'string' && typeof b === 'string') return sign * compareCodePoints(a, b)
  return a < b ? -sign : a > b ? sign : 0
}

/** Larger than any integer of a column that kernels may use, see NumberColumn. */
const BEYOND = 2 ** 54

/** Returns a value of a plan as it compares with those of columns. */
export function toKeyValue(value: Scalar | null, { field }: Pick<SortKey, 'field'>): KeyValue {
  switch (typeof value) {
    case 'bigint':
      return Math.max(-BEYOND, Math.min(BEYOND, Number(value)))
    case 'boolean':
      return value ? 1 : 0
    case 'number':
      return field.type === 'FLOAT' ? Math.fround(value) : value
    default:
      return value
  }
}
