import { setImmediate } from 'node:timers/promises'

/** Milliseconds of work after which others get a turn. */
const LONGEST_WORK = 10

/** Lets other requests have their turn in the midst of long work, and ends the work when the signal aborts. */
export class Pauses {
  readonly #signal: AbortSignal | undefined
  #workedSince = performance.now()

  constructor(signal?: AbortSignal) {
    this.#signal = signal
  }

  /** Asked between small steps, so that only a due pause costs a turn. */
  get isDue(): boolean {
    return performance.now() - this.#workedSince > LONGEST_WORK
  }

  async take(): Promise<void> {
    await setImmediate()
    this.#signal?.throwIfAborted()
    this.#workedSince = performance.now()
  }
}
