import type { Query } from '../../../cluster-client/cluster-client.ts'
import type { ClusterContext } from './cluster-context.ts'
import { sendSearch } from './search-call.ts'

/** How many documents match a compiled selection: a search, since a `_count` passes over shards that are missing. */
export async function countMatching(
  context: ClusterContext,
  indices: readonly string[],
  selection: Query,
  signal?: AbortSignal,
): Promise<number> {
  if (indices.length === 0) return 0
  const body = { query: { bool: { filter: [selection] } }, size: 0, track_total_hits: true }
  const answer = await sendSearch(context, indices, body, signal)
  return answer.hits.total?.value ?? 0
}
