import type { TableLayout } from '../index/table-layout.ts'
import type { StoredSegment } from '../segment/file/stored-segment.ts'
import type { IncomingRows } from '../segment/incoming-rows.ts'
import { LiveRows } from '../segment/live-rows.ts'
import { type Part, residentPart, type StoredPart } from '../segment/part.ts'
import type { Tail } from '../segment/tail/tail.ts'
import { editedPart, type Overlay, partWith } from './edited-part.ts'
import { lostPart } from './lost-part.ts'

/** Rows after which a tail is closed and a new one begins. Closed tails are sealed into segments in the background. */
const TAIL_ROWS = 2 ** 15

/** A part of an index with what has changed since it was made. Covers the row numbers from `firstSeq` to `endSeq`. */
export interface PartEntry {
  readonly base: PartBase
  readonly firstSeq: number
  readonly endSeq: number
  readonly live: LiveRows
  readonly overlay?: Overlay
  /** `base` with `live` and `overlay` applied. */
  readonly part: StoredPart
  /** True if rows can be appended to the tail. */
  readonly isOpen: boolean
}

/** A segment, with the name of its file; a tail; or a segment that cannot be read, with the name of its file. */
type PartBase =
  | { readonly kind: 'segment'; readonly file: string; readonly segment: StoredSegment }
  | { readonly kind: 'tail'; readonly tail: Tail; readonly part: Part }
  | { readonly kind: 'lost'; readonly file: string; readonly part: Part }

/** Makes the entry of a new segment, whose rows are all live. */
export function segmentEntry(file: string, segment: StoredSegment, firstSeq: number, endSeq: number): PartEntry {
  const live = LiveRows.all
  return { base: { kind: 'segment', file, segment }, firstSeq, endSeq, live, part: segment.part(live), isOpen: false }
}

/** Makes the entry that takes the place of a segment that cannot be read. */
export function lostEntry(file: string, { firstSeq, endSeq }: Pick<PartEntry, 'firstSeq' | 'endSeq'>): PartEntry {
  const live = LiveRows.all
  const part = lostPart(firstSeq, endSeq, live)
  return { base: { kind: 'lost', file, part }, firstSeq, endSeq, live, part: residentPart(part), isOpen: false }
}

/** Makes the entry of a tail that is not appended to. */
export function tailEntry(tail: Tail, rows: number, live: LiveRows): PartEntry {
  const part = tail.view(rows, live)
  const { firstSeq } = tail
  const base: PartBase = { kind: 'tail', tail, part }
  return { base, firstSeq, endSeq: firstSeq + rows, live, part: residentPart(part), isOpen: false }
}

/** Appends rows to the entry of an open tail. */
export function appended(entry: PartEntry, tail: Tail, rows: IncomingRows, layout: TableLayout): PartEntry {
  const before = entry.part.rows
  tail.append(rows, before, layout)
  const count = before + rows.count
  const part = tail.view(count, LiveRows.all)
  return {
    ...entry,
    base: { kind: 'tail', tail, part },
    endSeq: entry.firstSeq + count,
    part: residentPart(partWith(part, entry.live, undefined)),
    isOpen: count < TAIL_ROWS,
  }
}

/** Returns an entry after a change. */
export function rebuilt(entry: PartEntry, change: Partial<Pick<PartEntry, 'live' | 'overlay'>>): PartEntry {
  const { base, live, overlay } = { ...entry, ...change }
  const part =
    base.kind === 'segment'
      ? withOverlay(base.segment.part(live), overlay)
      : residentPart(partWith(base.part, live, base.kind === 'lost' ? undefined : overlay))
  return { ...entry, ...change, part }
}

const withOverlay = (part: StoredPart, overlay: Overlay | undefined): StoredPart =>
  overlay ? editedPart(part, overlay) : part
