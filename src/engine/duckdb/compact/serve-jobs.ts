import { parentPort } from 'node:worker_threads'
import { reportMuchFreedMemory } from '../segment/file/freed-memory.ts'

/** Functions by name. Inputs and results are structured clones; shared memory is not copied. */
export type Jobs = Readonly<Record<string, (input: never) => unknown>>

export interface JobRequest {
  readonly job: string
  readonly input: unknown
}

export type JobAnswer = { readonly result: unknown } | { readonly fault: Fault }

/** An error in a form that can be cloned without loss: clones of errors have the names of built-in ones only. */
export interface Fault {
  readonly name: string
  readonly message: string
  readonly stack?: string | undefined
}

/** Answers the requests of the thread that started this one. It sends one at a time. */
export function serveJobs(jobs: Jobs): void {
  parentPort?.on('message', async ({ job, input }: JobRequest) => {
    try {
      if (!Object.hasOwn(jobs, job)) throw new Error(`there is no job ${job}`)
      // The sender checks the type of the input.
      const work = jobs[job] as (input: unknown) => unknown
      parentPort?.postMessage({ result: await work(input) } satisfies JobAnswer)
    } catch (error) {
      parentPort?.postMessage({ fault: faultOf(error) } satisfies JobAnswer)
    }
    reportMuchFreedMemory()
  })
}

export function faultOf(error: unknown): Fault {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) }
  return { name: error.name, message: error.message, stack: error.stack }
}
