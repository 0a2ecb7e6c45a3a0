const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Waits before the first, second, ... attempt (spec 4.5). */
const WAITS: readonly number[] = [
  ...[0, 5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR],
]

/** By how much a wait is lengthened at most, so that what failed together is not repeated together. */
const JITTER = 0.1

/** What a target may ask for with Retry-After: before the next attempt, and for the rest of its subscription. */
export const LONGEST_RETRY_MS = 24 * HOUR
export const LONGEST_PAUSE_MS = HOUR

/** How long to wait after so many failed attempts; undefined: that was the last. `random` is from 0 to 1. */
export function nextWait(failed: number, random: number): number | undefined {
  const wait = WAITS[failed]
  return wait === undefined ? undefined : Math.round(wait * (1 + JITTER * random))
}

/** The same of a broker, which is tried for ever. */
export const nextBrokerWait = (failed: number): number => Math.min(MINUTE, SECOND * 2 ** Math.min(failed - 1, 16))

const DATES = [
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT$/,
  /^[A-Z][a-z]+day, [0-9]{2}-[A-Z][a-z]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT$/,
]

/** Milliseconds from now on that a Retry-After header asks for; undefined when it cannot be read. */
export function readRetryAfter(text: string | undefined, nowMs: number): number | undefined {
  const value = text?.trim() ?? ''
  if (/^[0-9]+$/.test(value)) return Number(value) * SECOND
  if (!DATES.some((form) => form.test(value))) return undefined
  const time = Date.parse(value)
  return Number.isNaN(time) ? undefined : Math.max(0, time - nowMs)
}
