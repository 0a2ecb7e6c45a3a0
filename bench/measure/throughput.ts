import { setTimeout as wait } from 'node:timers/promises'
import { summarise, type Timing } from './timing.ts'

/** Requests of several clients, each of which sends the next request when the last one is answered. */
export interface Throughput {
  readonly clients: number
  readonly requests: number
  readonly requestsPerSecond: number
  /** Response times; the median is the 50th percentile. */
  readonly timing: Timing
}

/** Sends a request; `n` counts the requests of all clients, so that each can be a different one. */
export type Send = (n: number) => Promise<unknown>

export const CLIENTS = [1, 8, 32] as const

/** Requests of a dashboard that is opened or moved. */
export const REFRESH_REQUESTS = 30

export async function throughputOf(clients: number, seconds: number, send: Send): Promise<Throughput> {
  const over = new AbortController()
  try {
    const pause = (): Promise<void> => wait(seconds * 1000, undefined, { signal: over.signal })
    return (await whileClientsAsk(clients, send, pause)).throughput
  } finally {
    // After a failed request the pause would keep the process alive.
    over.abort()
  }
}

/** Sends requests as long as the work takes. */
export async function whileClientsAsk<T>(
  clients: number,
  send: Send,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly throughput: Throughput }> {
  const times: number[] = []
  let sent = 0
  let isOver = false
  const client = async (): Promise<void> => {
    while (!isOver) {
      const started = performance.now()
      await send(sent++)
      times.push(performance.now() - started)
    }
  }
  const started = performance.now()
  const all = Promise.all(Array.from({ length: clients }, client))
  const failed = new Promise<never>((_, reject) => all.catch(reject))
  try {
    const result = await Promise.race([work(), failed])
    isOver = true
    await all
    // The last requests are counted with their time, so that slow ones are not lost.
    const requestsPerSecond = (times.length * 1000) / (performance.now() - started)
    return { result, throughput: { clients, requests: times.length, requestsPerSecond, timing: summarise(times) } }
  } finally {
    isOver = true
  }
}

/** Sends all requests at once. Returns the milliseconds until the last answer. */
export async function refreshAtOnce(requests: readonly (() => Promise<unknown>)[]): Promise<number> {
  const started = performance.now()
  await Promise.all(requests.map((request) => request()))
  return performance.now() - started
}
