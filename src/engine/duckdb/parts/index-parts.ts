import { Turn } from '../../../turn.ts'
import type { SourceMoves } from '../files/source-moves.ts'
import type { SegmentRecord } from '../index/index-definition.ts'
import type { FieldLayout, TableLayout } from '../index/table-layout.ts'
import type { Column } from '../segment/column.ts'
import type { IncomingField, IncomingRows } from '../segment/incoming-rows.ts'
import { LiveRows } from '../segment/live-rows.ts'
import type { Part, StoredPart, Wanted } from '../segment/part.ts'
import { Tail } from '../segment/tail/tail.ts'
import { editedExtents, relocatedExtents } from './changed-extents.ts'
import { editColumn } from './edited-column.ts'
import type { Overlay } from './edited-part.ts'
import { appended, type PartEntry, rebuilt, tailEntry } from './part-entry.ts'

/** Why the database answers while a segment is built again. */
export const DAMAGED = 'damaged segments'

/** Row number and extent of a stored document. */
export interface StoredRow {
  readonly seq: number
  readonly at: number
  readonly size: number
}

/**
 * Gets an opened entry, its rows that have one of the numbers, and the positions of these numbers among all; returns what
 * takes its place.
 */
type Change = (entry: PartEntry, part: Part, rows: readonly number[], places: readonly number[]) => PartEntry

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
  readonly parts: readonly StoredPart[]

  constructor(entries: readonly PartEntry[], isOutdated = false) {
    this.entries = entries
    this.isOutdated = isOutdated
    this.parts = entries.map(({ part }) => part)
  }

  static readonly none: IndexParts = new IndexParts([])

  /** Parts of which only the database has the rows. */
  get lost(): readonly PartEntry[] {
    return this.entries.filter(({ base }) => base.kind === 'lost')
  }

  /** Why only the database can answer reads; undefined if kernels can. */
  get gap(): string | undefined {
    if (this.isOutdated) return 'edited geometries'
    return this.lost.length > 0 ? DAMAGED : undefined
  }

  /** Keeps the files of the segments open until `release`, also if they are replaced meanwhile. */
  hold(): void {
    for (const { base } of this.entries) if (base.kind === 'segment') base.segment.hold()
  }

  async release(): Promise<void> {
    for (const { base } of this.entries) {
      const closing = base.kind === 'segment' ? base.segment.release() : undefined
      if (closing) await closing
    }
  }

  /** Closes the files of the segments, when nobody holds them. */
  async close(): Promise<void> {
    for (const { base } of this.entries) if (base.kind === 'segment') await base.segment.retire()
  }

  /** True unless it is known, without reading a file, that no document has an `_id`. */
  mayHave(id: string): boolean {
    return this.entries.some(({ base, part: { knownIds, live } }) =>
      base.kind === 'lost' || !knownIds ? true : knownIds.find(id).some((row) => live.isLive(row)),
    )
  }

  /** Returns the documents with these ids, as far as there are any in parts that are not lost. */
  async findAll(ids: Iterable<string>, signal?: AbortSignal): Promise<ReadonlyMap<string, StoredRow>> {
    const found = new Map<string, StoredRow>()
    let missing = [...ids]
    for (const part of this.parts.toReversed()) {
      if (missing.length === 0) break
      const named = await part.open({ ids: true }, signal)
      const rows = new Map<string, number>()
      for (const id of missing) {
        const row = named.part.ids.find(id).find((candidate) => part.live.isLive(candidate))
        if (row !== undefined) rows.set(id, row)
      }
      named.release()
      if (rows.size === 0) continue
      const placed = await part.open({ seqs: true, extents: true }, signal)
      for (const [id, row] of rows) found.set(id, storedRow(placed.part, row))
      placed.release()
      missing = missing.filter((id) => !rows.has(id))
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
    const empty = tailEntry(tail, 0, LiveRows.all)
    return new IndexParts([...this.closed().entries, appended(empty, tail, rows, layout)], this.isOutdated)
  }

  /** The same parts. Rows that are added later go to a new tail. */
  closed(): IndexParts {
    const entries = this.entries.map((entry) => (entry.isOpen ? { ...entry, isOpen: false } : entry))
    return new IndexParts(entries, this.isOutdated)
  }

  /** Removes the rows with these numbers. */
  removed(seqs: Iterable<number>): Promise<IndexParts> {
    return this.#changing(seqs, { seqs: true }, (entry, _, rows) => rebuilt(entry, { live: entry.live.without(rows) }))
  }

  async edited({ seqs, at, sizes, fields }: RowEdits): Promise<IndexParts> {
    let isOutdated = this.isOutdated
    const wanted = { seqs: true, extents: true, fields: fields.map(({ field }) => field) }
    const changed = await this.#changing(seqs, wanted, (entry, part, rows, places) => {
      // Whoever builds it again must see that it is not the same any more.
      if (entry.base.kind === 'lost') return rebuilt(entry, { overlay: { columns: new Map(), extents: part.extents } })
      const columns = new Map<string, Column>(entry.overlay?.columns)
      for (const { field, values } of fields) {
        const column = editColumn(part.column(field), part.rows, { field, rows, from: places, values })
        if (column) columns.set(field.path, column)
        else isOutdated = true
      }
      const overlay: Overlay = { columns, extents: editedExtents(part, rows, places, at, sizes) }
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
      const { part, release } = await entry.part.open({ extents: true })
      try {
        const columns = entry.overlay?.columns ?? new Map<string, Column>()
        const overlay: Overlay = { columns, extents: await relocatedExtents(part, moves, turn) }
        entries.push({ ...rebuilt(entry, { overlay }), isOpen: false })
      } finally {
        release()
      }
    }
    return new IndexParts(entries, this.isOutdated)
  }

  /** Puts entries in place of others. */
  replaced(old: readonly PartEntry[], next: readonly PartEntry[]): IndexParts {
    const others = this.entries.filter((entry) => !old.includes(entry))
    const all = [...others, ...next].sort((a, b) => a.firstSeq - b.firstSeq)
    return new IndexParts(all, this.isOutdated)
  }

  /** Replaces entries that have rows with some of the numbers. */
  async #changing(seqs: Iterable<number>, wanted: Wanted, change: Change): Promise<IndexParts> {
    const found = new Map<PartEntry, { readonly seqs: number[]; readonly places: number[] }>()
    let place = 0
    for (const seq of seqs) {
      const entry = this.#entryOf(seq)
      if (entry) {
        const own = found.get(entry) ?? { seqs: [], places: [] }
        own.seqs.push(seq)
        own.places.push(place)
        found.set(entry, own)
      }
      place++
    }
    const changed = new Map<PartEntry, PartEntry>()
    for (const [entry, own] of found) {
      const { part, release } = await entry.part.open(wanted)
      try {
        const { seqs: numbers } = part
        const rows: number[] = []
        const places: number[] = []
        for (const [i, seq] of own.seqs.entries()) {
          const row = numbers.row(seq)
          if (row < 0) continue
          rows.push(row)
          places.push(own.places[i] ?? 0)
        }
        if (rows.length > 0) changed.set(entry, change(entry, part, rows, places))
      } finally {
        release()
      }
    }
    if (changed.size === 0) return this
    return new IndexParts(
      this.entries.map((entry) => changed.get(entry) ?? entry),
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

const storedRow = ({ seqs, extents }: Part, row: number): StoredRow => ({
  seq: seqs.seq(row),
  at: extents.at[row] ?? 0,
  size: extents.size[row] ?? 0,
})

/** Returns what the catalog keeps of the segments. */
export const recordsOf = ({ entries }: IndexParts): readonly SegmentRecord[] =>
  entries.flatMap(({ base, firstSeq, endSeq, overlay }): readonly SegmentRecord[] => {
    if (base.kind === 'tail') return []
    const isStale = overlay !== undefined || base.kind === 'lost'
    return [{ file: base.file, firstSeq, endSeq, ...(isStale && { isEdited: true as const }) }]
  })
