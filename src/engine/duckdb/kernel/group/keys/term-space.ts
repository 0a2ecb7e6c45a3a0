import { compareCodePoints } from '../../../../../query/value/code-point-order.ts'
import type { Turn } from '../../../../../turn.ts'
import type { Dictionary } from '../../../segment/dictionary.ts'
import type { KeySpace } from './key-space.ts'
import { type Translation, translateTerms } from './term-translation.ts'

interface Member {
  readonly dictionary: Dictionary
  /** Id of its first term. */
  readonly first: number
  /** Of its terms, to each earlier member. Empty until `prepare` has run. */
  readonly translations: Translation[]
}

/**
 * The terms of several dictionaries. A term has the id of the first dictionary that has it: the number of terms of the
 * ones before plus its code. So terms need not be read, nor be kept in a table. Terms of other dictionaries follow by
 * appearance.
 */
export class TermSpace implements KeySpace {
  readonly isFound = false
  readonly #members: readonly Member[]
  readonly #places: ReadonlyMap<Dictionary, number>
  /** Number of terms of all members. */
  readonly #coded: number
  readonly #others: string[] = []
  readonly #byTerm = new Map<string, number>()
  /** Number of terms of the first member. */
  readonly #ranked: number
  #isPrepared = false
  /** True if the place of every term among those of the first member is known. */
  #isRanked = false

  constructor(dictionaries: readonly Dictionary[]) {
    // Sorted ones first: the order of their terms is known.
    const ordered = [...new Set(dictionaries)].sort((a, b) => Number(b.sorted) - Number(a.sorted) || b.size - a.size)
    const members: Member[] = []
    let first = 0
    for (const dictionary of ordered) {
      members.push({ dictionary, first, translations: [] })
      first += dictionary.size
    }
    this.#members = members
    this.#places = new Map(ordered.map((dictionary, place) => [dictionary, place]))
    this.#coded = first
    this.#ranked = members[0]?.dictionary.size ?? 0
  }

  get size(): number {
    return this.#coded + this.#others.length
  }

  /** Finds the terms of the members in each other at once. Without it, each term is looked up. */
  async prepare(turn: Turn): Promise<void> {
    if (this.#isPrepared) return
    this.#isPrepared = true
    this.#isRanked = this.#members[0]?.dictionary.sorted === true
    for (const [place, { dictionary, translations }] of this.#members.entries()) {
      for (const earlier of this.#members.slice(0, place)) {
        translations.push(await translateTerms(dictionary, earlier.dictionary, turn))
      }
    }
  }

  idOfCode(dictionary: Dictionary, code: number): number {
    const place = this.#places.get(dictionary)
    if (place === undefined) return this.#idOfTerm(dictionary.term(code))
    const own = this.#members[place]
    if (place > 0 && !this.#isPrepared) return this.#idOfTerm(dictionary.term(code))
    for (let i = 0; i < place; i++) {
      const found = own?.translations[i]?.codes[code] ?? 0
      if (found > 0) return (this.#members[i]?.first ?? 0) + found - 1
    }
    return (own?.first ?? 0) + code - 1
  }

  #idOfTerm(term: string): number {
    for (const { dictionary, first } of this.#members) {
      const code = dictionary.codeOf(term)
      if (code > 0) return first + code - 1
    }
    const known = this.#byTerm.get(term)
    if (known !== undefined) return known
    const id = this.size
    this.#others.push(term)
    this.#byTerm.set(term, id)
    return id
  }

  key(id: number): string {
    const owner = this.#ownerOf(id)
    return owner ? owner.dictionary.term(id - owner.first + 1) : (this.#others[id - this.#coded] ?? '')
  }

  #ownerOf(id: number): Member | undefined {
    if (id >= this.#coded) return undefined
    let place = this.#members.length - 1
    while (place > 0 && (this.#members[place]?.first ?? 0) > id) place--
    return this.#members[place]
  }

  compare(a: number, b: number): number {
    return this.#rankOf(a) - this.#rankOf(b) || this.#compareTerms(a, b)
  }

  /** A number that does not contradict the order: the number of terms of the first member up to this term, doubled. */
  #rankOf(id: number): number {
    // Without the place of every term among the others, none counts.
    if (!this.#isRanked || this.#others.length > 0) return 0
    if (id < this.#ranked) return 2 * (id + 1)
    const owner = this.#ownerOf(id)
    return 1 - 2 * (owner?.translations[0]?.codes[id - owner.first + 1] ?? 0)
  }

  #compareTerms(a: number, b: number): number {
    const owner = this.#ownerOf(a)
    if (owner?.dictionary.sorted && owner === this.#ownerOf(b)) return a - b
    return compareCodePoints(this.key(a), this.key(b))
  }
}
