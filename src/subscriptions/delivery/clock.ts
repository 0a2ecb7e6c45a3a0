/** Current time and timers. Replaced in tests. */
export interface Clock {
  /** Milliseconds. */
  now(): number
  /** Returns a function that cancels the timer. */
  after(ms: number, work: () => void): () => void
}

/** Milliseconds. Maximum delay of a system timer. */
const LONGEST_MS = 2 ** 31 - 1

export const systemClock: Clock = {
  now: Date.now,
  after(ms, work) {
    // Longer delays fire early. Callers check the time again, so this is harmless.
    const timer = setTimeout(work, Math.min(Math.max(0, ms), LONGEST_MS))
    timer.unref()
    return () => clearTimeout(timer)
  },
}
