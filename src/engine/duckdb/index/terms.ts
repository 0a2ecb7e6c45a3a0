export type Terms = ReadonlyMap<string, Term>

/**
 * Terms of keywords with few distinct values, by path. Arranged rows store the rank next to the text, so that equality
 * and order compare small integers. Constant until the next arrangement.
 */
export type TermRanks = ReadonlyMap<string, Terms>

export const noTerms: TermRanks = new Map()

/** A value of a keyword with few distinct values. */
export interface Term {
  /** Position in the sort order, from 1. */
  readonly rank: number
  /** Number of documents with the value at the time of the arrangement. */
  readonly documents: number
}
