import { stopping } from '../database/read-slots.ts'

/** A write in the queue, and the promise of its caller. */
export interface QueuedWrite<W, R> {
  readonly write: W
  readonly resolve: (result: R) => void
  readonly reject: (error: unknown) => void
}

type Item<W, R> =
  | ({ readonly kind: 'write' } & QueuedWrite<W, R>)
  | { readonly kind: 'exclusive'; readonly run: () => Promise<void> }

/**
 * Executes writes in order of arrival. Consecutive writes that wait are executed together.
 *
 * `carryOut` gets all writes at the head of the queue. It settles the first ones, at least one, and returns how many.
 */
export class WriteQueue<W, R> {
  readonly #carryOut: (writes: readonly QueuedWrite<W, R>[]) => Promise<number>
  readonly #items: Item<W, R>[] = []
  #running: Promise<void> | undefined
  #isClosed = false

  constructor(carryOut: (writes: readonly QueuedWrite<W, R>[]) => Promise<number>) {
    this.#carryOut = carryOut
  }

  write(write: W): Promise<R> {
    return new Promise((resolve, reject) => this.#add({ kind: 'write', write, resolve, reject }, reject))
  }

  /** Runs `work` after all earlier writes and before all later ones. */
  exclusive<T>(work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#add({ kind: 'exclusive', run: () => work().then(resolve, reject) }, reject)
    })
  }

  /** Refuses further writes. Resolves when the queue is empty. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#running
  }

  #add(item: Item<W, R>, reject: (error: unknown) => void): void {
    if (this.#isClosed) {
      reject(stopping())
      return
    }
    this.#items.push(item)
    this.#running ??= this.#run()
  }

  async #run(): Promise<void> {
    for (let item = this.#items[0]; item; item = this.#items[0]) {
      if (item.kind === 'exclusive') {
        this.#items.shift()
        await item.run()
      } else this.#items.splice(0, await this.#carryOutSafely(this.#head()))
    }
    this.#running = undefined
  }

  #head(): readonly QueuedWrite<W, R>[] {
    const writes: QueuedWrite<W, R>[] = []
    for (const item of this.#items) {
      if (item.kind !== 'write') break
      writes.push(item)
    }
    return writes
  }

  /** An unexpected fault must not stop the queue. */
  async #carryOutSafely(writes: readonly QueuedWrite<W, R>[]): Promise<number> {
    try {
      return await this.#carryOut(writes)
    } catch (error) {
      writes[0]?.reject(error)
      return 1
    }
  }
}
