/** The term with code c is the UTF-8 bytes from `starts[c - 1]` to `starts[c]` (excluded). */
export interface DictionaryData {
  readonly bytes: Uint8Array
  readonly starts: Uint32Array
}

/** Distinct terms of a column. Codes run from 1 to `size`. */
export interface Dictionary {
  readonly size: number
  /** True if codes ascend in code point order. Dictionaries of segments are sorted, those of tails are not. */
  readonly sorted: boolean
  /** Equal for dictionaries of which one begins with the terms of the other. */
  readonly origin: object
  /** The terms as bytes, if they are kept so. */
  readonly data?: DictionaryData
  term(code: number): string
  /** Returns the code of a term, or 0 if it is absent. */
  codeOf(term: string): number
  /** Returns the first code whose term is not less than `term` in code point order; size + 1 if none. Sorted only. */
  firstFrom(term: string): number
}
