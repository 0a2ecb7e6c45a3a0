import { setTimeout as delay } from 'node:timers/promises'

interface Waiting<Q, A> {
  readonly question: Q
  readonly resolve: (answer: A) => void
  readonly reject: (error: unknown) => void
}

/**
 * Batches calls: those made in the same tick, or while a batch is running, are sent as one, at most `most` at a time.
 * With `waitMs`, a batch waits for more calls. `callAll` returns answers in the order of the questions.
 */
export class JoinedCalls<Q, A> {
  readonly #callAll: (questions: readonly Q[]) => Promise<readonly A[]>
  readonly #most: number
  readonly #waitMs: number
  #waiting: Waiting<Q, A>[] = []
  #isRunning = false

  constructor(callAll: (questions: readonly Q[]) => Promise<readonly A[]>, most: number, waitMs = 0) {
    this.#callAll = callAll
    this.#most = most
    this.#waitMs = waitMs
  }

  call(question: Q): Promise<A> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ question, resolve, reject })
      if (this.#isRunning) return
      this.#isRunning = true
      setImmediate(() => void this.#run())
    })
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      if (this.#waitMs > 0 && this.#waiting.length < this.#most) await delay(this.#waitMs)
      const batch = this.#waiting.splice(0, this.#most)
      try {
        const answers = await this.#callAll(batch.map(({ question }) => question))
        // The cast is safe: `callAll` answers every question.
        batch.forEach(({ resolve }, i) => {
          resolve(answers[i] as A)
        })
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    this.#isRunning = false
  }
}
