import type { Json } from '../../model/json/document.ts'
import type { DateFormat } from '../date/date-format.ts'
import { readableFormats, readStoredDate } from '../date/field-date.ts'
import type { Scalar } from '../plan/predicate.ts'
import { isArray } from '../schema/document-path.ts'
import type { Field } from '../schema/field.ts'
import { parseIp } from './ip-address.ts'

export { rawAt, valuesAt } from '../schema/document-path.ts'

const NONE: readonly Scalar[] = []

/** Range of an integer type. LONG has the bounds of 64 bits. */
interface IntegerRange {
  readonly min: bigint
  readonly max: bigint
}

const range = (bits: bigint): IntegerRange => ({ min: -(2n ** (bits - 1n)), max: 2n ** (bits - 1n) - 1n })
const LONG = range(64n)
const INTEGER = range(32n)
const SHORT = range(16n)
const BYTE = range(8n)

const WHOLE = /^[+-]?\d+$/
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/
/** Far more digits than 64 bits have; longer strings are not converted to a bigint. */
const LONGEST_INTEGER = 400

/** Parses a number or a decimal string; undefined for anything else, including NaN and infinities. */
function readNumber(value: Json): number | undefined {
  const number = typeof value === 'string' && DECIMAL.test(value) ? Number(value) : value
  // Adding 0 turns -0 into 0.
  return typeof number === 'number' && Number.isFinite(number) ? number + 0 : undefined
}

function readInteger(value: Json, bounds: IntegerRange): bigint | undefined {
  let integer: bigint
  if (typeof value === 'string') {
    if (value.length > LONGEST_INTEGER) return undefined
    const whole = WHOLE.test(value) ? value : /^[+-]?\d+(?=\.\d*$)/.exec(value)?.[0]
    if (whole !== undefined) {
      integer = BigInt(whole.startsWith('+') ? whole.slice(1) : whole)
    } else {
      const number = readNumber(value)
      if (number === undefined) return undefined
      integer = BigInt(Math.trunc(number))
    }
  } else if (typeof value === 'number' && Number.isFinite(value)) {
    integer = BigInt(Math.trunc(value))
    // The largest LONG is not a double: parsing JSON rounds it up to 2^63.
    if (value === 2 ** 63 && bounds === LONG) integer = LONG.max
  } else {
    return undefined
  }
  return integer >= bounds.min && integer <= bounds.max ? integer : undefined
}

function readFloat(value: Json): number | undefined {
  const number = readNumber(value)
  const rounded = number === undefined ? undefined : Math.fround(number) + 0
  return rounded !== undefined && Number.isFinite(rounded) ? rounded : undefined
}

function readText(value: Json): string | undefined {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}

function readBoolean(value: Json): boolean | undefined {
  if (typeof value === 'boolean') return value
  return value === 'true' ? true : value === 'false' ? false : undefined
}

/** As `readStoredDate`; if no format is an epoch, a number may still be a year (`yyyy`) or a day (`yyyyMMdd`). */
function readDate(value: Json, formats: readonly DateFormat[]): number | undefined {
  if (typeof value !== 'number' || formats.some(isEpoch)) return readStoredDate(formats, value)
  return readStoredDate(formats, String(value))
}

const isEpoch = ({ kind }: DateFormat): boolean => kind === 'epoch_millis' || kind === 'epoch_second'

/** Converts one value of a field, not an array; undefined if it does not fit the type of the field. */
export function readStoredValue(field: Field, value: Json): Scalar | undefined {
  switch (field.type) {
    case 'KEYWORD':
    case 'TEXT':
      return readText(value)
    case 'LONG':
      return readInteger(value, LONG)
    case 'INTEGER':
      return readInteger(value, INTEGER)
    case 'SHORT':
      return readInteger(value, SHORT)
    case 'BYTE':
      return readInteger(value, BYTE)
    case 'DOUBLE':
      return readNumber(value)
    case 'FLOAT':
      return readFloat(value)
    case 'DATE':
      return readDate(value, readableFormats(field.format))
    case 'BOOLEAN':
      return readBoolean(value)
    case 'IP':
      return typeof value === 'string' ? parseIp(value) : undefined
    case 'GEO_POINT':
    case 'GEO_SHAPE':
    case 'OBJECT':
    case 'NESTED':
    case 'UNKNOWN':
      return undefined
  }
}

function addValues(field: Field, value: Json, values: Scalar[]): void {
  if (isArray(value)) {
    for (const member of value) addValues(field, member, values)
    return
  }
  const scalar = readStoredValue(field, value)
  if (scalar !== undefined) values.push(scalar)
}

/**
 * Returns the typed values of a field of a document: one, or an array of any depth. Nulls and values that do not fit
 * the type of the field are skipped.
 */
export function readStoredValues(field: Field, value: Json): readonly Scalar[] {
  if (value === null) return NONE
  if (typeof value !== 'object') {
    const scalar = readStoredValue(field, value)
    return scalar === undefined ? NONE : [scalar]
  }
  if (!isArray(value)) return NONE
  const values: Scalar[] = []
  addValues(field, value, values)
  return values
}
