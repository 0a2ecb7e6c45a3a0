/** The proleptic Gregorian calendar in UTC, without `Date` and its special years 0 to 99. */

export const SECOND_MS = 1000
export const MINUTE_MS = 60_000
export const HOUR_MS = 3_600_000
export const DAY_MS = 86_400_000

/** Distance of the first and last JavaScript date from 1970 (ECMA-262, time range). Milliseconds. */
const FARTHEST_MS = 8.64e15

export interface CalendarDay {
  readonly year: number
  /** 1 to 12. */
  readonly month: number
  readonly day: number
}

/** Clamps an integer to just outside the range of dates, so that it compares correctly with every date. */
export const nearestInstant = (ms: number): number => Math.max(-FARTHEST_MS - 1, Math.min(FARTHEST_MS + 1, ms)) + 0

/** True for whole milliseconds in the range of dates. */
export const isInstant = (ms: number): boolean => Number.isInteger(ms) && Math.abs(ms) <= FARTHEST_MS

/** Days from 1970-01-01 to a calendar day. A month outside 1 to 12 carries into the year. */
export function dayNumber(year: number, month: number, day: number): number {
  const carried = Math.floor((month - 1) / 12)
  const monthOfYear = month - carried * 12
  // Starting the year in March puts the leap day at its end (Howard Hinnant, days_from_civil).
  const y = year + carried - (monthOfYear <= 2 ? 1 : 0)
  const era = Math.floor(y / 400)
  const yearOfEra = y - era * 400
  const dayOfYear = Math.floor((153 * (monthOfYear + (monthOfYear > 2 ? -3 : 9)) + 2) / 5) + day - 1
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * 146_097 + dayOfEra - 719_468
}

/** The inverse of `dayNumber`. */
export function calendarDay(days: number): CalendarDay {
  const z = days + 719_468
  const era = Math.floor(z / 146_097)
  const dayOfEra = z - era * 146_097
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153)
  const month = marchMonth + (marchMonth < 10 ? 3 : -9)
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1,
  }
}

export const isLeapYear = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)

export function daysInMonth(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

/** Day of the week of a day number: 0 Monday to 6 Sunday (1970-01-01 was a Thursday). */
export const weekday = (days: number): number => (((days + 3) % 7) + 7) % 7
