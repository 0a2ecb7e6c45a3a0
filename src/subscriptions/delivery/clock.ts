/** What time it is, and how to be woken; tests bring their own. */
export interface Clock {
  /** ms */
  now(): number
  /** Answers how to call it off. */
  after(ms: number, work: () => void): () => void
}

/** What timers of the system can wait. */
const LONGEST_MS = 2 ** 31 - 1

export const systemClock: Clock = {
  now: Date.now,
  after(ms, work) {
    // A timer that fires early is a look at the clock too many, nothing worse.
    const timer = setTimeout(work, Math.min(Math.max(0, ms), LONGEST_MS))
    timer.unref()
    return () => clearTimeout(timer)
  },
}
