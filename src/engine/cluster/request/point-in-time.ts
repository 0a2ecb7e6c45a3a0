import { ClusterFailure, ClusterRefusal, type WireObject } from '../../../cluster-client/cluster-client.ts'
import type { ClusterContext } from './cluster-context.ts'
import { indexPath, LONGEST_PATH } from './search-call.ts'

/** How long the cluster keeps a point in time after the last page request. */
export const KEEP_ALIVE = '5m'
/** Milliseconds. A point in time unused for longer gets an empty request to keep it alive. */
export const LONGEST_WAIT_MS = 60_000

/** Snapshot of indices. */
export interface PointInTime {
  /** Each page may return a new id; the latest is valid. */
  id: string
  /** Time of the last page request. */
  usedAt: number
  /** Total order of the documents within each part. */
  readonly sort: readonly WireObject[]
  /** Additions to a search that restrict it to one part. Together the parts cover everything. */
  readonly parts: readonly WireObject[]
}

/**
 * Groups indices that share a point in time. OpenSearch needs one per index: its document numbers are only unique per
 * shard, so that pages over several indices would lose documents.
 */
export function pointInTimeGroups({ dialect }: ClusterContext, indices: readonly string[]): readonly string[][] {
  if (dialect.family === 'opensearch') return indices.map((index) => [index])
  const groups: string[][] = []
  for (const index of indices) {
    const last = groups.at(-1)
    if (last !== undefined && indexPath([...last, index]).length < LONGEST_PATH) last.push(index)
    else groups.push([index])
  }
  return groups
}

/**
 * Opens a point in time for a group; the caller closes it. Not cancellable, since a cancelled one would stay open
 * unnoticed.
 */
export async function openPointInTime(
  { client, dialect }: ClusterContext,
  group: readonly string[],
): Promise<PointInTime> {
  if (dialect.family === 'elasticsearch') {
    const { id } = await client.send<{ readonly id: string }>({
      method: 'POST',
      path: `${indexPath(group)}/_pit`,
      query: { keep_alive: KEEP_ALIVE },
    })
    return { id, usedAt: Date.now(), sort: [{ _shard_doc: { order: 'asc' } }], parts: [{}] }
  }
  const { pit_id: id, _shards: shards } = await client.send<{
    readonly pit_id: string
    readonly _shards: { readonly total: number }
  }>({
    method: 'POST',
    path: `${indexPath(group)}/_search/point_in_time`,
    query: { keep_alive: KEEP_ALIVE, allow_partial_pit_creation: false },
  })
  return { id, usedAt: Date.now(), sort: [{ _doc: { order: 'asc' } }], parts: shardParts(shards.total) }
}

/** Slices equal the shards if there are as many of both. Document numbers are unique within a shard. */
function shardParts(shards: number): readonly WireObject[] {
  return shards < 2 ? [{}] : Array.from({ length: shards }, (_, id) => ({ slice: { id, max: shards } }))
}

/** Closes points in time, even if their indices were deleted. */
export async function closePointsInTime(
  { client, dialect }: ClusterContext,
  points: readonly PointInTime[],
): Promise<void> {
  if (points.length === 0) return
  const ids = points.map(({ id }) => id)
  const calls =
    dialect.family === 'elasticsearch'
      ? ids.map((id) => ({ path: '/_pit', body: { id } }))
      : [{ path: '/_search/point_in_time', body: { pit_id: ids } }]
  for (const call of calls) {
    try {
      await client.send({ method: 'DELETE', repeatable: true, ...call })
    } catch (error) {
      // The cluster closes unused ones anyway, and the documents read so far are valid.
      if (!(error instanceof ClusterRefusal || error instanceof ClusterFailure)) throw error
    }
  }
}
