import type { Json } from '../../model/json/document.ts'
import { isInstant, nearestInstant } from './calendar.ts'
import { type DateFormat, type DatePeriod, FormatFault, parseDateFormat, readDate } from './date-format.ts'

/** Default format of a DATE field (spec 2.1.9). */
const DEFAULT_FIELD_FORMAT = 'strict_date_optional_time||epoch_millis'

const parsed = new Map<string, readonly DateFormat[]>()
const readable = new Map<string, readonly DateFormat[]>()

const entries = (format: string): readonly string[] => format.split('||')

/** Parses the `||`-separated formats of a DATE field, in order; cached by text. Throws FormatFault. */
export function parseFieldFormat(format: string | undefined): readonly DateFormat[] {
  const text = format ?? DEFAULT_FIELD_FORMAT
  const known = parsed.get(text)
  if (known !== undefined) return known
  const formats = entries(text).map(parseDateFormat)
  parsed.set(text, formats)
  return formats
}

/**
 * Formats of an existing field, without those that are not supported: the mapping may come from elsewhere, and its
 * documents must still be returned.
 */
export function readableFormats(format: string | undefined): readonly DateFormat[] {
  const text = format ?? DEFAULT_FIELD_FORMAT
  const known = readable.get(text)
  if (known !== undefined) return known
  const formats = entries(text).flatMap((entry) => {
    try {
      return [parseDateFormat(entry)]
    } catch (fault) {
      if (fault instanceof FormatFault) return []
      throw fault
    }
  })
  readable.set(text, formats)
  return formats
}

function firstReading(formats: readonly DateFormat[], text: string): DatePeriod | undefined {
  for (const format of formats) {
    const period = readDate(format, text)
    if (period !== undefined) return period
  }
  return undefined
}

/**
 * Parses a value compared with a DATE field by eq, or given in a cursor (spec 3.7.5), with the first format that
 * accepts it; an integer that none accepts is ms. Returns the period the value matches.
 */
export function readFieldDate(formats: readonly DateFormat[], value: string | number): DatePeriod | undefined {
  const text = String(value).trim()
  const period = firstReading(formats, text)
  if (period !== undefined || !/^[+-]?\d+$/.test(text)) return period
  const ms = nearestInstant(Number(text))
  return { first: ms, last: ms }
}

/** 1.001 * 1000 is slightly less than 1001: rounding to the microsecond keeps the digits of the source. */
const secondsToMs = (seconds: number): number =>
  Number.isInteger(seconds) ? seconds * 1000 : Math.round(seconds * 1e6) / 1000

/**
 * Returns the ms of a stored value (spec 5.5): a number is ms or seconds by the first of epoch_millis, epoch_second in
 * the formats; a string uses the first format that accepts it; other values are undefined.
 */
export function readStoredDate(formats: readonly DateFormat[], value: Json): number | undefined {
  if (typeof value === 'string') return firstReading(formats, value)?.first
  if (typeof value !== 'number') return undefined
  for (const { kind } of formats) {
    if (kind !== 'epoch_millis' && kind !== 'epoch_second') continue
    const ms = Math.trunc(kind === 'epoch_millis' ? value : secondsToMs(value)) + 0
    return isInstant(ms) ? ms : undefined
  }
  return undefined
}
