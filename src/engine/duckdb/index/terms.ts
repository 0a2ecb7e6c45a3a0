export type Terms = ReadonlyMap<string, Term>

/**
 * For keywords with few distinct values: what is known of each value, by path. Arranged rows hold its rank beside the
 * text, so that equality and order compare small integers. It does not change until the next arrangement.
 */
export type TermRanks = ReadonlyMap<string, Terms>

export const noTerms: TermRanks = new Map()

/** A value of a keyword that has few. */
export interface Term {
  /** Its place in their order, from 1. */
  readonly rank: number
  /** Arranged documents that had it when they were arranged. */
  readonly documents: number
}
