import type { Packing } from '../../../segment/column.ts'
import { type Buckets, grownCounts, grownDoubles } from '../arrays/accumulator.ts'
import type { FigureKinds, Figures } from './figures.ts'

/** Figures of the packed values of one part. They are integers, so sums are exact without compensation. 0 is no value. */
export class PackedFigures {
  /** True if rows without a value are counted, which are few, instead of the others. */
  countsMissing = false
  readonly #kinds: FigureKinds
  #size = 0
  #sums: Float64Array = new Float64Array()
  #counts: Uint32Array = new Uint32Array()
  #mins: Uint32Array = new Uint32Array()
  #maxs: Uint32Array = new Uint32Array()

  constructor(kinds: FigureKinds) {
    this.#kinds = kinds
  }

  add(codes: Uint32Array, buckets: Buckets, count: number, size: number): void {
    this.#grow(size)
    if (typeof buckets === 'number') {
      this.#addTogether(codes, buckets, count)
      return
    }
    const { sum, min, max } = this.#kinds
    if (sum && max) addSumsAndMaxs(this.#sums, this.#counts, this.#maxs, codes, buckets, count, !this.countsMissing)
    else if (sum) addSums(this.#sums, this.#counts, codes, buckets, count, !this.countsMissing)
    else if (max) addMaxs(this.#maxs, codes, buckets, count)
    if (min) addMins(this.#mins, codes, buckets, count)
  }

  #addTogether(codes: Uint32Array, bucket: number, count: number): void {
    const { sum, min, max } = this.#kinds
    if (sum) {
      let total = 0
      let missing = 0
      for (let i = 0; i < count; i++) {
        const code = codes[i] ?? 0
        total += code
        if (code === 0) missing++
      }
      this.#sums[bucket] = (this.#sums[bucket] ?? 0) + total
      this.#counts[bucket] = (this.#counts[bucket] ?? 0) + (this.countsMissing ? missing : count - missing)
    }
    if (max) this.#maxs[bucket] = Math.max(this.#maxs[bucket] ?? 0, maxOf(codes, count))
    if (min) this.#mins[bucket] = Math.min(this.#mins[bucket] ?? 0, minOf(codes, count))
  }

  #grow(size: number): void {
    if (size <= this.#size) return
    this.#size = size
    const { sum, min, max } = this.#kinds
    if (sum) {
      this.#sums = grownDoubles(this.#sums, size)
      this.#counts = grownCounts(this.#counts, size)
    }
    if (max) this.#maxs = grownCounts(this.#maxs, size)
    if (!min) return
    const { length } = this.#mins
    this.#mins = grownCounts(this.#mins, size)
    if (this.#mins.length > length) this.#mins.fill(NO_MIN, length)
  }

  /**
   * Adds the figures, unpacked, to those of all parts, and forgets them. `groups` and `rows`: as in `FieldFigures.end`.
   */
  moveTo(figures: Figures, { base, step }: Packing, groups?: Int32Array, rows?: Uint32Array): void {
    const { sum, min, max } = this.#kinds
    const before = base - step
    for (let bucket = 0; bucket < this.#size; bucket++) {
      const group = groups === undefined ? bucket : (groups[bucket] ?? -1)
      if (group < 0) continue
      const counted = this.#counts[bucket] ?? 0
      const count = this.countsMissing ? (rows?.[bucket] ?? 0) - counted : counted
      if (sum && count > 0) {
        figures.addSum(group, before * count, 0)
        figures.addSum(group, (this.#sums[bucket] ?? 0) * step, count)
      }
      const least = min ? (this.#mins[bucket] ?? 0) : NO_MIN
      const most = max ? (this.#maxs[bucket] ?? 0) : 0
      if (least === NO_MIN && most === 0) continue
      const lowest = min ? base + (least - 1) * step : Number.POSITIVE_INFINITY
      figures.addExtremes(group, lowest, max ? base + (most - 1) * step : Number.NEGATIVE_INFINITY)
    }
    this.#sums.fill(0)
    this.#counts.fill(0)
    this.#mins.fill(NO_MIN)
    this.#maxs.fill(0)
    this.#size = 0
  }
}

/** Above all packed values. */
const NO_MIN = 0xffffffff

function maxOf(codes: Uint32Array, count: number): number {
  let max = 0
  for (let i = 0; i < count; i++) {
    const code = codes[i] ?? 0
    if (code > max) max = code
  }
  return max
}

function minOf(codes: Uint32Array, count: number): number {
  let min = NO_MIN
  for (let i = 0; i < count; i++) {
    const code = codes[i] ?? 0
    if (code < min && code !== 0) min = code
  }
  return min
}

function addSumsAndMaxs(
  sums: Float64Array,
  counts: Uint32Array,
  maxs: Uint32Array,
  codes: Uint32Array,
  buckets: Uint32Array,
  count: number,
  countsPresent: boolean,
): void {
  for (let i = 0; i < count; i++) {
    const code = codes[i] ?? 0
    const bucket = buckets[i] ?? 0
    if (code === 0) {
      if (!countsPresent) counts[bucket] = (counts[bucket] ?? 0) + 1
      continue
    }
    sums[bucket] = (sums[bucket] ?? 0) + code
    if (countsPresent) counts[bucket] = (counts[bucket] ?? 0) + 1
    if (code > (maxs[bucket] ?? 0)) maxs[bucket] = code
  }
}

function addSums(
  sums: Float64Array,
  counts: Uint32Array,
  codes: Uint32Array,
  buckets: Uint32Array,
  count: number,
  countsPresent: boolean,
): void {
  for (let i = 0; i < count; i++) {
    const code = codes[i] ?? 0
    const bucket = buckets[i] ?? 0
    if (code === 0) {
      if (!countsPresent) counts[bucket] = (counts[bucket] ?? 0) + 1
      continue
    }
    sums[bucket] = (sums[bucket] ?? 0) + code
    if (countsPresent) counts[bucket] = (counts[bucket] ?? 0) + 1
  }
}

function addMins(mins: Uint32Array, codes: Uint32Array, buckets: Uint32Array, count: number): void {
  for (let i = 0; i < count; i++) {
    const code = codes[i] ?? 0
    const bucket = buckets[i] ?? 0
    if (code < (mins[bucket] ?? 0) && code !== 0) mins[bucket] = code
  }
}

function addMaxs(maxs: Uint32Array, codes: Uint32Array, buckets: Uint32Array, count: number): void {
  for (let i = 0; i < count; i++) {
    const code = codes[i] ?? 0
    const bucket = buckets[i] ?? 0
    if (code > (maxs[bucket] ?? 0)) maxs[bucket] = code
  }
}
