import { LRUCache } from 'lru-cache'
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
}

/** LRU cache of results by request, limited to `maxBytes`. */
export class ResultCache {
  readonly #entries: LRUCache<string, Entry>
  /** Maximum bytes of an entry. */
  readonly #most: number

  constructor(maxBytes: number) {
    this.#entries = new LRUCache({ maxSize: maxBytes })
    this.#most = maxBytes * LARGEST_SHARE
  }

  get bytes(): number {
    return this.#entries.calculatedSize
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
    if (entry === undefined || entry.versions === versions) return entry
    this.#entries.delete(question)
    return undefined
  }

  /** Caches a result unless it is too large. Cached results are frozen. */
  put(question: string, versions: string, value: unknown): void {
    this.#entries.delete(question)
    const around = ENTRY_BYTES + 2 * (question.length + versions.length)
    const bytes = Math.ceil(around + answerBytes(value, this.#most - around))
    if (bytes > this.#most) return
    deepFreeze(value)
    this.#entries.set(question, { versions, value }, { size: bytes })
  }
}
