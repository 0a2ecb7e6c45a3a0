import { isInstant } from './calendar.ts'
import { FormatFault, type PatternPart, parsePatternParts } from './date-pattern.ts'
import { readPatternDate } from './date-pattern-reader.ts'
import type { DatePeriod } from './date-period.ts'
import { milliseconds, readIsoDate } from './iso-date.ts'

export { FormatFault } from './date-pattern.ts'
export type { DatePeriod } from './date-period.ts'

/** One way to write a date, parsed. `text` is how the caller wrote it, for messages. */
export type DateFormat =
  | { readonly kind: 'epoch_millis'; readonly text: string }
  | { readonly kind: 'epoch_second'; readonly text: string }
  | { readonly kind: 'iso'; readonly text: string }
  | { readonly kind: 'pattern'; readonly text: string; readonly parts: readonly PatternPart[] }

/**
 * Names a mapping may use beside the three of spec 2.1.9, with the pattern they stand for. All but the basic ones may
 * begin with `strict_`. Those with a zone are read as ISO 8601, which takes every offset form mappings allow there.
 */
const NAMED_PATTERNS: ReadonlyMap<string, string> = new Map([
  ['year', 'yyyy'],
  ['year_month', 'yyyy-MM'],
  ['year_month_day', 'yyyy-MM-dd'],
  ['date', 'yyyy-MM-dd'],
  ['ordinal_date', 'yyyy-DDD'],
  ['date_hour', "yyyy-MM-dd'T'HH"],
  ['date_hour_minute', "yyyy-MM-dd'T'HH:mm"],
  ['date_hour_minute_second', "yyyy-MM-dd'T'HH:mm:ss"],
  ['date_hour_minute_second_millis', "yyyy-MM-dd'T'HH:mm:ss.SSS"],
  ['date_hour_minute_second_fraction', "yyyy-MM-dd'T'HH:mm:ss.SSS"],
  ['basic_date', 'yyyyMMdd'],
  ['basic_ordinal_date', 'yyyyDDD'],
  ['basic_date_time', "yyyyMMdd'T'HHmmss.SSSX"],
  ['basic_date_time_no_millis', "yyyyMMdd'T'HHmmssX"],
])
const ISO_NAMES: ReadonlySet<string> = new Set([
  'date_optional_time',
  'date_optional_time_nanos',
  'date_time',
  'date_time_no_millis',
  'iso8601',
])

/** A pattern of spec 3.7.4 and nothing else, as `dateformat` takes it; throws FormatFault. */
export function parseDatePattern(pattern: string): DateFormat {
  return { kind: 'pattern', text: pattern, parts: parsePatternParts(pattern) }
}

/** One entry of a field's format: a pattern of spec 3.7.4 or a name of 2.1.9; throws FormatFault. */
export function parseDateFormat(pattern: string): DateFormat {
  if (pattern === 'epoch_millis' || pattern === 'epoch_second') return { kind: pattern, text: pattern }
  const name = pattern.startsWith('strict_') ? pattern.slice('strict_'.length) : pattern
  if (ISO_NAMES.has(name)) return { kind: 'iso', text: pattern }
  const named = NAMED_PATTERNS.get(name)
  if (named !== undefined) return { kind: 'pattern', text: pattern, parts: parsePatternParts(named) }
  // Looks like a name and holds letters no pattern has: the message is better than one about a letter.
  if (/^[a-z]+(_[a-z0-9]+)+$/.test(pattern) && /[b-gi-jln-rtvwz]/.test(pattern.replaceAll('d', '')))
    throw new FormatFault(`has the unknown date format '${pattern}'`)
  return parseDatePattern(pattern)
}

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/

/** Milliseconds since 1970; digits after the point are finer than a date and are cut. */
function readEpochMillis(text: string): DatePeriod | undefined {
  const match = DECIMAL.exec(text)
  if (match === null) return undefined
  const ms = Number(`${match[1]}${match[2]}`) + 0
  return isInstant(ms) ? { first: ms, last: ms } : undefined
}

/** Seconds since 1970: the whole second, or one millisecond when there is a fraction. */
function readEpochSecond(text: string): DatePeriod | undefined {
  const match = DECIMAL.exec(text)
  if (match === null) return undefined
  const [, sign, seconds, fraction] = match
  const size = Number(seconds) * 1000 + (fraction === undefined ? 0 : milliseconds(fraction, 0, fraction.length))
  const first = sign === '-' ? 0 - size : size
  const last = fraction === undefined ? first + 999 : first
  return isInstant(first) && isInstant(last) ? { first, last } : undefined
}

/** The period a text names in a format, or undefined when the text is not of that format or no such date exists. */
export function readDate(format: DateFormat, text: string): DatePeriod | undefined {
  switch (format.kind) {
    case 'iso':
      return readIsoDate(text)
    case 'epoch_millis':
      return readEpochMillis(text)
    case 'epoch_second':
      return readEpochSecond(text)
    case 'pattern':
      return readPatternDate(format.parts, text)
  }
}
