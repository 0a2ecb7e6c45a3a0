import type { FieldType } from '../../model/field-type.ts'
import { nothing, type Predicate, type RangePredicate } from '../plan/predicate.ts'
import { type Field, isInteger } from '../schema/field.ts'

/** An exact decimal: +-0.digits x 10^point. `digits` has no zero at either end and is empty for zero. */
export interface Decimal {
  readonly text: string
  readonly negative: boolean
  readonly digits: string
  readonly point: number
}

const DECIMAL = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/

/** Parses a decimal with optional sign, fraction and exponent; NaN, infinities and hexadecimals are not numbers. */
export function parseDecimal(value: string): Decimal | undefined {
  const text = value.trim()
  const match = DECIMAL.exec(text)
  if (match === null) return undefined
  const whole = match[2] ?? ''
  const fraction = match[3] ?? ''
  if (whole === '' && fraction === '') return undefined
  const all = whole + fraction
  let start = 0
  while (start < all.length && all[start] === '0') start++
  let end = all.length
  while (end > start && all[end - 1] === '0') end--
  const point = whole.length - start + Number(match[4] ?? 0)
  return { text, negative: match[1] === '-', digits: all.slice(start, end), point }
}

const LONG_DIGITS = 19

/** The largest integer not above a decimal, and whether they are equal; outside the LONG range only the side. */
type Floor = { readonly floor: bigint; readonly exact: boolean } | 'below' | 'above'

function floorOf({ digits, negative, point }: Decimal): Floor {
  if (digits === '') return { floor: 0n, exact: true }
  if (point > LONG_DIGITS) return negative ? 'below' : 'above'
  if (point <= 0) return { floor: negative ? -1n : 0n, exact: false }
  const magnitude = BigInt(digits.slice(0, point).padEnd(point, '0'))
  const exact = digits.length <= point
  return { floor: negative ? -magnitude - (exact ? 0n : 1n) : magnitude, exact }
}

const bits = { LONG: 64n, INTEGER: 32n, SHORT: 16n, BYTE: 8n } as const

function integerRange(type: FieldType): { readonly min: bigint; readonly max: bigint } {
  const width = type === 'INTEGER' || type === 'SHORT' || type === 'BYTE' ? bits[type] : bits.LONG
  const half = 1n << (width - 1n)
  return { min: -half, max: half - 1n }
}

/** Adding zero turns -0 into 0, so that engines need not handle it. */
function toDouble(type: FieldType, decimal: Decimal): number {
  const double = Number(decimal.text)
  return (type === 'FLOAT' ? Math.fround(double) : double) + 0
}

/** Returns the value of a number field that equals the decimal (spec 2.1.7); undefined if the type has none. */
export function numberOf(type: FieldType, decimal: Decimal): bigint | number | undefined {
  if (isInteger(type)) {
    const floor = floorOf(decimal)
    if (typeof floor === 'string' || !floor.exact) return undefined
    const { min, max } = integerRange(type)
    return floor.floor < min || floor.floor > max ? undefined : floor.floor
  }
  const double = toDouble(type, decimal)
  return Number.isFinite(double) ? double : undefined
}

interface DecimalBound {
  readonly decimal: Decimal
  readonly inclusive: boolean
}

/**
 * Matches documents with a value between the bounds. A bound that all values of the type satisfy is dropped, one that
 * no value satisfies gives `nothing`, and integer types get the nearest integer bounds, so engines compare within the
 * type.
 */
export function numberRange(field: Field, lower?: DecimalBound, upper?: DecimalBound): Predicate {
  return isInteger(field.type) ? integersBetween(field, lower, upper) : doublesBetween(field, lower, upper)
}

function integersBetween(field: Field, lower?: DecimalBound, upper?: DecimalBound): Predicate {
  const { min, max } = integerRange(field.type)
  const from = lower === undefined ? min : (smallest(lower) ?? (lower.decimal.negative ? min : max + 1n))
  const to = upper === undefined ? max : (largest(upper) ?? (upper.decimal.negative ? min - 1n : max))
  if (from > max || to < min || from > to) return nothing
  return rangeOrExists(field, {
    ...(from <= min ? {} : { lower: { value: from, inclusive: true } }),
    ...(to >= max ? {} : { upper: { value: to, inclusive: true } }),
  })
}

function smallest({ decimal, inclusive }: DecimalBound): bigint | undefined {
  const floor = floorOf(decimal)
  if (typeof floor === 'string') return undefined
  return floor.exact && inclusive ? floor.floor : floor.floor + 1n
}

function largest({ decimal, inclusive }: DecimalBound): bigint | undefined {
  const floor = floorOf(decimal)
  if (typeof floor === 'string') return undefined
  return floor.exact && !inclusive ? floor.floor - 1n : floor.floor
}

function doublesBetween(field: Field, lower?: DecimalBound, upper?: DecimalBound): Predicate {
  const from = lower === undefined ? -Infinity : toDouble(field.type, lower.decimal)
  const to = upper === undefined ? Infinity : toDouble(field.type, upper.decimal)
  const open = lower?.inclusive === false || upper?.inclusive === false
  if (from === Infinity || to === -Infinity || from > to || (from === to && open)) return nothing
  return rangeOrExists(field, {
    ...(lower === undefined || from === -Infinity ? {} : { lower: { value: from, inclusive: lower.inclusive } }),
    ...(upper === undefined || to === Infinity ? {} : { upper: { value: to, inclusive: upper.inclusive } }),
  })
}

function rangeOrExists(field: Field, bounds: Pick<RangePredicate, 'lower' | 'upper'>): Predicate {
  if (bounds.lower === undefined && bounds.upper === undefined) return { kind: 'exists', field }
  return { kind: 'range', field, ...bounds }
}
