import { Worker } from 'node:worker_threads'
import type { BuilderJobs } from './builder-worker.ts'
import { type Fault, faultOf, type JobAnswer, type JobRequest, type Jobs } from './serve-jobs.ts'

/** A worker that had nothing to do for so long is ended, which frees its memory. */
const IDLE_MS = 10_000

const BUILDER = new URL('./builder-worker.ts', import.meta.url)

type InputOf<J extends Jobs, K extends keyof J> = Parameters<J[K]>[0]
type ResultOf<J extends Jobs, K extends keyof J> = Awaited<ReturnType<J[K]>>

interface QueuedJob {
  readonly request: JobRequest
  resolve(result: unknown): void
  reject(error: unknown): void
}

/**
 * Worker thread that builds, merges and writes segments, one job at a time, so that the main thread can serve requests
 * meanwhile. Started on first use; a worker that crashes is replaced for the next job.
 */
export class BuilderThread<J extends Jobs = BuilderJobs> {
  readonly #script: URL
  readonly #idleMs: number
  readonly #queue: QueuedJob[] = []
  #running: QueuedJob | undefined
  #worker: Worker | undefined
  #idleTimer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(script: URL = BUILDER, idleMs: number = IDLE_MS) {
    this.#script = script
    this.#idleMs = idleMs
  }

  /** Resolves to the result of a job, and rejects with its error or if the worker ends before. */
  run<K extends keyof J & string>(job: K, input: InputOf<J, K>): Promise<ResultOf<J, K>> {
    return new Promise<unknown>((resolve, reject) => {
      if (this.#isClosed) return reject(closed())
      this.#queue.push({ request: { job, input }, resolve, reject })
      this.#next()
    }) as Promise<ResultOf<J, K>>
  }

  /** Jobs that are not done are rejected. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#idleTimer)
    for (const job of this.#queue.splice(0)) job.reject(closed())
    this.#running?.reject(closed())
    this.#running = undefined
    await this.#worker?.terminate()
  }

  #next(): void {
    if (this.#running !== undefined || this.#isClosed) return
    const job = this.#queue.shift()
    if (job === undefined) {
      this.#rest()
      return
    }
    clearTimeout(this.#idleTimer)
    this.#running = job
    this.#worker ??= this.#begin()
    // The worker keeps the process alive only while it works.
    this.#worker.ref()
    try {
      this.#worker.postMessage(job.request)
    } catch (error) {
      // The input cannot be cloned.
      this.#settle({ fault: faultOf(error) })
    }
  }

  #rest(): void {
    this.#worker?.unref()
    this.#idleTimer = setTimeout(() => {
      const worker = this.#worker
      this.#worker = undefined
      // Its end is of no interest.
      void worker?.terminate()
    }, this.#idleMs).unref()
  }

  #settle(answer: JobAnswer): void {
    const job = this.#running
    this.#running = undefined
    if ('fault' in answer) job?.reject(errorOf(answer.fault))
    else job?.resolve(answer.result)
    this.#next()
  }

  #begin(): Worker {
    const worker = new Worker(this.#script, { name: 'periplus-builder' })
    let fault: unknown
    const end = (error: unknown): void => {
      if (this.#worker !== worker) return
      this.#worker = undefined
      if (this.#running !== undefined) this.#settle({ fault: faultOf(error) })
    }
    worker.on('message', (answer: JobAnswer) => {
      if (this.#worker === worker) this.#settle(answer)
    })
    worker.on('messageerror', (error) => {
      fault = error
      void worker.terminate()
    })
    // An exit follows.
    worker.on('error', (error) => {
      fault = error
    })
    worker.on('exit', (code) => end(fault ?? new Error(`the builder thread ended with code ${code}`)))
    return worker
  }
}

function errorOf({ name, message, stack }: Fault): Error {
  const error = new Error(message)
  error.name = name
  if (stack !== undefined) error.stack = stack
  return error
}

const closed = (): Error => new Error('the builder thread is closed')
