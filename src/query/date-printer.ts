import { calendarDay, DAY_MS, dayNumber, HOUR_MS, MINUTE_MS, SECOND_MS, weekday } from './calendar.ts'
import { type DateFormat, parseDatePattern } from './date-format.ts'
import type { NamedPart, NumberPart, OffsetStyle, PatternPart } from './date-pattern.ts'
import { readableFormats } from './field-date.ts'

/** Prints an instant, in ms since 1970. */
export type DatePrinter = (ms: number) => string

const FULL_INSTANT = parseDatePattern("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'")

/** How instants are printed in a format, in UTC; what is finer than a millisecond is cut off by patterns. */
export function datePrinter(format: DateFormat): DatePrinter {
  switch (format.kind) {
    case 'epoch_millis':
      return String
    case 'epoch_second':
      return (ms) => String(ms / SECOND_MS)
    case 'iso':
      return datePrinter(FULL_INSTANT)
    case 'pattern': {
      const { parts } = format
      return (ms) => {
        const fields = dateFields(Math.floor(ms))
        let text = ''
        for (const part of parts) text += printPart(part, fields)
        return text
      }
    }
  }
}

/**
 * How a DATE field's values are printed as keys (spec 2.2 of aggregations): by the first format of its mapping when
 * that is an epoch or a pattern of its own; formats that only have a name print the whole instant.
 */
export function fieldDatePrinter(format: string | undefined): DatePrinter {
  const [first] = readableFormats(format?.split('||', 1)[0])
  return datePrinter(first === undefined || isNamedPattern(first) ? FULL_INSTANT : first)
}

/** Only a name has, outside quotes, letters that no pattern has. */
const isNamedPattern = ({ kind, text }: DateFormat): boolean =>
  kind === 'pattern' && /^[a-z_]*[^adhkmsuxy_][a-z_]*$/.test(text) && !text.includes("'")

type DateFields = Readonly<Record<NumberPart | NamedPart | 'millisecond', number>>

function dateFields(ms: number): DateFields {
  const days = Math.floor(ms / DAY_MS)
  const time = ms - days * DAY_MS
  const { year, month, day } = calendarDay(days)
  const hour = Math.floor(time / HOUR_MS)
  return {
    year,
    // The year before 1 is the year 1 of the other era.
    yearOfEra: year > 0 ? year : 1 - year,
    yearOfCentury: ((year % 100) + 100) % 100,
    month,
    day,
    dayOfYear: days - dayNumber(year, 1, 1) + 1,
    weekday: weekday(days),
    hour,
    clockHour: hour === 0 ? 24 : hour,
    halfday: hour < 12 ? 0 : 1,
    halfdayHour: hour % 12,
    halfdayClockHour: hour % 12 === 0 ? 12 : hour % 12,
    minute: Math.floor((time % HOUR_MS) / MINUTE_MS),
    second: Math.floor((time % MINUTE_MS) / SECOND_MS),
    millisecond: time % SECOND_MS,
  }
}

function printPart(part: PatternPart, fields: DateFields): string {
  switch (part.kind) {
    case 'text':
      return part.text
    case 'number': {
      const value = fields[part.part]
      const digits = String(Math.abs(value)).padStart(part.min, '0')
      return value < 0 ? `-${digits}` : digits
    }
    case 'fraction':
      return String(fields.millisecond).padStart(3, '0').padEnd(part.digits, '0').slice(0, part.digits)
    case 'name':
      return part.names[part.part === 'month' ? fields.month - 1 : fields[part.part]] ?? ''
    case 'offset':
      return printUtc(part.style)
  }
}

/** Everything is UTC: the offset is none, in the style asked for. */
function printUtc(style: OffsetStyle): string {
  if (style.gmt) return 'GMT'
  if (style.zulu) return 'Z'
  if (style.minutes === 'optional') return '+00'
  return style.colon ? '+00:00' : '+0000'
}
