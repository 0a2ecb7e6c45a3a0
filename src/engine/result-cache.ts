import { answerBytes } from './answer-bytes.ts'
import { deepFreeze } from './deep-freeze.ts'

/** An answer that would push so much else out is not kept. */
const LARGEST_SHARE = 1 / 4

/** What an entry takes beside its texts and its value. */
const ENTRY_BYTES = 128

/** An answer and the state of the indices it was made from. */
interface Entry {
  readonly versions: string
  readonly value: unknown
  readonly bytes: number
}

/** Answers by question, at most `maxBytes` of them; those not asked for the longest leave first. */
export class ResultCache {
  readonly #maxBytes: number
  /** In the order of their last use. */
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

  /** The answer kept for these versions of the indices; one of other versions is dropped, nobody can want it again. */
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

  /** Keeps an answer unless it is too large; a kept one is frozen. */
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
