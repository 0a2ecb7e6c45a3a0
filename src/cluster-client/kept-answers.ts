/** An answer, and when it was asked for. */
interface Kept<T> {
  readonly askedAt: number
  readonly answer: Promise<T>
  isHere: boolean
  isRenewed: boolean
}

export interface KeepingOptions {
  /** An answer is not given out when it is older than this. */
  readonly keepMs: number
  /** One that is older than this is asked for again, while it is still given out. */
  readonly renewMs: number
  readonly now?: () => number
}

/**
 * Answers kept for a short while, by key: those who ask at the same time wait for the same one, and as long as an answer
 * is asked for often, nobody waits for the next.
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

  /** `youngerThan`: for a caller that cannot do with an answer as old as those given to others. */
  get(key: string, signal?: AbortSignal, youngerThan = this.#options.keepMs): Promise<T> {
    const known = this.#kept.get(key)
    const age = known === undefined ? Number.POSITIVE_INFINITY : this.#now() - known.askedAt
    if (known === undefined || (known.isHere && age >= youngerThan)) return unlessAborted(this.#ask(key), signal)
    if (known.isHere && age >= this.#options.renewMs) this.#renew(key, known)
    return unlessAborted(known.answer, signal)
  }

  /** What was asked for before this call is given to nobody who asks after it. */
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
      // Whoever waits for it is told; whoever asks next asks again.
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
      // The fault meets the first caller that finds the old answer too old, if it lasts.
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
