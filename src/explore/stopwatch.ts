/** Durations of an answer, in whole milliseconds. */
interface Times {
  /** Time in the engine. */
  readonly query_time: number
  /** Time in the server, including the engine. */
  readonly total_time: number
}

export interface Stopwatch {
  /** Runs engine work and measures its time. */
  engine<T>(work: () => Promise<T>): Promise<T>
  times(): Times
}

export function startStopwatch(): Stopwatch {
  const start = performance.now()
  let inEngine = 0
  return {
    async engine(work) {
      const before = performance.now()
      try {
        return await work()
      } finally {
        inEngine += performance.now() - before
      }
    },
    times: () => ({ query_time: Math.floor(inEngine), total_time: Math.floor(performance.now() - start) }),
  }
}
