const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Milliseconds before the first, second, ... attempt (spec 4.5). */
const WAITS: readonly number[] = [
  ...[0, 5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR],
]

/** Maximum relative extension of a wait, so that deliveries that failed together are not retried together. */
const JITTER = 0.1

/** Upper bounds of Retry-After: before the next attempt, and as a pause of the whole subscription. */
export const LONGEST_RETRY_MS = 24 * HOUR
export const LONGEST_PAUSE_MS = HOUR

/**
 * Returns the milliseconds to wait after `failed` failed attempts, undefined after the last one. `random` is in [0, 1].
 */
export function nextWait(failed: number, random: number): number | undefined {
  const wait = WAITS[failed]
  return wait === undefined ? undefined : Math.round(wait * (1 + JITTER * random))
}

/** Same for a broker, with unlimited retries. */
export const nextBrokerWait = (failed: number): number => Math.min(MINUTE, SECOND * 2 ** Math.min(failed - 1, 16))

const DATES = [
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT$/,
  /^[A-Z][a-z]+day, [0-9]{2}-[A-Z][a-z]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT$/,
]

/** Returns the milliseconds a Retry-After header requests, undefined if it is invalid. */
export function readRetryAfter(text: string | undefined, nowMs: number): number | undefined {
  const value = text?.trim() ?? ''
  if (/^[0-9]+$/.test(value)) return Number(value) * SECOND
  if (!DATES.some((form) => form.test(value))) return undefined
  const time = Date.parse(value)
  return Number.isNaN(time) ? undefined : Math.max(0, time - nowMs)
}
