import type { DuckDBValue } from '@duckdb/node-api'

/**
 * The values of one column. Typed forms refer to the memory of the writer: read them before it goes on. Bit r & 7 of
 * byte r >> 3 of `valid` is set if row r has a value.
 */
export type IncomingColumn = PlainValues | IncomingNumbers | IncomingLongs | IncomingTexts

/** Any values, null for none. Integers may be numbers or bigints. */
interface PlainValues {
  readonly kind: 'plain'
  readonly values: ArrayLike<DuckDBValue>
}

/** Numbers; booleans as 0 and 1. */
export interface IncomingNumbers {
  readonly kind: 'numbers'
  readonly valid: Uint8Array
  readonly values: Numbers
}

type Numbers = Float64Array | Float32Array | Int32Array | Int16Array | Int8Array | Uint8Array

/** Integers of 64 bits: the lower half, then the upper half of each. */
export interface IncomingLongs {
  readonly kind: 'longs'
  readonly valid: Uint8Array
  readonly halves: Uint32Array
}

/** Texts in UTF-8. */
export interface IncomingTexts {
  readonly kind: 'texts'
  readonly valid: Uint8Array
  readonly bytes: Buffer
  readonly starts: Uint32Array
  readonly lengths: Uint32Array
}

export const plainValues = (values: ArrayLike<DuckDBValue>): IncomingColumn => ({ kind: 'plain', values })

/** Returns the value of a row, or null. Integers beyond 2^53 are bigints. */
export function valueAt(column: IncomingColumn, row: number): DuckDBValue {
  if (column.kind === 'plain') return column.values[row] ?? null
  if (!isValid(column.valid, row)) return null
  switch (column.kind) {
    case 'numbers':
      return column.values[row] ?? null
    case 'longs': {
      const long = longAt(column.halves, row)
      return Number.isSafeInteger(long) ? long : exactLongAt(column.halves, row)
    }
    case 'texts': {
      const start = column.starts[row] ?? 0
      return column.bytes.toString('utf8', start, start + (column.lengths[row] ?? 0))
    }
  }
}

export const isValid = (valid: Uint8Array, row: number): boolean => ((valid[row >> 3] ?? 0) & (1 << (row & 7))) !== 0

/** Returns a signed integer, rounded if it exceeds 2^53. */
const longAt = (halves: Uint32Array, row: number): number =>
  ((halves[2 * row + 1] ?? 0) | 0) * 2 ** 32 + (halves[2 * row] ?? 0)

const exactLongAt = (halves: Uint32Array, row: number): bigint =>
  (BigInt((halves[2 * row + 1] ?? 0) | 0) << 32n) | BigInt(halves[2 * row] ?? 0)

export function hasValues(column: IncomingColumn, count: number): boolean {
  if (column.kind === 'plain') {
    for (let row = 0; row < count; row++) if ((column.values[row] ?? null) !== null) return true
    return false
  }
  for (let row = 0; row < count; row++) if (isValid(column.valid, row)) return true
  return false
}

/**
 * Writes the values as numbers, rounded if necessary, to `to` from `at` on; NaN for none. Copying all of them at once is
 * faster than a loop over arrays of many types.
 */
export function copyNumbers(column: IncomingColumn, count: number, to: Float64Array, at: number): void {
  const { valid, values } = numbersOf(column, count)
  to.set(values.subarray(0, count), at)
  for (let row = 0; row < count; row++) if (!isValid(valid, row)) to[at + row] = Number.NaN
}

/** Returns the values as numbers, rounded if necessary. */
export function numbersOf(column: IncomingColumn, count: number): IncomingNumbers {
  if (column.kind === 'numbers') return column
  const valid = validBits(count)
  const values = new Float64Array(count)
  if (column.kind === 'longs') {
    for (let row = 0; row < count; row++) values[row] = longAt(column.halves, row)
    return { kind: 'numbers', valid: column.valid, values }
  }
  for (let row = 0; row < count; row++) {
    const value = valueAt(column, row)
    if (value === null) continue
    setValid(valid, row)
    values[row] = Number(value)
  }
  return { kind: 'numbers', valid, values }
}

/** Returns the values as integers of 64 bits, signed or not. */
export function longsOf(column: IncomingColumn, count: number): IncomingLongs {
  if (column.kind === 'longs') return column
  const valid = validBits(count)
  // Every platform of DuckDB is little-endian.
  const longs = new BigUint64Array(count)
  for (let row = 0; row < count; row++) {
    const value = valueAt(column, row)
    if (value === null) continue
    setValid(valid, row)
    longs[row] = BigInt(value as bigint | number)
  }
  return { kind: 'longs', valid, halves: new Uint32Array(longs.buffer) }
}

/** Returns the values as texts. A lone surrogate becomes U+FFFD, as in the database. */
export function textsOf(column: IncomingColumn, count: number): IncomingTexts {
  if (column.kind === 'texts') return column
  const valid = validBits(count)
  const starts = new Uint32Array(count)
  const lengths = new Uint32Array(count)
  const encoded: Buffer[] = []
  let end = 0
  for (let row = 0; row < count; row++) {
    const value = valueAt(column, row)
    if (value === null) continue
    const bytes = Buffer.from(String(value))
    encoded.push(bytes)
    setValid(valid, row)
    starts[row] = end
    lengths[row] = bytes.length
    end += bytes.length
  }
  return { kind: 'texts', valid, bytes: Buffer.concat(encoded, end), starts, lengths }
}

const validBits = (count: number): Uint8Array => new Uint8Array((count + 7) >> 3)

function setValid(valid: Uint8Array, row: number): void {
  valid[row >> 3] = (valid[row >> 3] ?? 0) | (1 << (row & 7))
}
