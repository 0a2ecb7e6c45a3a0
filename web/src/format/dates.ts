const locale = typeof navigator === 'undefined' ? 'en' : navigator.language
const utc = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...options })

const year = utc({ year: 'numeric' })
const month = utc({ year: 'numeric', month: 'short' })
const day = utc({ year: 'numeric', month: 'short', day: 'numeric' })
const minute = utc({ year: 'numeric', month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' })
const second = utc({
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
})

const SECOND = 1000
const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

const shortDay = utc({ month: 'short', day: 'numeric' })
const clock = utc({ hour: '2-digit', minute: '2-digit' })
const fullClock = utc({ hour: '2-digit', minute: '2-digit', second: '2-digit' })

/** Formats an axis label as short as its step allows; midnight is shown as a day. */
export function formatTick(ms: number, step: number): string {
  if (step >= 360 * DAY) return year.format(ms)
  if (step >= 28 * DAY) return month.format(ms)
  if (step >= DAY || ms % DAY === 0) return shortDay.format(ms)
  return (step >= MINUTE ? clock : fullClock).format(ms)
}

/** Formats a time of a document; midnight is shown as a day. */
export const formatMoment = (ms: number): string =>
  (ms % DAY === 0 ? day : ms % MINUTE === 0 ? minute : second).format(ms)

/** Formats a time span; common parts are printed once. */
export function formatSpan(from: number, to: number): string {
  const format = to - from > 400 * DAY ? month : to - from > 3 * DAY ? day : minute
  return format.formatRange(from, to)
}

/** A time step in the syntax of the server, with its length in milliseconds. */
interface TimeStep {
  readonly text: string
  readonly ms: number
}

const step = (count: number, unit: string, ms: number): TimeStep => ({ text: `${count}${unit}`, ms: count * ms })

const STEPS: readonly TimeStep[] = [
  ...[1, 2, 5, 10, 15, 30].map((count) => step(count, 'second', SECOND)),
  ...[1, 2, 5, 10, 15, 30].map((count) => step(count, 'minute', MINUTE)),
  ...[1, 2, 3, 6, 12].map((count) => step(count, 'hour', HOUR)),
  step(1, 'day', DAY),
  step(2, 'day', DAY),
  step(1, 'week', 7 * DAY),
  step(1, 'month', 30.44 * DAY),
  step(1, 'quarter', 91.3 * DAY),
  step(1, 'year', 365.25 * DAY),
]

const LONGEST: TimeStep = { text: '1year', ms: 365.25 * DAY }

/** Returns the shortest step that divides a span into at most `parts`. */
export const timeStep = (span: number, parts: number): TimeStep => STEPS.find(({ ms }) => span / ms <= parts) ?? LONGEST

/** Returns the start of the following step. */
export function nextStep(from: number, { text, ms }: TimeStep): number {
  const date = new Date(from)
  if (text === '1month') return date.setUTCMonth(date.getUTCMonth() + 1)
  if (text === '1quarter') return date.setUTCMonth(date.getUTCMonth() + 3)
  if (text === '1year') return date.setUTCFullYear(date.getUTCFullYear() + 1)
  return from + ms
}

/** Value of an input of type datetime-local, in UTC. */
export const toInput = (ms: number): string => new Date(ms).toISOString().slice(0, 19)

export function fromInput(text: string): number | undefined {
  const ms = Date.parse(`${text}Z`)
  return Number.isNaN(ms) ? undefined : ms
}
