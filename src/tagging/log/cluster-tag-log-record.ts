import type { WireObject } from '../../cluster-client/cluster-client.ts'
import { hasShape } from '../../model/json/stored-json.ts'
import { type NewTagRecord, RECORD_VERSION, type TagRecord } from '../../model/tag-record.ts'
import type { TagAction } from '../../model/tag-request.ts'
import { StoredRequest } from './logged-request.ts'

/** Content of the index at one offset. */
type LogEntry =
  | { readonly kind: 'record'; readonly record: TagRecord }
  /** No record, now or later. Offsets below `next` are unused too. */
  | { readonly kind: 'gap'; readonly next: number }
  /** Not a record of this layout. */
  | { readonly kind: 'unreadable' }

const ACTIONS: ReadonlySet<unknown> = new Set<TagAction>(['ADD', 'REMOVE', 'REMOVEALL'])

/** Returns the document of a record, without its offset. */
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
    request,
  }
}

/** Returns the document that closes a gap. */
export const writeGap = (next?: number): WireObject => ({ gap: true, ...(next === undefined ? {} : { next }) })

/** Members read by `readPlace`. */
export const PLACE_MEMBERS = ['v', 'id', 'collection', 'action', 'gap', 'next'] as const

type LogPlace =
  | { readonly kind: 'record'; readonly id: string; readonly collection: string }
  | Exclude<LogEntry, { kind: 'record' }>

/** Identifies the content of an offset from a part of its document. */
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
  if (typeof creationTime !== 'number' || !hasShape(StoredRequest, request)) return { kind: 'unreadable' }
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
    request,
  }
  return { kind: 'record', record }
}
