import { daysInMonth, HOUR_MS, MINUTE_MS, SECOND_MS } from './calendar.ts'
import { type DatePeriod, type Precision, periodFrom } from './date-period.ts'

const ZERO = 48
const DASH = 45
const COLON = 58
const PLUS = 43
const DOT = 46
const COMMA = 44
const T = 84
const Z = 90

/** Parses two digits at `at`; -1 if invalid. Past the end charCodeAt is NaN, which fails the comparison. */
function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - ZERO
  const units = text.charCodeAt(at + 1) - ZERO
  return tens >= 0 && tens <= 9 && units >= 0 && units <= 9 ? tens * 10 + units : -1
}

/** Parses `Z`, `+hh`, `+hhmm` or `+hh:mm` from `at` to the end of the text, in ms; undefined for anything else. */
function offsetToEnd(text: string, at: number): number | undefined {
  const sign = text.charCodeAt(at)
  if (sign === Z) return text.length === at + 1 ? 0 : undefined
  if (sign !== PLUS && sign !== DASH) return undefined
  const hours = twoDigits(text, at + 1)
  const minutesAt = text.charCodeAt(at + 3) === COLON ? at + 4 : at + 3
  const minutes = text.length === at + 3 ? 0 : twoDigits(text, minutesAt)
  if (text.length !== at + 3 && text.length !== minutesAt + 2) return undefined
  if (hours < 0 || hours > 18 || minutes < 0 || minutes > 59) return undefined
  const size = hours * HOUR_MS + minutes * MINUTE_MS
  return sign === DASH ? -size : size
}

/**
 * `strict_date_optional_time`: ISO 8601 with optional trailing parts (2024, 2024-05, 2024-05-01, 2024-05-01T10, ...:30,
 * ...:15, fraction of one to nine digits), and an offset after a time. Parsed without regular expressions for speed: it
 * runs for every loaded date.
 */
export function readIsoDate(text: string): DatePeriod | undefined {
  const length = text.length
  const century = twoDigits(text, 0)
  const yearOfCentury = twoDigits(text, 2)
  if (century < 0 || yearOfCentury < 0) return undefined
  const year = century * 100 + yearOfCentury
  if (length === 4) return periodFrom(year, 1, 1, 0, 'year', 0)

  const month = twoDigits(text, 5)
  if (text.charCodeAt(4) !== DASH || month < 1 || month > 12) return undefined
  if (length === 7) return periodFrom(year, month, 1, 0, 'month', 0)

  const day = twoDigits(text, 8)
  if (text.charCodeAt(7) !== DASH || day < 1 || day > daysInMonth(year, month)) return undefined
  if (length === 10) return periodFrom(year, month, day, 0, 'day', 0)
  if (text.charCodeAt(10) !== T) return undefined

  const hour = twoDigits(text, 11)
  if (hour < 0 || hour > 23) return undefined
  let time = hour * HOUR_MS
  let precision: Precision = 'hour'
  let at = 13
  if (text.charCodeAt(at) === COLON) {
    const minute = twoDigits(text, at + 1)
    if (minute < 0 || minute > 59) return undefined
    time += minute * MINUTE_MS
    precision = 'minute'
    at += 3
    if (text.charCodeAt(at) === COLON) {
      const second = twoDigits(text, at + 1)
      if (second < 0 || second > 59) return undefined
      time += second * SECOND_MS
      precision = 'second'
      at += 3
      const mark = text.charCodeAt(at)
      if (mark === DOT || mark === COMMA) {
        const end = endOfDigits(text, at + 1)
        if (end === at + 1 || end > at + 10) return undefined
        time += milliseconds(text, at + 1, end)
        precision = 'millisecond'
        at = end
      }
    }
  }
  const offset = at === length ? 0 : offsetToEnd(text, at)
  return offset === undefined ? undefined : periodFrom(year, month, day, time, precision, offset)
}

/** Returns the offset after the run of ASCII digits at `at`. */
export function endOfDigits(text: string, at: number): number {
  let end = at
  while (text.charCodeAt(end) >= ZERO && text.charCodeAt(end) <= ZERO + 9) end++
  return end
}

/** Parses the fraction of a second in [from, end), truncated to milliseconds. */
export function milliseconds(text: string, from: number, end: number): number {
  let ms = 0
  for (let i = from; i < from + 3; i++) ms = ms * 10 + (i < end ? text.charCodeAt(i) - ZERO : 0)
  return ms
}
