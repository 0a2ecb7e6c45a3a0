import { ClusterRefusal, type Query, type WireJson, type WireObject } from '../../../cluster-client/cluster-client.ts'
import { problem } from '../../../errors.ts'
import { answerBytes } from '../../answer-bytes.ts'
import type { StoredDocument } from '../../engine.ts'
import type { ClusterContext } from '../request/cluster-context.ts'
import {
  closePointsInTime,
  KEEP_ALIVE,
  LONGEST_WAIT_MS,
  openPointInTime,
  type PointInTime,
  pointInTimeGroups,
} from '../request/point-in-time.ts'
import { type SearchAnswer, toStored } from '../request/search-answer.ts'
import { readAhead } from './read-ahead.ts'

/** Documents of the first page, when their sizes are unknown, and maximum of any page. */
const FIRST = 100
const MOST = 5000
/** Maximum growth factor of pages: the next documents may be larger than the previous ones. */
const GROWTH = 4
/** Bytes. Target size of a page in memory; at most two pages are held. */
const PAGE_BYTES = 8 * 1024 * 1024

export interface ScanOptions {
  /** Parts of the source to read; absent: all. */
  readonly paths?: readonly string[]
}

/** Returns all documents of a compiled selection in batches, from one point in time. */
export async function* scanMatching(
  context: ClusterContext,
  indices: readonly string[],
  selection: Query,
  signal?: AbortSignal,
  options: ScanOptions = {},
): AsyncIterable<readonly StoredDocument[]> {
  const stop = new AbortController()
  const wanted = { query: { bool: { filter: [selection] } }, ...sourceOf(options), track_total_hits: false }
  const until = signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal])
  const points: PointInTime[] = []
  try {
    for (const group of pointInTimeGroups(context, indices)) {
      signal?.throwIfAborted()
      points.push(await openPointInTime(context, group))
    }
    for await (const batch of readAhead(readPoints(context, points, wanted, until), stop)) {
      signal?.throwIfAborted()
      yield batch
    }
  } finally {
    await closePointsInTime(context, points)
  }
}

function sourceOf({ paths }: ScanOptions): WireObject {
  if (paths === undefined) return {}
  return { _source: paths.length === 0 ? false : { includes: paths } }
}

async function* readPoints(
  context: ClusterContext,
  points: readonly PointInTime[],
  wanted: WireObject,
  signal: AbortSignal,
): AsyncIterable<readonly StoredDocument[]> {
  let size = FIRST
  for (const [i, point] of points.entries()) {
    for (const part of point.parts) {
      let after: readonly WireJson[] | undefined
      for (;;) {
        await keepWaiting(context, points.slice(i + 1), signal)
        const place = after === undefined ? {} : { search_after: after }
        const page = await readPage(context, point, { ...wanted, ...part, ...place, size }, signal)
        if (page.length > 0) yield page.map(toStored)
        after = page.at(-1)?.sort
        if (page.length < size || after === undefined) break
        size = nextSize(size, page)
      }
    }
  }
}

async function keepWaiting(
  context: ClusterContext,
  waiting: readonly PointInTime[],
  signal: AbortSignal,
): Promise<void> {
  const latest = Date.now() - LONGEST_WAIT_MS
  for (const point of waiting) {
    if (point.usedAt < latest) await readPage(context, point, { size: 0, track_total_hits: false }, signal)
  }
}

async function readPage(
  { client }: ClusterContext,
  point: PointInTime,
  wanted: WireObject,
  signal: AbortSignal,
): Promise<SearchAnswer['hits']['hits']> {
  try {
    const answer = await client.send<SearchAnswer>({
      method: 'POST',
      path: '/_search',
      query: { allow_partial_search_results: false },
      body: { ...wanted, sort: point.sort, pit: { id: point.id, keep_alive: KEEP_ALIVE } },
      repeatable: true,
      signal,
    })
    point.id = answer.pit_id ?? point.id
    point.usedAt = Date.now()
    return answer.hits.hits
  } catch (error) {
    throw isLost(error) ? problem('ENGINE_UNAVAILABLE', { reason: LOST }) : error
  }
}

const LOST = `The cluster closed the snapshot during the scan: a node or an index was lost, or nothing was read for ${KEEP_ALIVE}; try again`

const isLost = (error: unknown): boolean =>
  error instanceof ClusterRefusal && (error.type === 'search_context_missing_exception' || error.status === 404)

/** Returns the number of documents expected to fill a page, based on the last page. */
function nextSize(size: number, page: readonly unknown[]): number {
  const bytes = answerBytes(page, Number.POSITIVE_INFINITY) + 1
  const fitting = Math.floor((PAGE_BYTES * page.length) / bytes)
  return Math.max(1, Math.min(fitting, size * GROWTH, MOST))
}
