import type { Bound, RangePredicate, Scalar } from '../../../../query/plan/predicate.ts'
import type { NumberColumn, Packing } from '../../segment/column.ts'
import { type CodeSet, codeList, codeRange } from './filter-codes.ts'

/** Doubles from `low` to `high`, both included. */
export interface Interval {
  readonly low: number
  readonly high: number
}

type Type = Pick<NumberColumn, 'type'>['type']

/** Returns the interval of the stored values that a range matches. */
export function intervalOf({ lower, upper }: RangePredicate, type: Type): Interval {
  return {
    low: lower === undefined ? -Infinity : limitOf(lower, type, nextAbove),
    high: upper === undefined ? Infinity : limitOf(upper, type, nextBelow),
  }
}

function limitOf({ value, inclusive }: Bound, type: Type, next: (value: number) => number): number {
  const limit = storedNumber(value, type)
  return inclusive || isBeyondDoubles(value) ? limit : next(limit)
}

/** Returns distinct stored values that equal one of those given, ascending. */
export function storedNumbers(values: readonly Scalar[], type: Type): Float64Array {
  const numbers = values.filter((value) => !isBeyondDoubles(value)).map((value) => storedNumber(value, type))
  return Float64Array.from(new Set(numbers)).sort()
}

/** FLOAT is stored in single precision. An integer that is no double exceeds all values, which are. */
function storedNumber(value: Scalar, type: Type): number {
  if (isBeyondDoubles(value)) return value > 0 ? Infinity : -Infinity
  const number = Number(value)
  return (type === 'FLOAT' ? Math.fround(number) : number) + 0
}

const isBeyondDoubles = (value: Scalar): value is bigint =>
  typeof value === 'bigint' && (value > Number.MAX_SAFE_INTEGER + 1 || value < -Number.MAX_SAFE_INTEGER - 1)

const double = new Float64Array(1)
const bits = new BigInt64Array(double.buffer)

/** The least double that is greater. */
function nextAbove(value: number): number {
  if (value === Infinity) return Number.NaN
  if (value === 0) return Number.MIN_VALUE
  double[0] = value
  bits[0] = (bits[0] ?? 0n) + (value > 0 ? 1n : -1n)
  return double[0]
}

const nextBelow = (value: number): number => -nextAbove(-value)

/** Stored numbers above all codes. */
const CODE_LIMIT = 2 ** 32 - 1

/** Returns the codes of the packed values in an interval. */
export function packedInterval({ low, high }: Interval, packing: Packing): CodeSet {
  // NaN, next to infinity, is in no interval.
  if (!(low <= high)) return codeRange(1, 0)
  const first = firstCode(low, packing)
  const last = firstCode(high, packing)
  return codeRange(first, unpack(last, packing) === high ? Math.min(last, CODE_LIMIT) : last - 1)
}

/** Returns the codes of packed values. */
export function packedNumbers(values: Float64Array, packing: Packing): CodeSet {
  const codes = Array.from(values, (value) => ({ value, code: firstCode(value, packing) }))
  const exact = codes.filter(({ value, code }) => code <= CODE_LIMIT && unpack(code, packing) === value)
  return codeList(Uint32Array.from(exact, ({ code }) => code))
}

const unpack = (code: number, { base, step }: Packing): number => base + (code - 1) * step

/** The first code whose value is not less than `value`; CODE_LIMIT + 1 if none. */
function firstCode(value: number, packing: Packing): number {
  const near = Math.ceil((value - packing.base) / packing.step) + 1
  let code = Math.min(Math.max(near, 1), CODE_LIMIT + 1)
  // The division is rounded.
  while (code > 1 && unpack(code - 1, packing) >= value) code--
  while (code <= CODE_LIMIT && unpack(code, packing) < value) code++
  return code
}
