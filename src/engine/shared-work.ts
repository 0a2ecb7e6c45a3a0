/** Work several callers wait for. One that leaves does not disturb the others; when the last one leaves, it is stopped. */
export class SharedWork<T> {
  readonly #controller = new AbortController()
  readonly #done: Promise<T>
  #callers = 0
  #joined = 0

  /** Begins in a moment, when whoever made it has joined. */
  constructor(begin: (signal: AbortSignal) => Promise<T>) {
    this.#done = Promise.resolve(this.#controller.signal).then(begin)
  }

  /** True once it was stopped: it will not bring an answer. */
  get abandoned(): boolean {
    return this.#controller.signal.aborted
  }

  /** Whether more than one caller has it. */
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
