import { answerBytes } from './answer-bytes.ts'
import { deepFreeze } from './deep-freeze.ts'

/** A result larger than this share of the cache is not cached, since it would evict too many others. */
const LARGEST_SHARE = 1 / 4

/** Bytes. Overhead of an entry, without its texts and its value. */
const ENTRY_BYTES = 128

/** A result and the versions of the indices it was computed from. */
interface Entry {
  readonly versions: string
  readonly value: unknown
  readonly bytes: number
}

/** LRU cache of results by request, limited to `maxBytes`. */
export class ResultCache {
  readonly #maxBytes: number
  /** Ordered by last use. */
  readonly #entries = new Map<string, Entry>()
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get bytes(): number {
    return this.#bytes
  }

  get size(): number {
    return this.#entries.size
  }

  /**
   * Returns the result cached for these index versions. An entry of other versions is dropped, since it can never match
   * again.
   */
  get(question: string, versions: string): { readonly value: unknown } | undefined {
    const entry = this.#entries.get(question)
    if (entry === undefined) return undefined
    if (entry.versions !== versions) {
      this.#drop(question, entry)
      return undefined
    }
    this.#entries.delete(question)
    this.#entries.set(question, entry)
    return entry
  }

  /** Caches a result unless it is too large. Cached results are frozen. */
  put(question: string, versions: string, value: unknown): void {
    const former = this.#entries.get(question)
    if (former !== undefined) this.#drop(question, former)
    const most = this.#maxBytes * LARGEST_SHARE
    const around = ENTRY_BYTES + 2 * (question.length + versions.length)
    const bytes = around + answerBytes(value, most - around)
    if (bytes > most) return
    deepFreeze(value)
    this.#entries.set(question, { versions, value, bytes })
    this.#bytes += bytes
    for (const [oldest, entry] of this.#entries) {
      if (this.#bytes <= this.#maxBytes) break
      this.#drop(oldest, entry)
    }
  }

  #drop(question: string, entry: Entry): void {
    this.#entries.delete(question)
    this.#bytes -= entry.bytes
  }
}
