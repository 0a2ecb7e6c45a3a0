import { type Buckets, grownDoubles } from '../arrays/accumulator.ts'

export interface FigureKinds {
  readonly sum?: boolean
  readonly min?: boolean
  readonly max?: boolean
}

/*
 * The figures of a bucket are next to each other, in one line of the cache of a core. Rounding errors of the sums are
 * added up too (Neumaier): the order of the values hardly matters.
 */
const WIDTH = 4
const ERROR = 1
const COUNT = 2
const MAX = 3

/** Sum, number, minimum and maximum of values, by bucket. NaN is no value. */
export class Figures {
  readonly #kinds: FigureKinds
  readonly #countsMissing: boolean
  /** Sum, rounding error, number and maximum of each bucket. */
  #cells: Float64Array = new Float64Array()
  #mins: Float64Array = new Float64Array()

  /** `countsMissing`: counts rows without a value, which are few, instead of the others; then `moveTo` is the only use. */
  constructor(kinds: FigureKinds, countsMissing = false) {
    this.#kinds = kinds
    this.#countsMissing = countsMissing
  }

  get kinds(): FigureKinds {
    return this.#kinds
  }

  /** True if only extremes are wanted, which are known for whole blocks. */
  get areExtremes(): boolean {
    return this.#kinds.sum !== true
  }

  #grow(size: number): void {
    const { length } = this.#cells
    if (size * WIDTH > length) {
      this.#cells = grownDoubles(this.#cells, size * WIDTH)
      for (let at = length + MAX; at < this.#cells.length; at += WIDTH) this.#cells[at] = Number.NEGATIVE_INFINITY
    }
    if (this.#kinds.min) this.#mins = grownDoubles(this.#mins, size, Number.POSITIVE_INFINITY)
  }

  /** Adds values. Bucket numbers are below `size`. */
  add(values: Float64Array, buckets: Buckets, count: number, size: number): void {
    this.#grow(size)
    const { sum, min, max } = this.#kinds
    if (typeof buckets === 'number') {
      if (sum) this.#sumTogether(buckets, values, count)
      if (min || max) this.#findExtremes(buckets, values, count)
      return
    }
    if (sum && max) addSumsAndMaxs(this.#cells, values, buckets, count, !this.#countsMissing)
    else if (sum) addSums(this.#cells, values, buckets, count, !this.#countsMissing)
    else if (max) addMaxs(this.#cells, values, buckets, count)
    if (min) addMins(this.#mins, values, buckets, count)
  }

  /** Adds the figures of each bucket to those of a group. `groups` and `rows`: as in `FieldFigures.end`. */
  moveTo(figures: Figures, groups: Int32Array, rows: Uint32Array): void {
    const { sum, min, max } = this.#kinds
    for (let bucket = 0; bucket < groups.length; bucket++) {
      const group = groups[bucket] ?? -1
      if (group < 0) continue
      const at = bucket * WIDTH
      const counted = this.#cells[at + COUNT] ?? 0
      const count = this.#countsMissing ? (rows[bucket] ?? 0) - counted : counted
      if (sum && count > 0) {
        figures.addSum(group, this.#cells[at] ?? 0, count)
        figures.addSum(group, this.#cells[at + ERROR] ?? 0, 0)
      }
      const least = min ? (this.#mins[bucket] ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY
      if (min || max) figures.addExtremes(group, least, this.#cells[at + MAX] ?? Number.NEGATIVE_INFINITY)
    }
  }

  /** Adds the sum of several values. */
  addSum(bucket: number, sum: number, count: number): void {
    this.#grow(bucket + 1)
    const cells = this.#cells
    const at = bucket * WIDTH
    const before = cells[at] ?? 0
    const after = before + sum
    const added = after - before
    cells[at] = after
    cells[at + ERROR] = (cells[at + ERROR] ?? 0) + (before - (after - added) + (sum - added))
    cells[at + COUNT] = (cells[at + COUNT] ?? 0) + count
  }

  /** Adds the extremes of several values. */
  addExtremes(bucket: number, min: number, max: number): void {
    this.#grow(bucket + 1)
    if (this.#kinds.min && min < (this.#mins[bucket] ?? 0)) this.#mins[bucket] = min
    if (max > (this.#cells[bucket * WIDTH + MAX] ?? 0)) this.#cells[bucket * WIDTH + MAX] = max
  }

  /** Two sums at once: each step depends on the one before it in its own sum only. */
  #sumTogether(bucket: number, values: Float64Array, count: number): void {
    let s0 = 0
    let s1 = 0
    let e0 = 0
    let e1 = 0
    const even = count - (count % 2)
    for (let i = 0; i < even; i += 2) {
      const v0 = values[i] ?? 0
      const v1 = values[i + 1] ?? 0
      const t0 = s0 + v0
      const t1 = s1 + v1
      const z0 = t0 - s0
      const z1 = t1 - s1
      e0 += s0 - (t0 - z0) + (v0 - z0)
      e1 += s1 - (t1 - z1) + (v1 - z1)
      s0 = t0
      s1 = t1
    }
    if (Number.isNaN(s0 + s1)) {
      for (let i = 0; i < count; i++) this.#addOne(bucket, values[i] ?? 0)
      return
    }
    this.addSum(bucket, s0, this.#countsMissing ? 0 : even)
    this.addSum(bucket, s1, 0)
    this.addSum(bucket, e0 + e1, 0)
    if (even < count) this.#addOne(bucket, values[even] ?? 0)
  }

  #addOne(bucket: number, value: number): void {
    const isMissing = Number.isNaN(value)
    this.addSum(bucket, isMissing ? 0 : value, isMissing === this.#countsMissing ? 1 : 0)
  }

  #findExtremes(bucket: number, values: Float64Array, count: number): void {
    const { min, max } = this.#kinds
    this.addExtremes(
      bucket,
      min ? minOf(values, count) : Number.POSITIVE_INFINITY,
      max ? maxOf(values, count) : Number.NEGATIVE_INFINITY,
    )
  }

  count(bucket: number): number {
    return this.#cells[bucket * WIDTH + COUNT] ?? 0
  }

  /** 0 without values; null if the sum overflows a double (spec 2.1.7). */
  sum(bucket: number): number | null {
    return finite((this.#cells[bucket * WIDTH] ?? 0) + (this.#cells[bucket * WIDTH + ERROR] ?? 0))
  }

  mean(bucket: number): number | null {
    const [sum, count] = [this.sum(bucket), this.count(bucket)]
    return sum === null || count === 0 ? null : sum / count
  }

  min(bucket: number): number | null {
    return finite(this.#mins[bucket] ?? Number.NaN)
  }

  max(bucket: number): number | null {
    return finite(this.#cells[bucket * WIDTH + MAX] ?? Number.NaN)
  }
}

const finite = (value: number): number | null => (Number.isFinite(value) ? value : null)

function minOf(values: Float64Array, count: number): number {
  let min = Number.POSITIVE_INFINITY
  for (let i = 0; i < count; i++) {
    const value = values[i] ?? 0
    if (value < min) min = value
  }
  return min
}

function maxOf(values: Float64Array, count: number): number {
  let max = Number.NEGATIVE_INFINITY
  for (let i = 0; i < count; i++) {
    const value = values[i] ?? 0
    if (value > max) max = value
  }
  return max
}

function addSums(
  cells: Float64Array,
  values: Float64Array,
  buckets: Uint32Array,
  count: number,
  countsPresent: boolean,
): void {
  for (let i = 0; i < count; i++) {
    const value = values[i] ?? 0
    const at = (buckets[i] ?? 0) * WIDTH
    if (Number.isNaN(value)) {
      if (!countsPresent) cells[at + COUNT] = (cells[at + COUNT] ?? 0) + 1
      continue
    }
    const before = cells[at] ?? 0
    const after = before + value
    const added = after - before
    cells[at] = after
    cells[at + ERROR] = (cells[at + ERROR] ?? 0) + (before - (after - added) + (value - added))
    if (countsPresent) cells[at + COUNT] = (cells[at + COUNT] ?? 0) + 1
  }
}

/** `addSums` and `addMaxs` in one loop. */
function addSumsAndMaxs(
  cells: Float64Array,
  values: Float64Array,
  buckets: Uint32Array,
  count: number,
  countsPresent: boolean,
): void {
  for (let i = 0; i < count; i++) {
    const value = values[i] ?? 0
    const at = (buckets[i] ?? 0) * WIDTH
    if (Number.isNaN(value)) {
      if (!countsPresent) cells[at + COUNT] = (cells[at + COUNT] ?? 0) + 1
      continue
    }
    const before = cells[at] ?? 0
    const after = before + value
    const added = after - before
    cells[at] = after
    cells[at + ERROR] = (cells[at + ERROR] ?? 0) + (before - (after - added) + (value - added))
    if (countsPresent) cells[at + COUNT] = (cells[at + COUNT] ?? 0) + 1
    if (value > (cells[at + MAX] ?? 0)) cells[at + MAX] = value
  }
}

/** Comparisons with NaN are false. */
function addMins(mins: Float64Array, values: Float64Array, buckets: Uint32Array, count: number): void {
  for (let i = 0; i < count; i++) {
    const value = values[i] ?? 0
    const bucket = buckets[i] ?? 0
    if (value < (mins[bucket] ?? 0)) mins[bucket] = value
  }
}

function addMaxs(cells: Float64Array, values: Float64Array, buckets: Uint32Array, count: number): void {
  for (let i = 0; i < count; i++) {
    const value = values[i] ?? 0
    const at = (buckets[i] ?? 0) * WIDTH + MAX
    if (value > (cells[at] ?? 0)) cells[at] = value
  }
}
