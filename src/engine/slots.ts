/** Work of the server itself has no caller. */
type Caller = string | undefined

/**
 * Limits how many pieces of work run at once. The others wait, in request order. A caller holds at most three quarters
 * of the slots, so that others find room; work without a caller has no such limit.
 *
 * A slot is held as long as the work takes. It is not a `Turn`, which limits how long a loop blocks the event loop.
 */
export class Slots {
  readonly #count: number
  readonly #mostOfOne: number
  readonly #queue = new Map<() => void, Caller>()
  readonly #held = new Map<Caller, number>()
  /** Callbacks that reject the pending calls of `take`. */
  readonly #waiting = new Set<(reason: unknown) => void>()
  #taken = 0

  constructor(count: number) {
    this.#count = count
    this.#mostOfOne = Math.ceil(count * 0.75)
  }

  get taken(): number {
    return this.#taken
  }

  /** Number of pending calls of `take`. */
  get waiting(): number {
    return this.#waiting.size
  }

  /** Runs `work` in a slot. An aborted signal ends the wait, not the work. */
  async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted()
    await this.take(signal)
    try {
      return await work()
    } finally {
      this.give()
    }
  }

  /** Waits for a slot, which the caller must give back. Leaves the queue when the signal aborts. */
  take(signal?: AbortSignal, caller?: string): Promise<void> {
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
      const withdraw = this.request(() => {
        settle()
        resolve()
      }, caller)
    })
  }

  /** Rejects all pending calls of `take`. */
  rejectWaiting(reason: () => unknown): void {
    for (const leave of this.#waiting) leave(reason())
  }

  /** Calls `granted` when a slot is free, possibly immediately. Returns a function that withdraws a pending request. */
  request(granted: () => void, caller?: string): () => void {
    this.#queue.set(granted, caller)
    this.#grant()
    return () => void this.#queue.delete(granted)
  }

  give(caller?: string): void {
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
      if (caller !== undefined && this.#heldBy(caller) >= this.#mostOfOne) continue
      this.#queue.delete(granted)
      this.#taken++
      this.#held.set(caller, this.#heldBy(caller) + 1)
      granted()
    }
  }
}
