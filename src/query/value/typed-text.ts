import { readableFormats, readFieldDate } from '../date/field-date.ts'
import type { Scalar } from '../plan/predicate.ts'
import { type Field, isNumber } from '../schema/field.ts'
import { parseIp } from './ip-address.ts'
import { numberOf, parseDecimal } from './numbers.ts'

/**
 * Parses one value of a field as written by a caller; undefined if it does not fit the type, null for a number outside
 * the type (1.5 for an integer). A date that names a period gives its first instant.
 */
export function readTypedText(field: Field, text: string): Scalar | null | undefined {
  switch (field.type) {
    case 'KEYWORD':
      return text
    case 'DATE':
      return readFieldDate(readableFormats(field.format), text)?.first
    case 'BOOLEAN':
      return readBoolean(text)
    case 'IP':
      return parseIp(text)
    default: {
      const decimal = isNumber(field.type) ? parseDecimal(text) : undefined
      return decimal === undefined ? undefined : (numberOf(field.type, decimal) ?? null)
    }
  }
}

/** Parses `true` or `false`, case-insensitive. */
export function readBoolean(text: string): boolean | undefined {
  const lower = text.toLowerCase()
  return lower === 'true' ? true : lower === 'false' ? false : undefined
}
