/** A leaf predicate compiled for the rows of one part. Ignores which rows are live. */
export interface RowTest {
  /** Rows outside are known not to match. Undefined: any row may match. May be listed when first read. */
  readonly candidates?: Candidates
  /** Upper bound of the matching rows, if it is known without listing the candidates. */
  readonly most?: number
  /** Number of matching rows, if it is known without looking at them. */
  readonly count?: number
  /** All rows that do not match, if they are few. May be listed when first read. */
  readonly exceptions?: Exceptions
  /** Decides a block of rows without looking at them, if that is possible. */
  readonly decide?: (block: number) => BlockDecision
  /** Sets `mask[i]` to 1 if row `from` + i matches, else to 0, for the rows before `to`; rows of one block. */
  readonly fill: (from: number, to: number, mask: Uint8Array) => void
  /** Like `fill`, but only tests rows whose mask is 1, and clears the mask of those that do not match. */
  readonly refine?: (from: number, to: number, mask: Uint8Array) => void
  readonly holds: (row: number) => boolean
  /** Returns all matching rows, distinct, in any order. They are at hand, while candidates may have to be sorted. */
  readonly unordered?: () => Uint32Array
  /** Faster than `holds` for each of some rows. */
  readonly select?: SelectRows
  /** True if `fill` and `holds` are so expensive that cheaper tests should come first. */
  readonly isExpensive?: true
}

/**
 * Writes those of some rows that match to the beginning of `list`, in the same order. The list has room for one more row
 * than given, and may be the memory of the rows themselves. Returns how many.
 */
export type SelectRows = (rows: Uint32Array, list: Uint32Array) => number

/** Rows that do not match, when most rows do. */
export interface Exceptions {
  readonly count: number
  /** Ascending, distinct. */
  readonly rows: Uint32Array
}

/** How many rows of a block match. */
export type BlockDecision = 'all' | 'none' | 'some'

export type Candidates =
  /** Disjoint, ascending ranges of rows; ends are excluded. `exact`: all rows in them match. */
  | { readonly kind: 'ranges'; readonly ranges: readonly RowRange[]; readonly exact: boolean }
  /** Ascending, distinct rows. */
  | { readonly kind: 'rows'; readonly rows: Uint32Array; readonly exact: boolean }

export type RowRange = readonly [from: number, to: number]

/** Number of rows among the candidates. */
export const candidateCount = (candidates: Candidates): number =>
  candidates.kind === 'rows'
    ? candidates.rows.length
    : candidates.ranges.reduce((sum, [from, to]) => sum + to - from, 0)
