import { DAY_MS, dayNumber, HOUR_MS, isInstant, MINUTE_MS, SECOND_MS } from './calendar.ts'

/**
 * The milliseconds named by a date text, both ends inclusive: a day for `2024-05-01`, a single ms for a full instant.
 */
export interface DatePeriod {
  readonly first: number
  readonly last: number
}

/** The finest part a date text contains. */
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
 * Returns the period that begins with a calendar day and a time of day. `offset` is the UTC offset of the text, in ms.
 * Undefined outside the range of dates.
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
