/** How long an answer took, in whole ms. */
export interface Times {
  /** In the engine. */
  readonly query_time: number
  /** In the server, the engine included. */
  readonly total_time: number
}

export interface Stopwatch {
  /** Waits for the engine and counts the time. */
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
