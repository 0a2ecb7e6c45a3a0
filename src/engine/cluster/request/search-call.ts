import type { Query, WireObject } from '../../../cluster-client/cluster-client.ts'
import { readRefusal } from '../../../cluster-client/refusal.ts'
import { printWire } from '../../../cluster-client/wire-json.ts'
import type { ClusterContext } from './cluster-context.ts'
import type { SearchAnswer } from './search-answer.ts'

/** Clusters refuse a request whose first line is longer than 4096 bytes; a part of it is left to proxies' prefixes. */
export const LONGEST_PATH = 3000

interface SeveralAnswers {
  readonly responses: readonly (SearchAnswer & { readonly error?: unknown; readonly status?: number })[]
}

/** One `_search` of these indices, of which there is at least one; a shard that is missing is a refusal. */
export async function sendSearch(
  { client }: ClusterContext,
  indices: readonly string[],
  body: WireObject,
  signal?: AbortSignal,
): Promise<SearchAnswer> {
  // Without a name the cluster would search all its indices.
  if (indices.length === 0) throw new Error('a search names its indices')
  const path = `${indexPath(indices)}/_search`
  const rest = { method: 'POST', repeatable: true, ...(signal === undefined ? {} : { signal }) } as const
  if (path.length <= LONGEST_PATH) {
    return client.send<SearchAnswer>({ ...rest, path, query: { allow_partial_search_results: false }, body })
  }
  // The names of many indices fit into a body only.
  const header = { index: indices, allow_partial_search_results: false }
  const lines = `${printWire(header)}\n${printWire(body)}\n`
  const { responses } = await client.send<SeveralAnswers>({ ...rest, path: '/_msearch', body: lines })
  const [answer] = responses
  if (answer === undefined || answer.error !== undefined) throw readRefusal(answer?.status ?? 500, answer ?? {})
  return answer
}

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

/** The beginning of a path that concerns these indices. */
export function indexPath(indices: readonly string[]): string {
  return `/${indices.map(encodeURIComponent).join(',')}`
}
