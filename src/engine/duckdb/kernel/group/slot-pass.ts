import { BLOCK } from '../../segment/column.ts'
import type { Part } from '../../segment/part.ts'
import type { Exceptions } from '../row-test.ts'
import type { Buckets } from './arrays/accumulator.ts'
import type { ScannedPart } from './arrays/scan.ts'
import type { FieldFigures } from './figures/field-figures.ts'
import type { FilledKeys, KeyColumn } from './keys/key-column.ts'
import { RunFinder } from './keys/key-runs.ts'
import { keepCounts, keepsTotals, knownCounts, subtractRows } from './slot-totals.ts'

/** Maximum number of buckets. More do not stay in the cache of a core. */
const MOST_COUNTS = 2 ** 20
const MOST_WITH_FIGURES = 2 ** 16

/** A level of a part as a slot pass needs it. */
export interface SlotLevel {
  readonly column: KeyColumn | undefined
  readonly figures: readonly FieldFigures[]
  /**
   * Numbers the groups of pairs of a parent group and a slot, all of which have rows. Sets `out[i]` to the group, or to
   * NO_GROUP.
   */
  numberGroups(parents: Int32Array, slots: Uint32Array, count: number, out: Int32Array): void
  /** Adds rows to a group. */
  addCount(group: number, count: number): void
}

export const NO_GROUP = -1

interface WholePart {
  readonly part: Part
  /** Rows to subtract. */
  readonly exceptions: Exceptions
}

function* liveRows(rows: Uint32Array, { live }: Part): Iterable<number> {
  for (const row of rows) if (live.isLive(row)) yield row
}

interface DenseLevel extends SlotLevel {
  readonly column: FilledKeys
}

/**
 * Groups the rows of one part by slots: the bucket of a row is computed from the slots of its keys in all levels. Buckets
 * become groups at the end of the part. Only for levels whose rows have one key each.
 */
export class SlotPass {
  readonly #levels: readonly DenseLevel[]
  /** Number of buckets of each level. */
  readonly #sizes: readonly number[]
  /** Rows of the innermost level, by bucket. Slot 0 counts too, so that they add up to those of the outer levels. */
  #counts: Uint32Array
  readonly #buckets: readonly Uint32Array[]
  readonly #runFinder: RunFinder | undefined

  /** Set if all live rows of the part are added: their totals are worth keeping. */
  readonly #whole: WholePart | undefined
  #isKnown = false

  private constructor(levels: readonly DenseLevel[], sizes: readonly number[], whole: WholePart | undefined) {
    this.#levels = levels
    this.#whole = whole
    this.#sizes = sizes
    this.#counts = new Uint32Array(sizes.at(-1) ?? 0)
    this.#buckets = levels.map(() => new Uint32Array(BLOCK))
    const runs = levels[0]?.column.runs
    this.#runFinder = runs && new RunFinder(runs)
  }

  /** Returns undefined if rows may have several keys, or if there would be too many buckets for `rows` rows. */
  static of(levels: readonly SlotLevel[], { part, filter }: ScannedPart): SlotPass | undefined {
    const dense = levels.filter(isDense)
    if (dense.length < levels.length) return undefined
    const sizes: number[] = []
    let size = 1
    for (const { column } of dense) {
      size *= column.slots
      sizes.push(size)
    }
    const rows = Math.min(part.rows, filter.most)
    const hasFigures = dense.some(({ figures }) => figures.length > 0)
    if (size > Math.min(hasFigures ? MOST_WITH_FIGURES : MOST_COUNTS, 4096 + 4 * rows)) return undefined
    const { exceptions } = filter
    const isWhole = dense.length === 1 && !hasFigures && keepsTotals(part)
    return new SlotPass(dense, sizes, isWhole && exceptions ? { part, exceptions } : undefined)
  }

  /** Adds rows: `rows`, ascending, or those from `from` on. */
  add(rows: Uint32Array | undefined, from: number, count: number): void {
    const isSplit = this.#runFinder?.split(rows, from, count, (slot, first, end) => {
      const own = rows?.subarray(first, end)
      this.#addLevels(0, own, own?.[0] ?? from + first, slot, end - first)
    })
    if (!isSplit) this.#addLevels(-1, rows, from, 0, count)
  }

  /** `buckets`: those of the rows in the level at `depth`. */
  #addLevels(depth: number, rows: Uint32Array | undefined, from: number, buckets: Buckets, count: number): void {
    const levels = this.#levels
    let own = buckets
    for (let i = Math.max(0, depth); i < levels.length; i++) {
      const level = levels[i]
      if (level === undefined) break
      if (i > depth) own = this.#bucketsOf(level.column, i, rows, from, own, count)
      for (const figures of level.figures) figures.add(rows, from, own, count, this.#sizes[i] ?? 0)
    }
    if (typeof own === 'number') this.#counts[own] = (this.#counts[own] ?? 0) + count
    else countAll(this.#counts, own, count)
  }

  #bucketsOf(
    column: FilledKeys,
    depth: number,
    rows: Uint32Array | undefined,
    from: number,
    outer: Buckets,
    count: number,
  ): Uint32Array {
    const buckets = this.#buckets[depth] ?? new Uint32Array(count)
    column.fill(rows, from, count, buckets)
    if (typeof outer !== 'number') combine(outer, column.slots, buckets, count)
    else if (outer > 0) shift(outer * column.slots, buckets, count)
    return buckets
  }

  get takesAll(): boolean {
    return this.#whole !== undefined
  }

  /** Adds all live rows of the part if their totals are known. Returns false if they must be added one by one. */
  addKnown(): boolean {
    const [level] = this.#levels
    const known = level && this.#whole && knownCounts(level.column, this.#whole.part)
    if (known === undefined) return false
    this.#counts = known
    this.#isKnown = true
    return true
  }

  /** Turns buckets into groups. */
  end(): void {
    const [first] = this.#levels
    if (first && this.#whole) {
      const { part, exceptions } = this.#whole
      if (!this.#isKnown) keepCounts(first.column, part, this.#counts)
      subtractRows(this.#counts, first.column, liveRows(exceptions.rows, part))
    }
    const counts = this.#levels.map((_, depth) => this.#countsOf(depth))
    let parents: Int32Array = Int32Array.of(0)
    for (const [depth, level] of this.#levels.entries()) {
      const rows = counts[depth] ?? new Uint32Array()
      const groups = groupsOf(level, parents, rows)
      for (const figures of level.figures) figures.end(groups, rows)
      parents = groups
    }
  }

  #countsOf(depth: number): Uint32Array {
    const size = this.#sizes[depth] ?? 1
    const inner = this.#counts.length / size
    if (inner === 1) return this.#counts
    const sums = new Uint32Array(size)
    for (let bucket = 0, at = 0; bucket < size; bucket++) {
      let sum = 0
      for (const end = at + inner; at < end; at++) sum += this.#counts[at] ?? 0
      sums[bucket] = sum
    }
    return sums
  }
}

const isDense = (level: SlotLevel): level is DenseLevel =>
  level.column?.kind === 'filled' && level.column.bounded && level.column.starts === undefined

/** Returns the group of each bucket of a level. */
function groupsOf(level: DenseLevel, parents: Int32Array, counts: Uint32Array): Int32Array {
  const width = level.column.slots
  const groups = new Int32Array(counts.length).fill(NO_GROUP)
  const buckets = new Uint32Array(counts.length)
  const outer = new Int32Array(counts.length)
  const slots = new Uint32Array(counts.length)
  let n = 0
  for (let parent = 0, first = 0; parent < parents.length; parent++, first += width) {
    const group = parents[parent] ?? NO_GROUP
    if (group === NO_GROUP) continue
    for (let slot = 1; slot < width; slot++) {
      if (counts[first + slot] === 0) continue
      buckets[n] = first + slot
      outer[n] = group
      slots[n++] = slot
    }
  }
  level.numberGroups(outer, slots, n, outer)
  for (let i = 0; i < n; i++) {
    const bucket = buckets[i] ?? 0
    const group = outer[i] ?? NO_GROUP
    groups[bucket] = group
    if (group !== NO_GROUP) level.addCount(group, counts[bucket] ?? 0)
  }
  return groups
}

function combine(outer: Uint32Array, width: number, slots: Uint32Array, count: number): void {
  for (let i = 0; i < count; i++) slots[i] = (Math.imul(outer[i] ?? 0, width) + (slots[i] ?? 0)) | 0
}

function shift(first: number, slots: Uint32Array, count: number): void {
  for (let i = 0; i < count; i++) slots[i] = (first + (slots[i] ?? 0)) | 0
}

function countAll(counts: Uint32Array, buckets: Uint32Array, count: number): void {
  for (let i = 0; i < count; i++) {
    const bucket = buckets[i] ?? 0
    counts[bucket] = (counts[bucket] ?? 0) + 1
  }
}
