import { ClusterFailure, ClusterRefusal, type WireObject } from '../../../cluster-client/cluster-client.ts'
import type { ClusterContext } from './cluster-context.ts'
import { indexPath, LONGEST_PATH } from './search-call.ts'

/** How long the cluster keeps a point in time after the last page was asked for. */
export const KEEP_ALIVE = '5m'
/** One that waits for its turn longer than this is asked for nothing, to be kept. */
export const LONGEST_WAIT_MS = 60_000

/** Indices as they were when it was opened. */
export interface PointInTime {
  /** The cluster may answer another one with every page; the latest counts. */
  id: string
  /** When a page of it was last asked for. */
  usedAt: number
  /** A total order of the documents of each part. */
  readonly sort: readonly WireObject[]
  /** What to add to a search so that it sees one part; together they are everything. */
  readonly parts: readonly WireObject[]
}

/**
 * Which indices share a point in time. On OpenSearch each has its own: the numbers it gives the documents of a shard
 * are alike in the shards of several indices, so that pages of them together would lose some.
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

/** Opens one for a group; whoever calls closes it. Not to be broken off: it would stay open without anybody knowing. */
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

/** As many slices as an index has shards are its shards; inside one, the number of a document is its own. */
function shardParts(shards: number): readonly WireObject[] {
  return shards < 2 ? [{}] : Array.from({ length: shards }, (_, id) => ({ slice: { id, max: shards } }))
}

/** Closes them, also when their indices are gone by now. */
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
      // The cluster closes by itself what is not used any more; the documents read are as good as before.
      if (!(error instanceof ClusterRefusal || error instanceof ClusterFailure)) throw error
    }
  }
}
