import { problem } from '../../../../../errors.ts'
import { calendarDay, DAY_MS, dayNumber } from '../../../../../query/date/calendar.ts'
import type {
  DateHistogramGrouping,
  DateInterval,
  HistogramGrouping,
  TermGrouping,
} from '../../../../../query/plan/aggregation-plan.ts'
import { BLOCK, type NumberColumn, type Packing } from '../../../segment/column.ts'
import { readCodes, readNumbers } from '../arrays/block-reader.ts'
import { rangeOfNumbers } from '../arrays/number-range.ts'
import { doubleAt, numberOfDouble, PairTable } from '../arrays/pair-table.ts'
import type { ScannedPart } from '../arrays/scan.ts'
import { type FilledKeys, isDense, NO_ID } from './key-column.ts'
import type { NumberSpace } from './key-space.ts'

type NumberGrouping = TermGrouping | HistogramGrouping | DateHistogramGrouping

/** How the values of a level become keys. */
interface NumberKeying {
  /** Values are first reduced to floor((value + shift) / length). Undefined: they are keys as they are. */
  readonly step: Step | undefined
  /** Set if several successive reduced values have the same key. */
  readonly foldedTo?: 'month' | 'quarter' | 'year'
  /** Returns the key of a reduced value; undefined if it gets no bucket. */
  readonly keyOf: (reduced: number) => number | undefined
}

/** Days from Monday to the weekday of 1970-01-01, a Thursday. */
const EPOCH_WEEKDAY = 3
const MONTHS = { month: 1, quarter: 3, year: 12 } as const

export function numberKeying(grouping: NumberGrouping): NumberKeying {
  switch (grouping.kind) {
    case 'term':
      return { step: undefined, keyOf: termKey(grouping) }
    case 'histogram': {
      const { interval } = grouping
      return { step: { length: interval, shift: 0 }, keyOf: (bucket) => histogramStart(bucket, interval) }
    }
    case 'datehistogram':
      return dateKeying(grouping.interval)
  }
}

function termKey({ field, include }: TermGrouping): NumberKeying['keyOf'] {
  if (include?.kind !== 'values') return (value) => value
  const exact = include.values.filter((v) => typeof v !== 'bigint' || BigInt(Number(v)) === v).map(Number)
  const values = new Set(field.type === 'FLOAT' ? exact.map(Math.fround) : exact)
  return (value) => (values.has(value) ? value : undefined)
}

function histogramStart(bucket: number, interval: number): number {
  const start = bucket * interval
  if (Number.isFinite(start)) return start
  const reason = 'must be larger: bucket numbers would exceed the integer range'
  throw problem('LIMIT_EXCEEDED', { parameter: 'interval', value: interval, reason, setting: 'limits.buckets' })
}

function dateKeying(interval: DateInterval): NumberKeying {
  if (interval.kind === 'fixed' || interval.unit === 'week') {
    const [length, shift] = interval.kind === 'fixed' ? [interval.length, 0] : [7 * DAY_MS, EPOCH_WEEKDAY * DAY_MS]
    return { step: { length, shift }, keyOf: (bucket) => bucket * length - shift }
  }
  const months = MONTHS[interval.unit]
  const keyOf = (day: number): number => {
    const { year, month } = calendarDay(day)
    return dayNumber(year, month - ((month - 1) % months), 1) * DAY_MS
  }
  return { step: { length: DAY_MS, shift: 0 }, foldedTo: interval.unit, keyOf }
}

/** Returns the keys of a column of a part. */
export function numberKeys(
  column: NumberColumn,
  scanned: ScannedPart | undefined,
  keying: NumberKeying,
  space: NumberSpace,
): FilledKeys | undefined {
  if (scanned === undefined) return undefined
  const rows = Math.min(scanned.part.rows, scanned.filter.most)
  const range = rangeOfNumbers(column, scanned.part.rows)
  if (range === undefined) return undefined
  const { packing } = column
  if (packing !== undefined) {
    const slots = (range.max - packing.base) / packing.step + 2
    // Wide packed values are better reduced first: their slots would not stay in the cache.
    if (
      isDense(slots, rows) &&
      (keying.step === undefined || (slots <= MOST_PACKED && keying.foldedTo === undefined))
    ) {
      return new PackedKeys(column, Math.round(slots), keying, space)
    }
  }
  if (keying.step !== undefined) {
    const { length, shift } = keying.step
    const first = Math.floor((range.min + shift) / length)
    const last = Math.floor((range.max + shift) / length)
    const slots = last - first + 2
    // Beyond 2^53, numbers of buckets cannot be counted from the first.
    const areCountable = Number.isSafeInteger(first - 2) && Number.isSafeInteger(last + 2)
    if (areCountable && isDense(slots, rows)) return new SteppedKeys(column, first, slots, keying.step, keying, space)
  }
  return new TabledKeys(column, keying, space)
}

const MOST_PACKED = 2 ** 12

/** Reduced values up to which a table tells their slots. */
const MOST_FOLDED = 2 ** 16

/** Slots are the packed values. */
class PackedKeys implements FilledKeys {
  readonly kind = 'filled'
  readonly bounded = true
  readonly slots: number
  readonly starts: Uint32Array | undefined
  readonly scheme: FilledKeys['scheme']
  readonly #column: NumberColumn
  readonly #keying: NumberKeying
  readonly #space: NumberSpace

  constructor(column: NumberColumn, slots: number, keying: NumberKeying, space: NumberSpace) {
    this.slots = slots
    this.starts = column.starts
    this.scheme = { column, name: 'packed' }
    this.#column = column
    this.#keying = keying
    this.#space = space
  }

  fill(rows: Uint32Array | undefined, from: number, count: number, out: Uint32Array): void {
    const { values } = this.#column
    if (!(values instanceof Float64Array)) readCodes(values, rows, from, count, out)
  }

  idOf(slot: number): number {
    const { base = 0, step = 1 } = this.#column.packing ?? {}
    return idOfValue(base + (slot - 1) * step, this.#keying, this.#space)
  }
}

function idOfValue(value: number, { step, keyOf }: NumberKeying, space: NumberSpace): number {
  const key = keyOf(step === undefined ? value : Math.floor((value + step.shift) / step.length))
  return key === undefined ? NO_ID : space.idOfNumber(key)
}

let scratch = new Float64Array(BLOCK)

function scratchOf(count: number): Float64Array {
  if (count > scratch.length) scratch = new Float64Array(2 * count)
  return scratch
}

/** Slots are reduced values, counted from the first; or the keys of reduced values, if several have the same. */
class SteppedKeys implements FilledKeys {
  readonly kind = 'filled'
  readonly bounded = true
  readonly slots: number
  readonly starts: Uint32Array | undefined
  readonly scheme: FilledKeys['scheme']
  readonly #column: NumberColumn
  readonly #first: number
  readonly #step: Step
  readonly #keying: NumberKeying
  readonly #space: NumberSpace
  readonly #fold: Fold | undefined
  readonly #reduction: Reduction | undefined

  constructor(
    column: NumberColumn,
    first: number,
    slots: number,
    step: Step,
    keying: NumberKeying,
    space: NumberSpace,
  ) {
    this.starts = column.starts
    this.#column = column
    this.#first = first
    this.#step = step
    this.#keying = keying
    this.#space = space
    this.#fold = keying.foldedTo && slots <= MOST_FOLDED ? foldOf(keying, first, slots) : undefined
    this.#reduction = reductionOf(column.packing, first, slots, step)
    this.slots = this.#fold ? this.#fold.firsts.length : slots
    this.scheme = { column, name: `${step.length} ${step.shift} ${this.#fold ? keying.foldedTo : ''}` }
  }

  fill(rows: Uint32Array | undefined, from: number, count: number, out: Uint32Array): void {
    const { values } = this.#column
    const reduction = this.#reduction
    if (reduction && !(values instanceof Float64Array)) {
      if (rows === undefined && values instanceof Uint32Array) {
        reduceCodes(values, from, count, reduction, out)
      } else {
        readCodes(values, rows, from, count, out)
        reduceCodes(out, 0, count, reduction, out)
      }
    } else if (rows === undefined && values instanceof Float64Array) {
      reduceDoubles(values, from, count, this.#step, this.#first - 1, out)
    } else {
      const read = scratchOf(count)
      readNumbers(this.#column, rows, from, count, read)
      reduceDoubles(read, 0, count, this.#step, this.#first - 1, out)
    }
    if (this.#fold) foldAll(this.#fold.slotOf, count, out)
  }

  idOf(slot: number): number {
    const place = this.#fold ? (this.#fold.firsts[slot] ?? 0) : slot
    const key = this.#keying.keyOf(place - 1 + this.#first)
    return key === undefined ? NO_ID : this.#space.idOfNumber(key)
  }
}

interface Step {
  readonly length: number
  readonly shift: number
}

/** Slots of keys, by place of the reduced value: its difference to the first one, plus 1. */
interface Fold {
  readonly slotOf: Uint16Array
  /** By slot: the first place. */
  readonly firsts: readonly number[]
}

function foldOf({ keyOf }: NumberKeying, first: number, places: number): Fold {
  const slotOf = new Uint16Array(places)
  const firsts = [0]
  let last: number | undefined
  for (let place = 1; place < places; place++) {
    const key = keyOf(place - 1 + first)
    if (place === 1 || key !== last) firsts.push(place)
    last = key
    slotOf[place] = firsts.length - 1
  }
  return { slotOf, firsts }
}

function foldAll(slotOf: Uint16Array, count: number, slots: Uint32Array): void {
  for (let i = 0; i < count; i++) slots[i] = slotOf[slots[i] ?? 0] ?? 0
}

/** The place of a packed value n is floor((n * step + offset) / length) + 1. All three are integers. */
interface Reduction {
  readonly step: number
  readonly offset: number
  readonly length: number
}

/** Up to this dividend, a multiplication finds the quotient of integers, see `reduceCodes`. */
const LARGEST_DIVIDEND = 2 ** 50

function reductionOf(
  packing: Packing | undefined,
  first: number,
  places: number,
  { length, shift }: Step,
): Reduction | undefined {
  if (packing === undefined) return undefined
  const { base, step } = packing
  const start = first * length
  const all = [base, step, base + shift, length, shift, start, start - shift]
  if (!all.every(Number.isSafeInteger) || (places + 1) * length + step > LARGEST_DIVIDEND) return undefined
  return { step, offset: base - step - (start - shift), length }
}

/**
 * (n + 0.5) / length is at least 0.5 / length away from an integer. With n below 2^50, the rounding errors of the
 * multiplication with 1 / length are smaller.
 */
function reduceCodes(
  codes: Uint32Array,
  from: number,
  count: number,
  { step, offset, length }: Reduction,
  out: Uint32Array,
): void {
  const inverse = 1 / length
  const middle = offset + 0.5
  for (let i = 0; i < count; i++) {
    const code = codes[from + i] ?? 0
    out[i] = code === 0 ? 0 : (((code * step + middle) * inverse) | 0) + 1
  }
}

function reduceDoubles(
  values: Float64Array,
  from: number,
  count: number,
  { length, shift }: Step,
  before: number,
  out: Uint32Array,
): void {
  for (let i = 0; i < count; i++) {
    const value = values[from + i] ?? 0
    out[i] = Number.isNaN(value) ? 0 : (Math.floor((value + shift) / length) - before) | 0
  }
}

/** Reduced values spread too far: slots are given by appearance. */
class TabledKeys implements FilledKeys {
  readonly kind = 'filled'
  readonly bounded = false
  readonly starts: Uint32Array | undefined
  readonly #column: NumberColumn
  readonly #keying: NumberKeying
  readonly #space: NumberSpace
  readonly #table = new PairTable()

  constructor(column: NumberColumn, keying: NumberKeying, space: NumberSpace) {
    this.starts = column.starts
    this.#column = column
    this.#keying = keying
    this.#space = space
  }

  get slots(): number {
    return this.#table.count + 1
  }

  fill(rows: Uint32Array | undefined, from: number, count: number, out: Uint32Array): void {
    const values = scratchOf(count)
    readNumbers(this.#column, rows, from, count, values)
    const { step } = this.#keying
    if (step !== undefined) {
      const { length, shift } = step
      for (let i = 0; i < count; i++) values[i] = Math.floor(((values[i] ?? 0) + shift) / length)
    }
    const table = this.#table
    let last = Number.NaN
    let slot = 0
    for (let i = 0; i < count; i++) {
      const value = values[i] ?? 0
      if (value !== last) {
        slot = !Number.isNaN(value) ? numberOfDouble(table, value) + 1 : 0
        last = value
      }
      out[i] = slot
    }
  }

  idOf(slot: number): number {
    const key = this.#keying.keyOf(doubleAt(this.#table, slot - 1))
    return key === undefined ? NO_ID : this.#space.idOfNumber(key)
  }
}
