/** A cached response and the time it was requested. */
interface Kept<T> {
  readonly askedAt: number
  readonly answer: Promise<T>
  isHere: boolean
  isRenewed: boolean
}

interface KeepingOptions {
  /** Maximum age of a cached response. */
  readonly keepMs: number
  /** Age from which a response is reloaded in the background while it is still served. */
  readonly renewMs: number
  readonly now?: () => number
}

/**
 * Short-lived cache by key. Concurrent lookups share one request. Frequently used entries are reloaded in the
 * background, so callers do not wait for the reload.
 */
export class KeptAnswers<T> {
  readonly #load: (key: string) => Promise<T>
  readonly #options: KeepingOptions
  readonly #now: () => number
  readonly #kept = new Map<string, Kept<T>>()

  constructor(load: (key: string) => Promise<T>, options: KeepingOptions) {
    this.#load = load
    this.#options = options
    this.#now = options.now ?? (() => performance.now())
  }

  /** `youngerThan`: maximum age, for a caller that needs a fresher response than `keepMs` allows. */
  get(key: string, signal?: AbortSignal, youngerThan = this.#options.keepMs): Promise<T> {
    const known = this.#kept.get(key)
    const age = known === undefined ? Number.POSITIVE_INFINITY : this.#now() - known.askedAt
    if (known === undefined || (known.isHere && age >= youngerThan)) return unlessAborted(this.#ask(key), signal)
    if (known.isHere && age >= this.#options.renewMs) this.#renew(key, known)
    return unlessAborted(known.answer, signal)
  }

  /** Clears the cache: responses requested before this call are not returned to later callers. */
  forget(): void {
    this.#kept.clear()
  }

  #ask(key: string): Promise<T> {
    this.#removeOld()
    const answer = this.#load(key)
    const kept: Kept<T> = { askedAt: this.#now(), answer, isHere: false, isRenewed: false }
    this.#kept.set(key, kept)
    answer.then(
      () => {
        kept.isHere = true
      },
      // Current waiters get the error; the next lookup requests again.
      () => this.#replace(key, kept, undefined),
    )
    return answer
  }

  #renew(key: string, known: Kept<T>): void {
    if (known.isRenewed) return
    known.isRenewed = true
    const askedAt = this.#now()
    const answer = this.#load(key)
    answer.then(
      () => this.#replace(key, known, { askedAt, answer, isHere: true, isRenewed: false }),
      // If the error persists, the first caller after the entry expires gets it.
      () => {
        known.isRenewed = false
      },
    )
  }

  #replace(key: string, before: Kept<T>, after: Kept<T> | undefined): void {
    if (this.#kept.get(key) !== before) return
    if (after === undefined) this.#kept.delete(key)
    else this.#kept.set(key, after)
  }

  #removeOld(): void {
    const oldest = this.#now() - this.#options.keepMs
    for (const [key, { askedAt, isHere }] of this.#kept) if (isHere && askedAt < oldest) this.#kept.delete(key)
  }
}

async function unlessAborted<T>(answer: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return answer
  signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(signal.reason)
    signal.addEventListener('abort', leave, { once: true })
    answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
  })
}
