/**
 * The pattern of `like` on a KEYWORD field (spec 3.6), parsed and validated. Syntax-independent: engines print it in
 * their own dialect.
 */
export interface KeywordPattern {
  readonly anchoredStart: boolean
  readonly anchoredEnd: boolean
  readonly node: PatternNode
}

export type PatternNode =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'any' }
  | { readonly kind: 'class'; readonly negated: boolean; readonly ranges: readonly CodePointRange[] }
  | { readonly kind: 'sequence'; readonly members: readonly PatternNode[] }
  | { readonly kind: 'choice'; readonly members: readonly PatternNode[] }
  | { readonly kind: 'repeat'; readonly member: PatternNode; readonly min: number; readonly max?: number }

/** Inclusive range of code points. */
export interface CodePointRange {
  readonly from: number
  readonly to: number
}
