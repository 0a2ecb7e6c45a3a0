import type { Dictionary } from '../segment/dictionary.ts'

/** A dictionary with further terms, whose codes follow those of the base. Unsorted. */
export class ExtendedDictionary implements Dictionary {
  readonly sorted = false
  readonly #base: Dictionary
  readonly #terms: string[]
  readonly #codes: Map<string, number>

  constructor(base: Dictionary) {
    // An extension of an extension would make each lookup longer.
    const extended = base instanceof ExtendedDictionary ? base : undefined
    this.#base = extended ? extended.#base : base
    this.#terms = extended ? [...extended.#terms] : []
    this.#codes = extended ? new Map(extended.#codes) : new Map()
  }

  get origin(): object {
    return this
  }

  get size(): number {
    return this.#base.size + this.#terms.length
  }

  term(code: number): string {
    return code <= this.#base.size ? this.#base.term(code) : (this.#terms[code - this.#base.size - 1] ?? '')
  }

  codeOf(term: string): number {
    return this.#base.codeOf(term) || (this.#codes.get(term) ?? 0)
  }

  firstFrom(_term: string): number {
    throw new Error('the dictionary is not sorted')
  }

  /** Returns the code of a term, adding it if necessary. Only before the dictionary is published. */
  add(term: string): number {
    const known = this.codeOf(term)
    if (known > 0) return known
    this.#terms.push(term)
    this.#codes.set(term, this.size)
    return this.size
  }
}
