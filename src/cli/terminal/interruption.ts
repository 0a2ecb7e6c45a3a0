/** SIGINT and SIGTERM as an abort signal while it listens. A second signal ends the process. */
export class Interruption {
  readonly #controller = new AbortController()
  readonly #abort = (): void => this.#controller.abort()

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  listen(): void {
    process.once('SIGINT', this.#abort).once('SIGTERM', this.#abort)
  }

  ignore(): void {
    process.off('SIGINT', this.#abort).off('SIGTERM', this.#abort)
  }
}

/** Runs work that is aborted on SIGINT and SIGTERM. */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const interruption = new Interruption()
  interruption.listen()
  try {
    return await work(interruption.signal)
  } finally {
    interruption.ignore()
  }
}
