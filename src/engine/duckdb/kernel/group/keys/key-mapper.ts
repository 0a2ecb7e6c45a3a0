import { BLOCK } from '../../../segment/column.ts'
import { type Buckets, grownLength } from '../arrays/accumulator.ts'
import { type FilledKeys, type KeyColumn, type ListedKeys, NO_ID } from './key-column.ts'

/** Entries are passed on when there are this many. */
const MOST_ENTRIES = 4 * BLOCK

/** More values are not read at once, unless one row has them. */
const MOST_VALUES = 16 * BLOCK

const UNRESOLVED = -2

/** Rows with an outer bucket and the id of a key; a row is in one entry for each of its distinct keys. Reused. */
export class Entries {
  rows = new Uint32Array(MOST_ENTRIES)
  outer = new Uint32Array(MOST_ENTRIES)
  ids = new Uint32Array(MOST_ENTRIES)
  count = 0
  /** True if the rows are consecutive. */
  areConsecutive = false
}

let slotScratch = new Uint32Array(BLOCK)

function slotsFor(count: number): Uint32Array {
  if (count > slotScratch.length) slotScratch = new Uint32Array(2 * count)
  return slotScratch
}

/** Maps rows of a part to the ids of their keys. */
export class KeyMapper {
  readonly #column: KeyColumn
  /** Id by slot. Slots that have not occurred are unresolved. */
  #ids: Int32Array
  /** By id: the last row, counted over all calls, that had it. */
  #seen = new Uint32Array(64)
  #rowsSeen = 0
  /** Not shared: `take` lets other mappers run while it is read. */
  #slots = new Uint32Array(0)

  constructor(column: KeyColumn) {
    this.#column = column
    this.#ids = new Int32Array(column.slots).fill(UNRESOLVED)
  }

  get column(): KeyColumn {
    return this.#column
  }

  /** Calls `take` with the entries of rows: `rows`, or those from `from` on. At most 4 blocks of rows. `outer`: their buckets. */
  map(
    rows: Uint32Array | undefined,
    from: number,
    outer: Buckets,
    count: number,
    out: Entries,
    take: () => void,
  ): void {
    if (this.#column.kind === 'listed') this.#mapListed(this.#column, rows, from, outer, count, out, take)
    else if (this.#column.starts)
      this.#mapSeveral(this.#column, this.#column.starts, rows, from, outer, count, out, take)
    else this.#mapSingle(this.#column, rows, from, outer, count, out, take)
  }

  /** Sets `out` to the ids of rows, one for each row with a key; returns how many. Undefined if rows may have several. */
  mapIds(rows: Uint32Array | undefined, from: number, count: number, out: Uint32Array): number | undefined {
    const column = this.#column
    if (column.kind === 'listed' || column.starts) return undefined
    column.fill(rows, from, count, out)
    this.#grow()
    const known = this.#ids
    let n = 0
    for (let i = 0; i < count; i++) {
      const slot = out[i] ?? 0
      let id = known[slot] ?? 0
      if (id < 0) {
        if (id === UNRESOLVED) id = this.idOf(slot)
        if (id < 0) continue
      }
      out[n++] = id
    }
    return n
  }

  /** Returns the id of a slot that occurs. */
  idOf(slot: number): number {
    const known = this.#ids[slot] ?? UNRESOLVED
    if (known !== UNRESOLVED) return known
    const id = slot === 0 ? NO_ID : this.#column.idOf(slot)
    this.#grow()
    this.#ids[slot] = id
    return id
  }

  #grow(): void {
    const { slots } = this.#column
    if (slots <= this.#ids.length) return
    const longer = new Int32Array(grownLength(slots)).fill(UNRESOLVED, this.#ids.length)
    longer.set(this.#ids)
    this.#ids = longer
  }

  #mapSingle(
    column: FilledKeys,
    rows: Uint32Array | undefined,
    from: number,
    outer: Buckets,
    count: number,
    out: Entries,
    take: () => void,
  ): void {
    const slots = slotsFor(count)
    column.fill(rows, from, count, slots)
    this.#grow()
    let n = 0
    const known = this.#ids
    const { ids, rows: outRows, outer: outOuter } = out
    if (rows === undefined && typeof outer === 'number') {
      outOuter.fill(outer, 0, count)
      for (let i = 0; i < count; i++) {
        const slot = slots[i] ?? 0
        let id = known[slot] ?? 0
        if (id < 0) {
          if (id === UNRESOLVED) id = this.idOf(slot)
          if (id < 0) continue
        }
        ids[n] = id
        outRows[n++] = from + i
      }
    } else {
      for (let i = 0; i < count; i++) {
        const slot = slots[i] ?? 0
        let id = known[slot] ?? 0
        if (id < 0) {
          if (id === UNRESOLVED) id = this.idOf(slot)
          if (id < 0) continue
        }
        ids[n] = id
        outRows[n] = rows === undefined ? from + i : (rows[i] ?? 0)
        outOuter[n++] = typeof outer === 'number' ? outer : (outer[i] ?? 0)
      }
    }
    out.count = n
    out.areConsecutive = rows === undefined && n === count
    if (n > 0) take()
  }

  #mapSeveral(
    column: FilledKeys,
    starts: Uint32Array,
    rows: Uint32Array | undefined,
    from: number,
    outer: Buckets,
    count: number,
    out: Entries,
    take: () => void,
  ): void {
    out.count = 0
    out.areConsecutive = false
    for (let begin = 0; begin < count; ) {
      const first = starts[rowAt(rows, from, begin)] ?? 0
      let end = begin + 1
      while (end < count && (starts[rowAt(rows, from, end) + 1] ?? 0) - first <= MOST_VALUES) end++
      const positions = (starts[rowAt(rows, from, end - 1) + 1] ?? 0) - first
      if (positions > this.#slots.length) this.#slots = new Uint32Array(2 * positions)
      const slots = this.#slots
      column.fill(undefined, first, positions, slots)
      this.#grow()
      for (let i = begin; i < end; i++) {
        const row = rowAt(rows, from, i)
        const group = typeof outer === 'number' ? outer : (outer[i] ?? 0)
        this.#rowsSeen++
        const last = (starts[row + 1] ?? 0) - first
        for (let at = (starts[row] ?? 0) - first; at < last; at++) this.#add(slots[at] ?? 0, row, group, out, take)
      }
      begin = end
    }
    if (out.count > 0) take()
  }

  #mapListed(
    column: ListedKeys,
    rows: Uint32Array | undefined,
    from: number,
    outer: Buckets,
    count: number,
    out: Entries,
    take: () => void,
  ): void {
    out.count = 0
    out.areConsecutive = false
    for (let i = 0; i < count; i++) {
      const row = rowAt(rows, from, i)
      const group = typeof outer === 'number' ? outer : (outer[i] ?? 0)
      this.#rowsSeen++
      const slots = column.list(row)
      this.#grow()
      for (let at = 0; at < slots.length; at++) this.#add(slots[at] ?? 0, row, group, out, take)
    }
    if (out.count > 0) take()
  }

  /** Adds an entry, unless the row already has one with the same key. */
  #add(slot: number, row: number, group: number, out: Entries, take: () => void): void {
    const id = this.idOf(slot)
    if (id < 0) return
    if (id >= this.#seen.length) {
      const longer = new Uint32Array(grownLength(id))
      longer.set(this.#seen)
      this.#seen = longer
    }
    if (this.#seen[id] === this.#rowsSeen) return
    this.#seen[id] = this.#rowsSeen
    const n = out.count++
    out.ids[n] = id
    out.rows[n] = row
    out.outer[n] = group
    if (out.count < MOST_ENTRIES) return
    take()
    out.count = 0
  }
}

const rowAt = (rows: Uint32Array | undefined, from: number, i: number): number =>
  rows === undefined ? from + i : (rows[i] ?? 0)
