import { Turn } from '../../../turn.ts'
import type { SourceMoves } from '../files/source-moves.ts'
import type { SegmentRecord } from '../index/index-definition.ts'
import type { FieldLayout, TableLayout } from '../index/table-layout.ts'
import type { Column } from '../segment/column.ts'
import type { IncomingField, IncomingRows } from '../segment/incoming-rows.ts'
import { LiveRows } from '../segment/live-rows.ts'
import type { Extents, Part } from '../segment/part.ts'
import { type SegmentData, segmentOf } from '../segment/segment-data.ts'
import { Tail } from '../segment/tail.ts'
import { editColumn } from './edited-column.ts'
import { type Overlay, partWith } from './edited-part.ts'

/** Rows after which a tail is closed and a new one begins. Closed tails are sealed into segments in the background. */
const TAIL_ROWS = 2 ** 15

const ROWS_BETWEEN_LOOKS = 1024

/** A part of an index with what has changed since it was made. Covers the row numbers from `firstSeq` to `endSeq`. */
export interface PartEntry {
  readonly base: PartBase
  readonly firstSeq: number
  readonly endSeq: number
  readonly live: LiveRows
  readonly overlay?: Overlay
  /** `base` with `live` and `overlay` applied. */
  readonly part: Part
  /** True if rows can be appended to the tail. */
  readonly isOpen: boolean
}

/** A segment, with the name of its file, or a tail. */
type PartBase =
  | { readonly kind: 'segment'; readonly file: string; readonly data: SegmentData; readonly part: Part }
  | { readonly kind: 'tail'; readonly tail: Tail; readonly part: Part }

/** Row number and extent of a stored document. */
export interface StoredRow {
  readonly seq: number
  readonly at: number
  readonly size: number
}

/** New values of some rows. The arrays have one entry per row. */
export interface RowEdits {
  readonly seqs: readonly number[]
  readonly at: ArrayLike<number>
  readonly sizes: ArrayLike<number>
  readonly fields: readonly { readonly field: Pick<FieldLayout, 'path' | 'type'>; readonly values: IncomingField }[]
}

/**
 * The documents of an index as its readers see them: segments and tails in the order of row numbers. Immutable: a write
 * makes a new one, which shares all parts that did not change.
 */
export class IndexParts {
  readonly entries: readonly PartEntry[]
  /** True if an edit changed a field that cannot be edited in place. Only the database has its values then. */
  readonly isOutdated: boolean
  readonly #parts: readonly Part[]

  constructor(entries: readonly PartEntry[], isOutdated = false) {
    this.entries = entries
    this.isOutdated = isOutdated
    this.#parts = entries.map(({ part }) => part)
  }

  static readonly none: IndexParts = new IndexParts([])

  get parts(): readonly Part[] {
    return this.#parts
  }

  /** Returns the document with an `_id`. */
  find(id: string): StoredRow | undefined {
    for (let i = this.#parts.length - 1; i >= 0; i--) {
      const part = this.#parts[i]
      const row = part?.ids.find(id).find((found) => part.live.isLive(found))
      if (part && row !== undefined) return storedRow(part, row)
    }
    return undefined
  }

  /** Returns the documents with these ids, as far as there are any. */
  findAll(ids: Iterable<string>): ReadonlyMap<string, StoredRow> {
    const found = new Map<string, StoredRow>()
    for (const id of ids) {
      const row = this.find(id)
      if (row) found.set(id, row)
    }
    return found
  }

  /** Appends rows. Not visible to readers of other versions. */
  added(rows: IncomingRows, layout: TableLayout): IndexParts {
    if (rows.count === 0) return this
    const last = this.entries.at(-1)
    if (last?.isOpen && last.base.kind === 'tail' && last.endSeq === rows.firstSeq) {
      return new IndexParts(
        [...this.entries.slice(0, -1), appended(last, last.base.tail, rows, layout)],
        this.isOutdated,
      )
    }
    const tail = new Tail(layout, rows.firstSeq)
    const { firstSeq } = rows
    const base: PartBase = { kind: 'tail', tail, part: tail.view(0, LiveRows.all) }
    const empty: PartEntry = { base, firstSeq, endSeq: firstSeq, live: LiveRows.all, part: base.part, isOpen: true }
    return new IndexParts([...this.closed().entries, appended(empty, tail, rows, layout)], this.isOutdated)
  }

  /** The same parts. Rows that are added later go to a new tail. */
  closed(): IndexParts {
    const entries = this.entries.map((entry) => (entry.isOpen ? { ...entry, isOpen: false } : entry))
    return new IndexParts(entries, this.isOutdated)
  }

  /** Removes the rows with these numbers. */
  removed(seqs: Iterable<number>): IndexParts {
    return this.#changing(seqs, (entry, rows) => rebuilt(entry, { live: entry.live.without(rows) }))
  }

  edited({ seqs, at, sizes, fields }: RowEdits): IndexParts {
    let isOutdated = this.isOutdated
    const changed = this.#changing(seqs, (entry, rows, places) => {
      const { part } = entry
      const columns = new Map<string, Column>(entry.overlay?.columns)
      for (const { field, values } of fields) {
        const column = editColumn(part.column(field), part.rows, { field, rows, from: places, values })
        if (column) columns.set(field.path, column)
        else isOutdated = true
      }
      const overlay: Overlay = { columns, extents: moved(part, rows, places, at, sizes) }
      // Rows appended later would be missing in the edited columns.
      return { ...rebuilt(entry, { overlay }), isOpen: false }
    })
    return new IndexParts(changed.entries, isOutdated)
  }

  /** The same documents, whose sources were copied to another file. In turns. */
  async relocated(moves: SourceMoves): Promise<IndexParts> {
    const turn = new Turn()
    const entries: PartEntry[] = []
    for (const entry of this.entries) {
      const { part } = entry
      const at = new Float64Array(part.rows)
      for (let row = 0; row < part.rows; row++) {
        if (part.live.isLive(row)) at[row] = moves.newOffset(part.extents.at[row] ?? 0)
        if (row % ROWS_BETWEEN_LOOKS === 0 && turn.isOver) await turn.next()
      }
      const columns = entry.overlay?.columns ?? new Map<string, Column>()
      const overlay: Overlay = { columns, extents: { at, size: part.extents.size } }
      entries.push({ ...rebuilt(entry, { overlay }), isOpen: false })
    }
    return new IndexParts(entries, this.isOutdated)
  }

  /** Puts an entry in place of others. */
  replaced(old: readonly PartEntry[], next: PartEntry | undefined): IndexParts {
    const others = this.entries.filter((entry) => !old.includes(entry))
    const all = next ? [...others, next].sort((a, b) => a.firstSeq - b.firstSeq) : others
    return new IndexParts(all, this.isOutdated)
  }

  /** `change` gets the rows of an entry that have one of the numbers, and the positions of these numbers in `seqs`. */
  #changing(
    seqs: Iterable<number>,
    change: (entry: PartEntry, rows: readonly number[], places: readonly number[]) => PartEntry,
  ): IndexParts {
    const found = new Map<PartEntry, { rows: number[]; places: number[] }>()
    let place = 0
    for (const seq of seqs) {
      const entry = this.#entryOf(seq)
      const row = entry?.part.seqs.row(seq) ?? -1
      if (entry && row >= 0) {
        const own = found.get(entry) ?? { rows: [], places: [] }
        own.rows.push(row)
        own.places.push(place)
        found.set(entry, own)
      }
      place++
    }
    if (found.size === 0) return this
    return new IndexParts(
      this.entries.map((entry) => {
        const own = found.get(entry)
        return own ? change(entry, own.rows, own.places) : entry
      }),
      this.isOutdated,
    )
  }

  #entryOf(seq: number): PartEntry | undefined {
    let low = 0
    let high = this.entries.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.entries[middle]?.endSeq ?? 0) <= seq) low = middle + 1
      else high = middle
    }
    const entry = this.entries[low]
    return entry && entry.firstSeq <= seq ? entry : undefined
  }
}

export const storedRow = ({ seqs, extents }: Part, row: number): StoredRow => ({
  seq: seqs.seq(row),
  at: extents.at[row] ?? 0,
  size: extents.size[row] ?? 0,
})

/** Makes the entry of a new segment, whose rows are all live. */
export function segmentEntry(file: string, data: SegmentData, firstSeq: number, endSeq: number): PartEntry {
  const part = segmentOf(data, LiveRows.all)
  return { base: { kind: 'segment', file, data, part }, firstSeq, endSeq, live: LiveRows.all, part, isOpen: false }
}

/** Makes the entry of a tail that is not appended to. */
export function tailEntry(tail: Tail, rows: number, live: LiveRows): PartEntry {
  const base: PartBase = { kind: 'tail', tail, part: tail.view(rows, live) }
  const { firstSeq } = tail
  return { base, firstSeq, endSeq: firstSeq + rows, live, part: base.part, isOpen: false }
}

/** Returns what the catalog keeps of the segments. */
export const recordsOf = ({ entries }: IndexParts): readonly SegmentRecord[] =>
  entries.flatMap(({ base, firstSeq, endSeq, overlay }): readonly SegmentRecord[] =>
    base.kind === 'segment' ? [{ file: base.file, firstSeq, endSeq, ...(overlay && { isEdited: true as const }) }] : [],
  )

function appended(entry: PartEntry, tail: Tail, rows: IncomingRows, layout: TableLayout): PartEntry {
  const before = entry.part.rows
  tail.append(rows, before, layout)
  const count = before + rows.count
  const base: PartBase = { kind: 'tail', tail, part: tail.view(count, LiveRows.all) }
  return {
    ...entry,
    base,
    endSeq: entry.firstSeq + count,
    part: partWith(base.part, entry.live, undefined),
    isOpen: count < TAIL_ROWS,
  }
}

function rebuilt(entry: PartEntry, change: Partial<Pick<PartEntry, 'live' | 'overlay'>>): PartEntry {
  const { live, overlay } = { ...entry, ...change }
  return { ...entry, ...change, part: partWith(entry.base.part, live, overlay) }
}

function moved(
  { rows: count, extents }: Part,
  rows: readonly number[],
  places: readonly number[],
  at: ArrayLike<number>,
  sizes: ArrayLike<number>,
): Extents {
  const next = { at: extents.at.slice(0, count), size: extents.size.slice(0, count) }
  for (const [i, row] of rows.entries()) {
    next.at[row] = at[places[i] ?? 0] ?? 0
    next.size[row] = sizes[places[i] ?? 0] ?? 0
  }
  return next
}
