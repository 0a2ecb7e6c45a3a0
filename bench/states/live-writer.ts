import { setTimeout as sleep } from 'node:timers/promises'
import type { System } from '../systems/system.ts'

/** What a writer achieved while questions were asked. */
export interface WriterFigures {
  readonly system: string
  /** Documents per second that were wanted. */
  readonly wanted: number
  /** Documents per second that were acknowledged. */
  readonly reached: number
  /** Milliseconds of each acknowledged batch. */
  readonly batchMs: readonly number[]
}

/** Documents of a batch. */
export const BATCH = 200

/**
 * Sends batches to one system at a fixed rate until it is stopped. A batch waits for the one before it: a system that
 * falls behind reaches a lower rate, and the writer does not catch up with requests at once.
 */
export class LiveWriter {
  readonly #system: System
  readonly #rate: number
  readonly #batches: Iterator<Buffer, never>
  readonly #batchMs: number[] = []
  readonly #started = performance.now()
  readonly #done: Promise<void>
  #isStopped = false

  constructor(system: System, rate: number, batches: Iterator<Buffer, never>) {
    this.#system = system
    this.#rate = rate
    this.#batches = batches
    this.#done = this.#write()
    // `stop` reports it
    this.#done.catch(() => undefined)
  }

  /** Stops after the batch that is being written. */
  async stop(): Promise<WriterFigures> {
    this.#isStopped = true
    await this.#done
    const seconds = (performance.now() - this.#started) / 1000
    const reached = (this.#batchMs.length * BATCH) / seconds
    return { system: this.#system.name, wanted: this.#rate, reached, batchMs: this.#batchMs }
  }

  async #write(): Promise<void> {
    const everyMs = (BATCH / this.#rate) * 1000
    let due = performance.now()
    while (!this.#isStopped) {
      const { value: batch } = this.#batches.next()
      await sleep(Math.max(0, due - performance.now()))
      const sent = performance.now()
      await this.#system.write('points', batch)
      const now = performance.now()
      this.#batchMs.push(now - sent)
      due = Math.max(due + everyMs, now)
    }
  }
}
