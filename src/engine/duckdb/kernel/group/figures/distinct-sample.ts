import { hashDouble, hashPair, numberOfDouble, PairTable } from '../arrays/pair-table.ts'

/** A sample of half this number of values estimates the total within 2 % at four standard deviations. */
const LEAST_CAPACITY = 2 ** 17

/**
 * Estimates the number of distinct values. It keeps all of them while they are few, and then only those whose hash has
 * `bits` zero bits, a share of 1 / 2^bits, independent of how often a value occurs (Wegman's adaptive sampling).
 */
export class DistinctSample {
  readonly #capacity: number
  #table = new PairTable()
  #bits = 0
  #mask = 0

  /** Exact up to `exactUpTo` values. */
  constructor(exactUpTo: number) {
    this.#capacity = Math.max(LEAST_CAPACITY, exactUpTo)
  }

  get estimate(): number {
    return this.#table.count * 2 ** this.#bits
  }

  addDouble(value: number): void {
    if (this.#mask !== 0 && (hashDouble(value) & this.#mask) !== 0) return
    numberOfDouble(this.#table, value)
    if (this.#table.count > this.#capacity) this.#thin()
  }

  /** True if a value with these halves of a hash belongs to the sample. */
  wants(high: number, low: number): boolean {
    return (hashPair(high, low) & this.#mask) === 0
  }

  addPair(high: number, low: number): void {
    if (!this.wants(high, low)) return
    this.#table.numberOf(high, low)
    if (this.#table.count > this.#capacity) this.#thin()
  }

  #thin(): void {
    this.#mask = 2 ** ++this.#bits - 1
    const old = this.#table
    const table = new PairTable()
    for (let i = 0; i < old.count; i++) {
      const [high, low] = [old.high(i), old.low(i)]
      if (this.wants(high, low)) table.numberOf(high, low)
    }
    this.#table = table
  }
}

/** Two 32-bit FNV-1a hashes of the UTF-16 units of a term, as one pair. */
export function addTerm(sample: DistinctSample, term: string, isNew: () => boolean): void {
  let high = 0x811c9dc5
  let low = 0x01234567
  for (let i = 0; i < term.length; i++) {
    const unit = term.charCodeAt(i)
    high = Math.imul(high ^ unit, 0x01000193)
    low = Math.imul(low ^ (unit + i), 0x85ebca6b)
    low ^= low >>> 15
  }
  if (sample.wants(high >>> 0, low >>> 0) && isNew()) sample.addPair(high >>> 0, low >>> 0)
}
