import { Worker } from 'node:worker_threads'
import { canReadRows, type ReadRows, type RowShape, type RowsToRead } from './row-reading.ts'
import type { FromThread, ToThread } from './row-reading-worker.ts'

type Settle = (rows: ReadRows | undefined) => void

/**
 * Worker thread that reads the documents of large writes, so that the main thread can serve requests meanwhile. Started
 * on first use.
 */
export class ReadingThread {
  readonly #onFault: (error: unknown) => void
  #worker: Worker | undefined
  #isReady = false
  /** Resolves when the worker is ready, or has failed. */
  readonly #begun = Promise.withResolvers<void>()
  #isGone = false
  /** The shape last sent to the worker, and whether it can read rows of that shape. */
  #shape: RowShape | undefined
  #canRead = false
  /** Callers waiting for a result, in request order. */
  readonly #waiting: Settle[] = []

  constructor(onFault: (error: unknown) => void) {
    this.#onFault = onFault
  }

  /** Returns undefined if the caller must read the rows: the worker cannot read them, is not ready, or failed. */
  async read(shape: RowShape, rows: () => RowsToRead): Promise<ReadRows | undefined> {
    if (this.#isGone) return undefined
    this.#worker ??= this.#begin()
    if (!this.#isReady) return undefined
    this.#agreeOn(shape)
    if (!this.#canRead) return undefined
    const given = rows()
    this.#send({ rows: given }, [given.bytes, given.starts.buffer])
    if (this.#waiting.length === 0) this.#worker.ref()
    return new Promise((settle) => {
      this.#waiting.push(settle)
    })
  }

  async close(): Promise<void> {
    this.#isGone = true
    if (!this.#worker) return
    // Ending a thread while it loads native code can abort the process.
    this.#worker.ref()
    await this.#begun.promise
    await this.#worker.terminate()
  }

  #begin(): Worker {
    const worker = new Worker(new URL('./row-reading-worker.ts', import.meta.url), { name: 'periplus-reading' })
    worker.on('message', (message: FromThread) => {
      if ('ready' in message) {
        this.#isReady = true
        this.#begun.resolve()
      } else this.#settle(message.read)
    })
    worker.on('error', (error) => this.#giveUp(error))
    worker.on('exit', () => this.#giveUp(new Error('the thread that parses documents ended')))
    // The worker must keep the process alive only while someone waits for it.
    worker.unref()
    return worker
  }

  #agreeOn(shape: RowShape): void {
    const { mapping, layout } = shape
    if (this.#shape?.mapping === mapping && this.#shape.layout === layout) return
    this.#shape = shape
    this.#canRead = canReadRows(shape)
    if (this.#canRead) this.#send({ shape: { mapping, layout } })
  }

  #send(message: ToThread, memory: readonly ArrayBuffer[] = []): void {
    this.#worker?.postMessage(message, memory)
  }

  #settle(rows: ReadRows | undefined): void {
    this.#waiting.shift()?.(rows)
    if (this.#waiting.length === 0) this.#worker?.unref()
  }

  /** Nothing is lost: waiting callers read the rows themselves. */
  #giveUp(error: unknown): void {
    this.#begun.resolve()
    if (!this.#isGone) this.#onFault(error)
    this.#isGone = true
    while (this.#waiting.length > 0) this.#settle(undefined)
  }
}
