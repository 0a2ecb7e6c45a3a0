import { BLOCK } from '../../segment/column.ts'
import { type Buckets, grownLength } from './arrays/accumulator.ts'
import type { FilledKeys, KeyColumn } from './keys/key-column.ts'

/** Maximum number of counts. More do not stay in the cache of a core. */
const MOST_COUNTS = 2 ** 20

let scratch = new Uint32Array(BLOCK)

/** Counts the rows of a part by parent and slot. Ids are looked up once per slot, not per row. */
export class SlotCounts {
  readonly #column: FilledKeys
  readonly #slots: number
  /** By parent * slots + slot. */
  #counts: Uint32Array

  private constructor(column: FilledKeys, parents: number) {
    this.#column = column
    this.#slots = column.slots
    this.#counts = new Uint32Array(column.slots * parents)
  }

  /** Returns undefined if slots are not known beforehand, or too many, or if rows have several keys. */
  static of(column: KeyColumn, parents: number): SlotCounts | undefined {
    if (column.kind !== 'filled' || !column.bounded || column.starts) return undefined
    if (parents > 1 && parents * column.slots > MOST_COUNTS) return undefined
    return new SlotCounts(column, parents)
  }

  /** True if there is room for this number of parents. */
  fits(parents: number): boolean {
    if (parents * this.#slots <= this.#counts.length) return true
    if (parents * this.#slots > MOST_COUNTS) return false
    const longer = new Uint32Array(grownLength(parents) * this.#slots)
    longer.set(this.#counts)
    this.#counts = longer
    return true
  }

  add(rows: Uint32Array | undefined, from: number, parents: Buckets, count: number): void {
    if (count > scratch.length) scratch = new Uint32Array(2 * count)
    this.#column.fill(rows, from, count, scratch)
    const [counts, slots, width] = [this.#counts, scratch, this.#slots]
    if (typeof parents === 'number') {
      const first = parents * width
      for (let i = 0; i < count; i++) {
        const at = first + (slots[i] ?? 0)
        counts[at] = (counts[at] ?? 0) + 1
      }
      return
    }
    for (let i = 0; i < count; i++) {
      const at = (parents[i] ?? 0) * width + (slots[i] ?? 0)
      counts[at] = (counts[at] ?? 0) + 1
    }
  }

  /** Adds rows with the same key. */
  addRun(slot: number, count: number): void {
    this.#counts[slot] = (this.#counts[slot] ?? 0) + count
  }

  /** Calls `take` for each count that is not 0. */
  each(take: (parent: number, slot: number, count: number) => void): void {
    const [counts, width] = [this.#counts, this.#slots]
    for (let first = 0, parent = 0; first < counts.length; first += width, parent++) {
      for (let slot = 1; slot < width; slot++) {
        const count = counts[first + slot] ?? 0
        if (count > 0) take(parent, slot, count)
      }
    }
  }
}
