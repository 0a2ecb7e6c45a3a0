import { type CalendarDay, calendarDay, DAY_MS, dayNumber, HOUR_MS, MINUTE_MS, SECOND_MS, weekday } from './calendar.ts'
import type { DateFormat } from './date-format.ts'
import {
  type NamedPart,
  type NumberPart,
  type OffsetStyle,
  type PatternPart,
  parsePatternParts,
} from './date-pattern.ts'
import { readableFormats } from './field-date.ts'

/** Prints an instant, given in ms since 1970. */
export type DatePrinter = (ms: number) => string

const FULL_INSTANT = parsePatternParts("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'")

/** Years of four digits, where toISOString gives the same result and is faster. */
const FIRST_PLAIN_MS = dayNumber(1, 1, 1) * DAY_MS
const END_PLAIN_MS = dayNumber(10_000, 1, 1) * DAY_MS

/** Returns the printer of a format, in UTC; patterns truncate fractions of a millisecond. */
export function datePrinter(format: DateFormat): DatePrinter {
  switch (format.kind) {
    case 'epoch_millis':
      return String
    case 'epoch_second':
      return (ms) => String(ms / SECOND_MS)
    case 'iso':
      return printInstant
    case 'pattern':
      return (ms) => printParts(format.parts, ms)
  }
}

function printInstant(ms: number): string {
  const isPlain = ms >= FIRST_PLAIN_MS && ms < END_PLAIN_MS
  return isPlain ? new Date(Math.floor(ms)).toISOString() : printParts(FULL_INSTANT, ms)
}

function printParts(parts: readonly PatternPart[], ms: number): string {
  const moment = momentOf(Math.floor(ms))
  let text = ''
  for (const part of parts) text += printPart(part, moment)
  return text
}

/**
 * Returns the printer for the values of a DATE field as keys (spec 2.2 of aggregations): the first format of its
 * mapping if that is an epoch format or a pattern; named formats print the whole instant.
 */
export function fieldDatePrinter(format: string | undefined): DatePrinter {
  const [first] = readableFormats(format?.split('||', 1)[0])
  return first === undefined || isNamedPattern(first) ? printInstant : datePrinter(first)
}

/** Only names contain letters, outside quotes, that are not pattern letters. */
const isNamedPattern = ({ kind, text }: DateFormat): boolean =>
  kind === 'pattern' && /^[a-z_]*[^adhkmsuxy_][a-z_]*$/.test(text) && !text.includes("'")

/** A calendar day with its day number, and the milliseconds since its start. */
interface Moment extends CalendarDay {
  readonly days: number
  readonly time: number
}

function momentOf(ms: number): Moment {
  const days = Math.floor(ms / DAY_MS)
  const { year, month, day } = calendarDay(days)
  return { year, month, day, days, time: ms - days * DAY_MS }
}

function numberIn(part: NumberPart | NamedPart, { year, month, day, days, time }: Moment): number {
  const hour = Math.floor(time / HOUR_MS)
  switch (part) {
    case 'year':
      return year
    case 'yearOfEra':
      // Year 0 is the year 1 of the previous era.
      return year > 0 ? year : 1 - year
    case 'yearOfCentury':
      return ((year % 100) + 100) % 100
    case 'month':
      return month
    case 'day':
      return day
    case 'dayOfYear':
      return days - dayNumber(year, 1, 1) + 1
    case 'weekday':
      return weekday(days)
    case 'hour':
      return hour
    case 'clockHour':
      return hour === 0 ? 24 : hour
    case 'halfday':
      return hour < 12 ? 0 : 1
    case 'halfdayHour':
      return hour % 12
    case 'halfdayClockHour':
      return hour % 12 === 0 ? 12 : hour % 12
    case 'minute':
      return Math.floor((time % HOUR_MS) / MINUTE_MS)
    case 'second':
      return Math.floor((time % MINUTE_MS) / SECOND_MS)
  }
}

function printPart(part: PatternPart, moment: Moment): string {
  switch (part.kind) {
    case 'text':
      return part.text
    case 'number': {
      const value = numberIn(part.part, moment)
      const digits = String(Math.abs(value)).padStart(part.min, '0')
      return value < 0 ? `-${digits}` : digits
    }
    case 'fraction':
      return String(moment.time % SECOND_MS)
        .padStart(3, '0')
        .padEnd(part.digits, '0')
        .slice(0, part.digits)
    case 'name':
      return part.names[part.part === 'month' ? moment.month - 1 : numberIn(part.part, moment)] ?? ''
    case 'offset':
      return printUtc(part.style)
  }
}

/** Prints the UTC offset in the style of the pattern. */
function printUtc(style: OffsetStyle): string {
  if (style.gmt) return 'GMT'
  if (style.zulu) return 'Z'
  if (style.minutes === 'optional') return '+00'
  return style.colon ? '+00:00' : '+0000'
}
