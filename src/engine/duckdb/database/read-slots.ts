import { type Problem, problem } from '../../../errors.ts'

/** A read that has run this many ms is slow. */
export const SLOW_AFTER_MS = 300

/** Quick until it proves slow, or known to be long from the start. */
export type ReadLength = 'quick' | 'long'

/** Ends a read: its slot goes to the next one. Further calls do nothing. */
export type Release = () => void

/**
 * Who may read: `concurrency` quick reads and as many slow ones beside them, so that a page of small requests does not
 * wait behind a few large ones. A read that turns out slow moves to a slow slot as soon as one is free, which makes its
 * quick one free; a long read takes a slow slot from the start. Each kind of slot is given in the order of asking, but
 * one caller gets at most three quarters of it: slow reads of one leave room for the others.
 *
 * A running statement keeps a thread of libuv's pool, so that pool needs twice `concurrency` and some (scripts/launch).
 */
export class ReadSlots {
  readonly #quick: Slots
  readonly #slow: Slots
  /** Makes each waiting read leave. */
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

  /** Waits for a slot; leaves the queue when the signal aborts. */
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

  /** Nobody gets a slot any more, those that wait neither; reads under way keep theirs. */
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

  /** Moves a quick read that is not over in time. */
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

/** So many slots of one kind, given in the order of the requests; a caller has at most three quarters of them. */
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

  /** Calls `granted` when a slot is free, which may be at once. The answer withdraws a request not yet granted. */
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
      // work of the server itself has no caller and no bound
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

/** What reads and writes that come too late are told. */
export const stopping = (): Problem => problem('ENGINE_UNAVAILABLE', { reason: 'The server is stopping' })
