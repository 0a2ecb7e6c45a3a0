import type { EqualsPredicate, RangePredicate } from '../../../../query/plan/predicate.ts'
import { BLOCK, type NumberBlocks, type NumberColumn } from '../../segment/column.ts'
import type { Part } from '../../segment/part.ts'
import type { BlockDecision, RowTest } from '../row-test.ts'
import { ascendingRows, isWorthListing, lowerBound } from './candidates.ts'
import { rowsWithCodes } from './code-totals.ts'
import { areFew, exceptRows } from './exceptions.ts'
import { type Interval, intervalOf, packedInterval, packedNumbers, storedNumbers } from './filter-bounds.ts'
import { isEmptySet, testCodes } from './filter-codes.ts'
import { decidedTest, everyRow, listedTest, noRow } from './filter-tests.ts'
import { testAnyOfSeveral, testDoubles, testListedDoubles, testSeveral, type ValueTest } from './filter-values.ts'

/** Compiles a predicate on numbers, dates or booleans. */
export function compileNumberTest(p: EqualsPredicate | RangePredicate, column: NumberColumn, part: Part): RowTest {
  if (p.kind === 'range') return testInterval(intervalOf(p, column.type), column, part)
  const wanted = storedNumbers(p.values, column.type)
  const [only] = wanted
  if (only === undefined) return noRow
  if (wanted.length === 1) return testInterval({ low: only, high: only }, column, part)
  const flat = testListed(wanted, column)
  return flat ? decidedBy(severalOf(flat, column), column, part, (min, max) => decideList(wanted, min, max)) : noRow
}

export function compileNumberExists(column: NumberColumn, part: Part): RowTest {
  if (column.starts) return decidedBy(testAnyOfSeveral(column.starts), column, part, () => 'all')
  return testInterval({ low: -Infinity, high: Infinity }, column, part)
}

function testInterval(interval: Interval, column: NumberColumn, part: Part): RowTest {
  const { low, high } = interval
  const flat = testFlat(interval, column)
  if (!flat) return noRow
  const test = decidedBy(severalOf(flat, column), column, part, (min, max) =>
    max < low || min > high ? 'none' : min >= low && max <= high ? 'all' : 'some',
  )
  const { order, starts } = column
  if (starts || test === everyRow || test === noRow) return test
  if (!order) {
    const count = rowsWithin(interval, column, part)
    return count === undefined ? test : { ...test, count, most: count }
  }
  const value = valueReader(column)
  const from = firstInOrder(order, value, (v) => v >= low)
  const to = firstInOrder(order, value, (v) => v > high)
  const most = Math.max(0, to - from)
  if (most === 0) return noRow
  // The order has the rows with a value.
  const others = order.length - most
  if (order.length === part.rows && areFew(others, part.rows)) {
    return exceptRows(test, part.rows, others, () =>
      ascendingRows([order.subarray(0, from), order.subarray(to)], part.rows),
    )
  }
  const rows = order.subarray(from, to)
  const counted = { ...test, most, count: most, unordered: () => rows }
  return isWorthListing(most, part.rows) ? listedTest(counted, most, () => ascendingRows([rows], part.rows)) : counted
}

/** Undefined if no value matches. */
function testFlat(interval: Interval, { values, packing }: NumberColumn): ValueTest | undefined {
  if (values instanceof Float64Array) {
    return interval.low <= interval.high ? testDoubles(values, interval.low, interval.high) : undefined
  }
  const codes = packedInterval(interval, packing ?? NOT_PACKED)
  return isEmptySet(codes) ? undefined : testCodes(values, codes)
}

/** Returns the number of matching rows of a segment, if few different numbers are stored. */
function rowsWithin(interval: Interval, column: NumberColumn, part: Part): number | undefined {
  const { values, packing = NOT_PACKED, blocks, starts } = column
  if (values instanceof Float64Array || blocks === undefined || starts) return undefined
  const greatest = blocks.max.reduce((most, max) => (max > most ? max : most), packing.base)
  const largest = Math.round((greatest - packing.base) / packing.step) + 1
  if (largest > MOST_COUNTED) return undefined
  return rowsWithCodes(column, values, packedInterval(interval, packing), part.rows, largest)
}

function testListed(wanted: Float64Array, { values, packing }: NumberColumn): ValueTest | undefined {
  if (values instanceof Float64Array) return testListedDoubles(values, wanted)
  const codes = packedNumbers(wanted, packing ?? NOT_PACKED)
  return isEmptySet(codes) ? undefined : testCodes(values, codes)
}

/** Different numbers up to which the rows of each are counted: more would take more memory than the column. */
const MOST_COUNTED = 2 ** 16

/** Integers without packing: the stored number is the value plus one. */
const NOT_PACKED = { base: 0, step: 1 }

const severalOf = (flat: ValueTest, { starts }: NumberColumn): ValueTest => (starts ? testSeveral(flat, starts) : flat)

function valueReader({ values, packing }: NumberColumn): (row: number) => number {
  if (values instanceof Float64Array) return (row) => values[row] ?? Number.NaN
  const { base, step } = packing ?? NOT_PACKED
  return (row) => base + ((values[row] ?? 0) - 1) * step
}

/** Returns the first position in the order from which on a condition holds. */
function firstInOrder(order: Uint32Array, value: (row: number) => number, isFrom: (value: number) => boolean): number {
  let low = 0
  let high = order.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isFrom(value(order[middle] ?? 0))) high = middle
    else low = middle + 1
  }
  return low
}

/** Decides blocks by their minimum and maximum. */
function decidedBy(
  test: ValueTest,
  { blocks }: NumberColumn,
  part: Part,
  decide: (min: number, max: number) => BlockDecision,
): RowTest {
  if (!blocks) return test
  const decisions = Array.from({ length: Math.ceil(part.rows / BLOCK) }, (_, block) =>
    decideBlock(blocks, block, decide),
  )
  return decidedTest(test, decisions, part.rows)
}

function decideBlock(
  { min, max, complete }: NumberBlocks,
  block: number,
  decide: (min: number, max: number) => BlockDecision,
): BlockDecision {
  const least = min[block] ?? Number.NaN
  if (Number.isNaN(least)) return 'none'
  const decision = decide(least, max[block] ?? Number.NaN)
  return decision === 'all' && complete[block] !== 1 ? 'some' : decision
}

function decideList(wanted: Float64Array, min: number, max: number): BlockDecision {
  const next = lowerBound(wanted, min, 0, wanted.length)
  const first = wanted[next] ?? Infinity
  return first > max ? 'none' : min === max ? 'all' : 'some'
}
