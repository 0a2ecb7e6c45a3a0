/**
 * Work that several callers wait for. A caller may leave without affecting the others; when the last one leaves, it is
 * aborted.
 */
export class SharedWork<T> {
  readonly #controller = new AbortController()
  readonly #done: Promise<T>
  #callers = 0
  #joined = 0

  /** Starts asynchronously, so that the creator can join first. */
  constructor(begin: (signal: AbortSignal) => Promise<T>) {
    this.#done = Promise.resolve(this.#controller.signal).then(begin)
  }

  /** True once the work was aborted: it will never yield a result. */
  get abandoned(): boolean {
    return this.#controller.signal.aborted
  }

  /** True if more than one caller has joined. */
  get shared(): boolean {
    return this.#joined > 1
  }

  join(signal: AbortSignal | undefined): Promise<T> {
    this.#callers++
    this.#joined++
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#callers--
        if (this.#callers === 0) this.#controller.abort(signal?.reason)
        reject(signal?.reason)
      }
      signal?.addEventListener('abort', leave, { once: true })
      const stay = (): void => signal?.removeEventListener('abort', leave)
      this.#done.then(
        (value) => {
          stay()
          resolve(value)
        },
        (error: unknown) => {
          stay()
          reject(error)
        },
      )
      if (signal?.aborted) {
        stay()
        leave()
      }
    })
  }
}
