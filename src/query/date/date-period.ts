import { DAY_MS, dayNumber, HOUR_MS, isInstant, MINUTE_MS, SECOND_MS } from './calendar.ts'

/** The milliseconds a date text names, first and last included: a day for `2024-05-01`, one for a full instant. */
export interface DatePeriod {
  readonly first: number
  readonly last: number
}

/** The smallest part a date text gives. */
export type Precision = 'year' | 'month' | 'day' | 'halfday' | 'hour' | 'minute' | 'second' | 'millisecond'

function lengthOf(precision: Exclude<Precision, 'year' | 'month'>): number {
  switch (precision) {
    case 'second':
      return SECOND_MS
    case 'millisecond':
      return 1
    case 'minute':
      return MINUTE_MS
    case 'hour':
      return HOUR_MS
    case 'halfday':
      return 12 * HOUR_MS
    case 'day':
      return DAY_MS
  }
}

/**
 * The period that begins with a day of the calendar and a time of that day. `offset` is what the text says the local
 * time is ahead of UTC, in ms. Undefined outside the range of dates.
 */
export function periodFrom(
  year: number,
  month: number,
  day: number,
  timeOfDay: number,
  precision: Precision,
  offset: number,
): DatePeriod | undefined {
  const first = dayNumber(year, month, day) * DAY_MS + timeOfDay - offset
  let last: number
  if (precision === 'year') last = dayNumber(year + 1, month, day) * DAY_MS + timeOfDay - offset - 1
  else if (precision === 'month') last = dayNumber(year, month + 1, day) * DAY_MS + timeOfDay - offset - 1
  else last = first + lengthOf(precision) - 1
  return isInstant(first) && isInstant(last) ? { first, last } : undefined
}
