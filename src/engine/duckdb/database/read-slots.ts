import { type Problem, problem } from '../../../errors.ts'
import { Slots } from '../../slots.ts'

/** Milliseconds after which a read counts as slow. */
export const SLOW_AFTER_MS = 300

/** `quick` until it turns out slow, or `long` from the start. */
export type ReadLength = 'quick' | 'long'

/** Ends a read and frees its slot. Further calls do nothing. */
export type Release = () => void

/**
 * Limits concurrent reads to `concurrency` quick and as many slow ones, so that small requests do not wait behind a few
 * large ones. A quick read that turns out slow moves to a slow slot as soon as one is free, which frees its quick slot.
 * A long read takes a slow slot from the start. One caller gets at most three quarters of each kind, so that its slow
 * reads leave room for others.
 *
 * A running statement occupies a thread of libuv's pool, so the pool needs more than twice `concurrency` threads
 * (scripts/launch).
 */
export class ReadSlots {
  readonly #quick: Slots
  readonly #slow: Slots
  #closed = false

  constructor(concurrency: number) {
    this.#quick = new Slots(concurrency)
    this.#slow = new Slots(concurrency)
  }

  get running(): number {
    return this.#quick.taken + this.#slow.taken
  }

  get waiting(): number {
    return this.#quick.waiting + this.#slow.waiting
  }

  /** Waits for a slot. Leaves the queue when the signal aborts. */
  async take(length: ReadLength, signal?: AbortSignal, caller?: string): Promise<Release> {
    signal?.throwIfAborted()
    if (this.#closed) throw stopping()
    if (length === 'quick') {
      await this.#quick.take(signal, caller)
      return this.#watch(caller)
    }
    await this.#slow.take(signal, caller)
    return once(() => this.#slow.give(caller))
  }

  /** Rejects waiting and new requests. Running reads keep their slots. */
  close(): void {
    this.#closed = true
    this.#quick.rejectWaiting(stopping)
    this.#slow.rejectWaiting(stopping)
  }

  /** Moves a quick read to a slow slot if it runs too long. */
  #watch(caller: string | undefined): Release {
    let held = this.#quick
    let withdraw: () => void = () => undefined
    const timer = setTimeout(() => {
      withdraw = this.#slow.request(() => {
        held = this.#slow
        this.#quick.give(caller)
      }, caller)
    }, SLOW_AFTER_MS)
    return once(() => {
      clearTimeout(timer)
      withdraw()
      held.give(caller)
    })
  }
}

function once(action: () => void): () => void {
  let done = false
  return () => {
    if (!done) action()
    done = true
  }
}

/** Error of reads and writes that arrive during shutdown. */
export const stopping = (): Problem => problem('ENGINE_UNAVAILABLE', { reason: 'The server is stopping' })
