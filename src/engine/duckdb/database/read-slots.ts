import { type Problem, problem } from '../../../errors.ts'

/** Milliseconds after which a read counts as slow. */
export const SLOW_AFTER_MS = 300

/** `quick` until it turns out slow, or `long` from the start. */
export type ReadLength = 'quick' | 'long'

/** Ends a read and frees its slot. Further calls do nothing. */
export type Release = () => void

/**
 * Limits concurrent reads to `concurrency` quick and as many slow ones, so that small requests do not wait behind a few
 * large ones. A quick read that turns out slow moves to a slow slot as soon as one is free, which frees its quick slot.
 * A long read takes a slow slot from the start. Slots are granted in request order, but one caller gets at most three
 * quarters of each kind, so that its slow reads leave room for others.
 *
 * A running statement occupies a thread of libuv's pool, so the pool needs more than twice `concurrency` threads
 * (scripts/launch).
 */
export class ReadSlots {
  readonly #quick: Slots
  readonly #slow: Slots
  /** Callbacks that reject the waiting reads. */
  readonly #waiting = new Set<(reason: unknown) => void>()
  #closed = false

  constructor(concurrency: number) {
    this.#quick = new Slots(concurrency)
    this.#slow = new Slots(concurrency)
  }

  get running(): number {
    return this.#quick.taken + this.#slow.taken
  }

  get waiting(): number {
    return this.#waiting.size
  }

  /** Waits for a slot. Leaves the queue when the signal aborts. */
  async take(length: ReadLength, signal?: AbortSignal, caller?: string): Promise<Release> {
    signal?.throwIfAborted()
    if (this.#closed) throw stopping()
    if (length === 'quick') {
      await this.#turn(this.#quick, signal, caller)
      return this.#watch(caller)
    }
    await this.#turn(this.#slow, signal, caller)
    return once(() => this.#slow.give(caller))
  }

  /** Rejects waiting and new requests. Running reads keep their slots. */
  close(): void {
    this.#closed = true
    for (const leave of this.#waiting) leave(stopping())
  }

  #turn(slots: Slots, signal: AbortSignal | undefined, caller: string | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const abort = (): void => leave(signal?.reason)
      const settle = (): void => {
        this.#waiting.delete(leave)
        signal?.removeEventListener('abort', abort)
      }
      const leave = (reason: unknown): void => {
        settle()
        withdraw()
        reject(reason)
      }
      this.#waiting.add(leave)
      signal?.addEventListener('abort', abort, { once: true })
      const withdraw = slots.request(() => {
        settle()
        resolve()
      }, caller)
    })
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

type Caller = string | undefined

/** Slots of one kind, granted in request order. A caller holds at most three quarters of them. */
class Slots {
  readonly #count: number
  readonly #mostOfOne: number
  readonly #queue = new Map<() => void, Caller>()
  readonly #held = new Map<Caller, number>()
  #taken = 0

  constructor(count: number) {
    this.#count = count
    this.#mostOfOne = Math.ceil(count * 0.75)
  }

  get taken(): number {
    return this.#taken
  }

  /** Calls `granted` when a slot is free, possibly immediately. Returns a function that withdraws a pending request. */
  request(granted: () => void, caller: Caller): () => void {
    this.#queue.set(granted, caller)
    this.#grant()
    return () => void this.#queue.delete(granted)
  }

  give(caller: Caller): void {
    this.#taken--
    const left = this.#heldBy(caller) - 1
    if (left === 0) this.#held.delete(caller)
    else this.#held.set(caller, left)
    this.#grant()
  }

  #heldBy(caller: Caller): number {
    return this.#held.get(caller) ?? 0
  }

  #grant(): void {
    for (const [granted, caller] of this.#queue) {
      if (this.#taken >= this.#count) return
      // Internal work has no caller and no limit.
      if (caller !== undefined && this.#heldBy(caller) >= this.#mostOfOne) continue
      this.#queue.delete(granted)
      this.#taken++
      this.#held.set(caller, this.#heldBy(caller) + 1)
      granted()
    }
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
