import { demandedFields, type TopPlan } from '../../../../../query/plan/aggregation-plan.ts'
import { BLOCK, type Column, NO_KEY } from '../../../segment/column.ts'
import type { NumberedPart, RowRef } from '../../numbered-part.ts'
import { type Accumulator, type Buckets, grownCounts, grownDoubles } from '../arrays/accumulator.ts'
import { RowOrder } from './row-order.ts'

let rankScratch = new Float64Array(BLOCK)

/** The first rows of each bucket, in order. */
export class TopLists implements Accumulator {
  readonly #size: number
  readonly #order: RowOrder
  /** By part: the rows that may be picked. Undefined: all. */
  readonly #tests: readonly (((row: number) => boolean) | undefined)[]
  #part = 0
  #buckets = 0
  /** By bucket, `size` each: rows of the current part. */
  #rows: Uint32Array = new Uint32Array()
  #counts: Uint32Array = new Uint32Array()
  /** Rank of the last row of a full list. Rows of a higher rank cannot enter. */
  #limits: Float64Array = new Float64Array()
  /** By bucket: rows of the parts before. */
  #foundRows: Uint32Array = new Uint32Array()
  #foundParts: Uint32Array = new Uint32Array()
  #foundCounts: Uint32Array = new Uint32Array()

  constructor(top: TopPlan, parts: readonly NumberedPart[]) {
    this.#size = top.size
    this.#order = new RowOrder(top.sort, parts)
    const demanded = demandedFields(top)
    this.#tests = parts.map(({ part }) => allPresent(demanded.map((field) => part.column(field))))
  }

  begin(part: number): void {
    this.#part = part
  }

  add(rows: Uint32Array | undefined, from: number, buckets: Buckets, count: number, size: number): void {
    if (this.#size === 0) return
    this.#grow(size)
    if (count > rankScratch.length) rankScratch = new Float64Array(2 * count)
    const ranks = rankScratch
    this.#order.fillRanks(this.#part, rows, from, count, ranks)
    const limits = this.#limits
    const test = this.#tests[this.#part]
    for (let i = 0; i < count; i++) {
      const bucket = typeof buckets === 'number' ? buckets : (buckets[i] ?? 0)
      const rank = ranks[i] ?? 0
      if (rank > (limits[bucket] ?? 0)) continue
      const row = rows === undefined ? from + i : (rows[i] ?? 0)
      if (test === undefined || test(row)) this.#insert(bucket, row, rank)
    }
  }

  #grow(size: number): void {
    if (size > this.#buckets) this.#buckets = size
    if (size <= this.#limits.length) return
    this.#limits = grownDoubles(this.#limits, size, Number.POSITIVE_INFINITY)
    const length = this.#limits.length
    this.#counts = grownCounts(this.#counts, length - 1)
    this.#rows = grownCounts(this.#rows, length * this.#size)
  }

  #insert(bucket: number, row: number, rank: number): void {
    const size = this.#size
    const first = bucket * size
    const rows = this.#rows
    const part = this.#part
    const count = this.#counts[bucket] ?? 0
    let at = count
    if (count === size) {
      const isBelow = rank < (this.#limits[bucket] ?? 0)
      if (!isBelow && this.#order.compare(part, row, part, rows[first + size - 1] ?? 0) >= 0) return
      at--
    } else {
      this.#counts[bucket] = count + 1
    }
    while (at > 0 && this.#order.compare(part, row, part, rows[first + at - 1] ?? 0) < 0) {
      rows[first + at] = rows[first + at - 1] ?? 0
      at--
    }
    rows[first + at] = row
    if (this.#counts[bucket] === size) {
      this.#limits[bucket] = size === 1 ? rank : this.#order.rank(part, rows[first + size - 1] ?? 0)
    }
  }

  end(): void {
    const length = this.#buckets * this.#size
    this.#foundRows = grownCounts(this.#foundRows, length)
    this.#foundParts = grownCounts(this.#foundParts, length)
    this.#foundCounts = grownCounts(this.#foundCounts, this.#buckets)
    for (let bucket = 0; bucket < this.#buckets; bucket++) {
      if (this.#counts[bucket] !== 0) this.#merge(bucket)
    }
    this.#counts.fill(0)
    this.#limits.fill(Number.POSITIVE_INFINITY)
  }

  /** Merges the list of the current part with that of the parts before. */
  #merge(bucket: number): void {
    const size = this.#size
    const first = bucket * size
    const before = this.refs(bucket)
    const own = this.#counts[bucket] ?? 0
    let [i, j, n] = [0, 0, 0]
    while (n < size && (i < before.length || j < own)) {
      const old = before[i]
      const row = this.#rows[first + j] ?? 0
      const isOld = old !== undefined && (j >= own || this.#order.compare(old.part, old.row, this.#part, row) <= 0)
      this.#foundParts[first + n] = isOld ? old.part : this.#part
      this.#foundRows[first + n] = isOld ? old.row : row
      if (isOld) i++
      else j++
      n++
    }
    this.#foundCounts[bucket] = n
  }

  /** Returns the rows of a bucket, in order. */
  refs(bucket: number): readonly RowRef[] {
    const refs: RowRef[] = []
    const first = bucket * this.#size
    for (let i = 0; i < (this.#foundCounts[bucket] ?? 0); i++) {
      refs.push({ part: this.#foundParts[first + i] ?? 0, row: this.#foundRows[first + i] ?? 0 })
    }
    return refs
  }
}

function allPresent(columns: readonly (Column | undefined)[]): ((row: number) => boolean) | undefined {
  if (columns.length === 0) return undefined
  const tests = columns.map(presence)
  const [only] = tests
  return tests.length === 1 ? only : (row) => tests.every((test) => test(row))
}

/** Returns a test whether a row has a value. */
function presence(column: Column | undefined): (row: number) => boolean {
  if (column === undefined) return () => false
  if (column.kind === 'text' || (column.kind !== 'shape' && column.starts)) {
    const { starts } = column
    return (row) => (starts?.[row + 1] ?? 0) > (starts?.[row] ?? 0)
  }
  if (column.kind === 'code') return (row) => (column.codes[row] ?? 0) !== 0
  if (column.kind !== 'number') return (row) => column.high[row] !== NO_KEY
  return column.packing ? (row) => column.values[row] !== 0 : (row) => !Number.isNaN(column.values[row])
}
