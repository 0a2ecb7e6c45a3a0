import type { Box } from '../../geo/area.ts'

/** What happened to the matching documents since the former event. */
export interface LiveChange {
  /** Matching documents now. */
  readonly total: number
  /** Documents that match now and did not before, were changed and still match, and match no longer. */
  readonly inserted: number
  readonly updated: number
  readonly deleted: number
  /** Box around the inserted and updated documents, as they are now. Absent if there are none with a place. */
  readonly extent?: Box
  /** Latest time of the inserted and updated documents. Milliseconds. */
  readonly newest?: number
  /** False if documents may have changed that `updated`, `extent` and `newest` do not cover. */
  readonly complete: boolean
}

/** An event of a stream, with its id. */
export type LiveEvent =
  | { readonly kind: 'state'; readonly id: string; readonly total: number }
  | { readonly kind: 'change'; readonly id: string; readonly change: LiveChange }

/** Merges two changes, the later one second. So a slow client costs no memory. */
export function mergeChanges(a: LiveChange, b: LiveChange): LiveChange {
  const extent = a.extent === undefined ? b.extent : b.extent === undefined ? a.extent : unionOf(a.extent, b.extent)
  const newest = Math.max(a.newest ?? Number.NEGATIVE_INFINITY, b.newest ?? Number.NEGATIVE_INFINITY)
  return {
    total: b.total,
    inserted: a.inserted + b.inserted,
    updated: a.updated + b.updated,
    deleted: a.deleted + b.deleted,
    ...(extent === undefined ? {} : { extent }),
    ...(Number.isFinite(newest) ? { newest } : {}),
    complete: a.complete && b.complete,
  }
}

export const unionOf = (a: Box, b: Box): Box => ({
  west: Math.min(a.west, b.west),
  south: Math.min(a.south, b.south),
  east: Math.max(a.east, b.east),
  north: Math.max(a.north, b.north),
})

/** Prints an event in the format of server-sent events (WHATWG HTML, 9.2). */
export function printLiveEvent(event: LiveEvent): string {
  const data = event.kind === 'state' ? { total: event.total } : printedChange(event.change)
  return `id: ${event.id}\nevent: ${event.kind}\ndata: ${JSON.stringify(data)}\n\n`
}

function printedChange({ extent, ...change }: LiveChange): object {
  return extent === undefined ? change : { ...change, extent: [extent.west, extent.south, extent.east, extent.north] }
}
