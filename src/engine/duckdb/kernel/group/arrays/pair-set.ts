import { PairTable } from './pair-table.ts'

/** Maximum size of a matrix: 32 MiB of bits. */
const MOST_WORDS = 2 ** 23

/** A set of pairs of a bucket and a value in it: a matrix of bits while that is not too large. */
export class PairSet {
  #bits: Uint32Array | undefined = new Uint32Array()
  /** Words of each bucket. */
  #width = 0
  #buckets = 0
  readonly #table = new PairTable()

  /**
   * Adds pairs of a bucket below `buckets` and a value below `values`. Increases the entry of the bucket in `counts` for
   * each new pair.
   */
  addAll(
    owners: Uint32Array,
    values: Uint32Array,
    count: number,
    buckets: number,
    most: number,
    counts: Uint32Array,
  ): void {
    const bits = this.#bitsFor(buckets, most)
    if (bits === undefined) {
      this.#hashAll(owners, values, count, counts)
      return
    }
    const width = this.#width
    for (let i = 0; i < count; i++) {
      const owner = owners[i] ?? 0
      const value = values[i] ?? 0
      const at = owner * width + (value >>> 5)
      const word = bits[at] ?? 0
      const bit = 1 << (value & 31)
      if ((word & bit) !== 0) continue
      bits[at] = word | bit
      counts[owner] = (counts[owner] ?? 0) + 1
    }
  }

  /** Like `addAll`, for pairs with the same bucket. */
  addTogether(
    owner: number,
    values: Uint32Array,
    count: number,
    buckets: number,
    most: number,
    counts: Uint32Array,
  ): void {
    const bits = this.#bitsFor(buckets, most)
    if (bits === undefined) {
      this.#hashAll(new Uint32Array(count).fill(owner), values, count, counts)
      return
    }
    const first = owner * this.#width
    let found = 0
    for (let i = 0; i < count; i++) {
      const value = values[i] ?? 0
      const at = first + (value >>> 5)
      const word = bits[at] ?? 0
      // Without a branch, which would be mispredicted.
      found += ((word >>> (value & 31)) & 1) ^ 1
      bits[at] = word | (1 << (value & 31))
    }
    counts[owner] = (counts[owner] ?? 0) + found
  }

  #hashAll(owners: Uint32Array, values: Uint32Array, count: number, counts: Uint32Array): void {
    const table = this.#table
    for (let i = 0; i < count; i++) {
      const owner = owners[i] ?? 0
      const before = table.count
      table.numberOf(owner, values[i] ?? 0)
      if (table.count > before) counts[owner] = (counts[owner] ?? 0) + 1
    }
  }

  /** Returns a matrix with room for these buckets and values; undefined if it would be too large. */
  #bitsFor(buckets: number, values: number): Uint32Array | undefined {
    const bits = this.#bits
    if (bits === undefined) return undefined
    const words = Math.ceil(values / 32)
    if (buckets <= this.#buckets && words <= this.#width) return bits
    const width = words <= this.#width ? this.#width : Math.max(words, 2 * this.#width)
    const height = buckets <= this.#buckets ? this.#buckets : Math.max(buckets, 2 * this.#buckets)
    if (width * height > MOST_WORDS) {
      this.#moveToTable(bits)
      return undefined
    }
    const larger = new Uint32Array(width * height)
    for (let bucket = 0; bucket < this.#buckets; bucket++) {
      const from = bucket * this.#width
      larger.set(bits.subarray(from, from + this.#width), bucket * width)
    }
    this.#bits = larger
    this.#width = width
    this.#buckets = height
    return larger
  }

  #moveToTable(bits: Uint32Array): void {
    for (let at = 0; at < bits.length; at++) {
      const word = bits[at] ?? 0
      if (word === 0) continue
      const value = (at % this.#width) * 32
      for (let bit = 0; bit < 32; bit++) {
        if ((word & (1 << bit)) !== 0) this.#table.numberOf(Math.floor(at / this.#width), value + bit)
      }
    }
    this.#bits = undefined
  }
}
