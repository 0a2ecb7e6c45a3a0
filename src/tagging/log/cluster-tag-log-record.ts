import type { WireObject } from '../../cluster-client/cluster-client.ts'
import { type LoggedRequest, type NewTagRecord, RECORD_VERSION, type TagRecord } from '../../model/tag-record.ts'
import type { TagAction } from '../../model/tag-request.ts'

/** What stands at an offset of the index. */
export type LogEntry =
  | { readonly kind: 'record'; readonly record: TagRecord }
  /** Nothing, and nothing will ever; the offsets before `next` are not used either. */
  | { readonly kind: 'gap'; readonly next: number }
  /** Something that is no record of this layout. */
  | { readonly kind: 'unreadable' }

const ACTIONS: ReadonlySet<unknown> = new Set<TagAction>(['ADD', 'REMOVE', 'REMOVEALL'])

/** The document of a record; the offset is its number. */
export function writeRecord(record: NewTagRecord): WireObject {
  const { id, collection, action, creationTime, label, principal, partitionHeader, narrowing, request } = record
  return {
    v: RECORD_VERSION,
    id,
    collection,
    action,
    creationTime,
    ...(label === undefined ? {} : { label }),
    ...(principal === undefined ? {} : { principal }),
    ...(partitionHeader === undefined ? {} : { partitionHeader }),
    ...(narrowing === undefined ? {} : { narrowing }),
    request: request as unknown as WireObject,
  }
}

/** The document that closes a gap. */
export const writeGap = (next?: number): WireObject => ({ gap: true, ...(next === undefined ? {} : { next }) })

/** Members that `readPlace` looks at. */
export const PLACE_MEMBERS = ['v', 'id', 'collection', 'action', 'gap', 'next'] as const

export type LogPlace =
  | { readonly kind: 'record'; readonly id: string; readonly collection: string }
  | Exclude<LogEntry, { kind: 'record' }>

/** Whose record stands at an offset, from a part of the document. */
export function readPlace(offset: number, source: WireObject): LogPlace {
  const { v, id, collection, action, gap, next } = source
  if (gap === true) return { kind: 'gap', next: Math.max(offset + 1, typeof next === 'number' ? next : 0) }
  const isRecord = v === RECORD_VERSION && typeof id === 'string' && typeof collection === 'string'
  return isRecord && ACTIONS.has(action) ? { kind: 'record', id, collection } : { kind: 'unreadable' }
}

export function readEntry(offset: number, source: WireObject): LogEntry {
  const place = readPlace(offset, source)
  if (place.kind !== 'record') return place
  const { creationTime, label, principal, partitionHeader, narrowing, request } = source
  if (typeof creationTime !== 'number' || typeof request !== 'object' || request === null) return { kind: 'unreadable' }
  const record: TagRecord = {
    v: RECORD_VERSION,
    offset,
    id: place.id,
    collection: place.collection,
    action: source.action as TagAction,
    creationTime,
    ...(typeof label === 'string' ? { label } : {}),
    ...(typeof principal === 'string' ? { principal } : {}),
    ...(typeof partitionHeader === 'string' ? { partitionHeader } : {}),
    ...(typeof narrowing === 'string' ? { narrowing } : {}),
    // Only checked requests are written, in the layout whose version was checked.
    request: request as unknown as LoggedRequest,
  }
  return { kind: 'record', record }
}
