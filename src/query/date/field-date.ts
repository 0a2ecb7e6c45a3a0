import type { Json } from '../../model/document.ts'
import { isInstant, nearestInstant } from './calendar.ts'
import { type DateFormat, type DatePeriod, FormatFault, parseDateFormat, readDate } from './date-format.ts'

/** The format of a DATE field whose mapping states none (spec 2.1.9). */
export const DEFAULT_FIELD_FORMAT = 'strict_date_optional_time||epoch_millis'

const parsed = new Map<string, readonly DateFormat[]>()
const readable = new Map<string, readonly DateFormat[]>()

const entries = (format: string): readonly string[] => format.split('||')

/** The `||`-separated formats of a DATE field, in order; throws FormatFault. Parsed once per text. */
export function parseFieldFormat(format: string | undefined): readonly DateFormat[] {
  const text = format ?? DEFAULT_FIELD_FORMAT
  const known = parsed.get(text)
  if (known !== undefined) return known
  const formats = entries(text).map(parseDateFormat)
  parsed.set(text, formats)
  return formats
}

/**
 * The formats of a field that exists already, those this server cannot read left out: a mapping made elsewhere may use
 * some, and its documents are still answered.
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
 * A value compared with a DATE field by eq, or given in a cursor (spec 3.7.5): read with the first format that accepts
 * it; an integer none accepts is ms. The period is what the value matches.
 */
export function readFieldDate(formats: readonly DateFormat[], value: string | number): DatePeriod | undefined {
  const text = String(value).trim()
  const period = firstReading(formats, text)
  if (period !== undefined || !/^[+-]?\d+$/.test(text)) return period
  const ms = nearestInstant(Number(text))
  return { first: ms, last: ms }
}

/** 1.001 * 1000 is a little less than 1001: rounding at the microsecond keeps the digits the source wrote. */
const secondsToMs = (seconds: number): number =>
  Number.isInteger(seconds) ? seconds * 1000 : Math.round(seconds * 1e6) / 1000

/**
 * The ms of a document's value (spec 5.5): a number counts as ms or seconds by the first of epoch_millis, epoch_second
 * in the formats; a string by the first format that reads it; anything else has none.
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
