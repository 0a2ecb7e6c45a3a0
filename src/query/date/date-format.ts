import { isInstant } from './calendar.ts'
import { FormatFault, type PatternPart, parsePatternParts } from './date-pattern.ts'
import { readPatternDate } from './date-pattern-reader.ts'
import type { DatePeriod } from './date-period.ts'
import { milliseconds, readIsoDate } from './iso-date.ts'

export { FormatFault } from './date-pattern.ts'
export type { DatePeriod } from './date-period.ts'

/** A parsed date format. `text` is its original spelling, for messages. */
export type DateFormat =
  | { readonly kind: 'epoch_millis'; readonly text: string }
  | { readonly kind: 'epoch_second'; readonly text: string }
  | { readonly kind: 'iso'; readonly text: string }
  | { readonly kind: 'pattern'; readonly text: string; readonly parts: readonly PatternPart[] }

/**
 * Format names a mapping may use besides the three of spec 2.1.9, with the equivalent pattern. All but the basic ones
 * may start with `strict_`. Those with a time zone are parsed as ISO 8601, which accepts all offset forms allowed
 * there.
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

/** Parses a pattern of spec 3.7.4, as used by `dateformat`. Throws FormatFault. */
export function parseDatePattern(pattern: string): DateFormat {
  return { kind: 'pattern', text: pattern, parts: parsePatternParts(pattern) }
}

/** Parses one entry of a field format: a pattern of spec 3.7.4 or a name of 2.1.9. Throws FormatFault. */
export function parseDateFormat(pattern: string): DateFormat {
  if (pattern === 'epoch_millis' || pattern === 'epoch_second') return { kind: pattern, text: pattern }
  const name = pattern.startsWith('strict_') ? pattern.slice('strict_'.length) : pattern
  if (ISO_NAMES.has(name)) return { kind: 'iso', text: pattern }
  const named = NAMED_PATTERNS.get(name)
  if (named !== undefined) return { kind: 'pattern', text: pattern, parts: parsePatternParts(named) }
  // Looks like a name and has letters no pattern uses: an unknown format is a better message than an invalid letter.
  if (/^[a-z]+(_[a-z0-9]+)+$/.test(pattern) && /[b-gi-jln-rtvwz]/.test(pattern.replaceAll('d', '')))
    throw new FormatFault(`has the unknown date format '${pattern}'`)
  return parseDatePattern(pattern)
}

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/

/** Milliseconds since 1970; a fraction is truncated. */
function readEpochMillis(text: string): DatePeriod | undefined {
  const match = DECIMAL.exec(text)
  if (match === null) return undefined
  const ms = Number(`${match[1]}${match[2]}`) + 0
  return isInstant(ms) ? { first: ms, last: ms } : undefined
}

/** Seconds since 1970: the whole second, or one millisecond if there is a fraction. */
function readEpochSecond(text: string): DatePeriod | undefined {
  const match = DECIMAL.exec(text)
  if (match === null) return undefined
  const [, sign, seconds, fraction] = match
  const size = Number(seconds) * 1000 + (fraction === undefined ? 0 : milliseconds(fraction, 0, fraction.length))
  const first = sign === '-' ? 0 - size : size
  const last = fraction === undefined ? first + 999 : first
  return isInstant(first) && isInstant(last) ? { first, last } : undefined
}

/** Returns the period of a text in a format; undefined if it does not match the format or the date does not exist. */
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
