/** Lets one piece of work run at a time, in the order of asking. */
export class OneAtATime {
  #last: Promise<unknown> = Promise.resolve()

  /** An aborted signal ends the wait, not the work. */
  async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted()
    const before = this.#last
    const over = Promise.withResolvers<void>()
    this.#last = Promise.all([before, over.promise])
    const aborted = Promise.withResolvers<never>()
    const abort = (): void => aborted.reject(signal?.reason)
    signal?.addEventListener('abort', abort, { once: true })
    try {
      await Promise.race([before, aborted.promise])
      signal?.removeEventListener('abort', abort)
      return await work()
    } finally {
      signal?.removeEventListener('abort', abort)
      over.resolve()
    }
  }
}
