import { readableFormats, readFieldDate } from '../date/field-date.ts'
import type { Scalar } from '../plan/predicate.ts'
import { type Field, isNumber } from '../schema/field.ts'
import { parseIp } from './ip-address.ts'
import { numberOf, parseDecimal } from './numbers.ts'

/**
 * One value of a field as a caller writes it; undefined when it does not fit the type, null for a number the type does
 * not have (1.5 of an integer). A date that names a period is its first instant.
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

/** `true` or `false` in any case. */
export function readBoolean(text: string): boolean | undefined {
  const lower = text.toLowerCase()
  return lower === 'true' ? true : lower === 'false' ? false : undefined
}
