import { threadId } from 'node:worker_threads'
import { serveJobs } from './serve-jobs.ts'

const jobs = {
  sum: (numbers: Float64Array): number => numbers.reduce((sum, number) => sum + number, 0),
  fill: async (numbers: Float64Array): Promise<Float64Array> => numbers.fill(7),
  fail: ({ message }: { readonly message: string }): never => {
    throw Object.assign(new RangeError(message), { cannotBeCloned: () => 0 })
  },
  failOddly: (_: undefined): never => {
    throw 'only a text'
  },
  answerOddly:
    (_: undefined): unknown =>
    () =>
      0,
  whoAmI: (_: undefined): number => threadId,
  exit: (code: number): never => process.exit(code),
  crash: (message: string): Promise<never> => {
    setImmediate(() => {
      throw new Error(message)
    })
    return new Promise(() => undefined)
  },
  wait: (_: undefined): Promise<never> => new Promise(() => setInterval(() => undefined, 1000)),
}

export type FixtureJobs = typeof jobs

serveJobs(jobs)
