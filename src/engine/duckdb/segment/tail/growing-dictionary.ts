import { entryOf, hashOf, sameBytes } from '../byte-hash.ts'
import type { Dictionary, DictionaryData } from '../dictionary.ts'
import { grown, makeUint8s, makeUint32s } from './growing-array.ts'

/** Entries of the first table. */
const SMALLEST = 16

/**
 * The dictionary of a column of a tail: codes in order of first appearance. Terms are found by their UTF-8 bytes, and
 * decoded only when they are read. They are only added, so readers see those up to a size.
 */
export class GrowingDictionary {
  #size = 0
  /** The term with code c is the bytes from `starts[c - 1]` to `starts[c]`. */
  #bytes: Buffer = Buffer.alloc(0)
  #starts: Uint32Array = new Uint32Array(1)
  /** A hash table (byte-hash.ts). Each entry is a code, or 0, and the hash of its term. */
  #table = new Int32Array(2 * SMALLEST)
  /** Terms already decoded, by code. */
  readonly #terms: (string | undefined)[] = []
  #decoded = 0
  #view: GrowingTerms = new GrowingTerms(this, 0)

  /** Returns the code of a term, which is added if it is new. A lone surrogate becomes U+FFFD, as in the database. */
  add(term: string): number {
    const bytes = Buffer.from(term)
    return this.addBytes(bytes, 0, bytes.length)
  }

  /** Adds the term with these bytes. `hash`: their hash. */
  addBytes(bytes: Uint8Array, from: number, to: number, hash: number = hashOf(bytes, from, to)): number {
    const entry = this.#entryOf(bytes, from, to, hash)
    const known = this.#table[entry] ?? 0
    return known === 0 ? this.#insert(bytes, from, to, hash, entry) : known
  }

  /** Returns the position in the table of a term, or of the free entry where it belongs. */
  #entryOf(bytes: Uint8Array, from: number, to: number, hash: number): number {
    const table = this.#table
    const mask = table.length - 1
    let at = 2 * entryOf(hash, table.length >> 1)
    for (let code = table[at] ?? 0; code !== 0; code = table[at] ?? 0) {
      if (table[at + 1] === hash) {
        const start = this.#starts[code - 1] ?? 0
        const end = this.#starts[code] ?? 0
        if (end - start === to - from && sameBytes(bytes, from, to, this.#bytes, start)) break
      }
      at = (at + 2) & mask
    }
    return at
  }

  #insert(bytes: Uint8Array, from: number, to: number, hash: number, entry: number): number {
    const code = ++this.#size
    this.#starts = grown(this.#starts, code + 1, makeUint32s)
    const start = this.#starts[code - 1] ?? 0
    const end = start + to - from
    this.#reserve(end)
    const own = this.#bytes
    for (let i = from, at = start; i < to; i++, at++) own[at] = bytes[i] ?? 0
    this.#starts[code] = end
    this.#table[entry] = code
    this.#table[entry + 1] = hash
    if (4 * code > this.#table.length) this.#enlarge()
    return code
  }

  #reserve(length: number): void {
    const bytes = grown<Uint8Array>(this.#bytes, length, makeUint8s)
    if (bytes !== this.#bytes) this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  }

  /** Doubles the table when half of its entries are taken. */
  #enlarge(): void {
    const before = this.#table
    const after = new Int32Array(2 * before.length)
    for (let i = 0; i < before.length; i += 2) {
      const code = before[i] ?? 0
      if (code === 0) continue
      const hash = before[i + 1] ?? 0
      let at = 2 * entryOf(hash, after.length >> 1)
      while (after[at] !== 0) at = (at + 2) & (after.length - 1)
      after[at] = code
      after[at + 1] = hash
    }
    this.#table = after
  }

  /** Returns the code of a term, or 0 if it is absent. */
  codeOf(term: string): number {
    const bytes = Buffer.from(term)
    return this.#table[this.#entryOf(bytes, 0, bytes.length, hashOf(bytes, 0, bytes.length))] ?? 0
  }

  term(code: number): string {
    const known = this.#terms[code]
    if (known !== undefined) return known
    if (code < 1 || code > this.#size) return ''
    const term = this.#bytes.toString('utf8', this.#starts[code - 1], this.#starts[code])
    while (this.#terms.length < code) this.#terms.push(undefined)
    this.#terms[code] = term
    this.#decoded += 2 * term.length + 32
    return term
  }

  /** Returns the present terms. The same object until a term is added. */
  view(): GrowingTerms {
    if (this.#view.size !== this.#size) this.#view = new GrowingTerms(this, this.#size)
    return this.#view
  }

  /** The first `size` terms. */
  data(size: number): DictionaryData {
    const starts = this.#starts.subarray(0, size + 1)
    return { bytes: this.#bytes.subarray(0, starts[size]), starts }
  }

  /** Estimated memory. */
  get bytes(): number {
    return (
      this.#bytes.length + this.#starts.byteLength + this.#table.byteLength + 8 * this.#terms.length + this.#decoded
    )
  }
}

/** The first terms of a growing dictionary. */
export class GrowingTerms implements Dictionary {
  readonly size: number
  readonly sorted = false
  readonly #dictionary: GrowingDictionary

  constructor(dictionary: GrowingDictionary, size: number) {
    this.#dictionary = dictionary
    this.size = size
  }

  get origin(): object {
    return this.#dictionary
  }

  /** Not in order. */
  get data(): DictionaryData {
    return this.#dictionary.data(this.size)
  }

  term(code: number): string {
    return code <= this.size ? this.#dictionary.term(code) : ''
  }

  codeOf(term: string): number {
    const code = this.#dictionary.codeOf(term)
    return code <= this.size ? code : 0
  }

  firstFrom(_term: string): number {
    throw new Error('the dictionary is not sorted')
  }
}
