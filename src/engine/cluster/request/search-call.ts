import type { Query, WireObject } from '../../../cluster-client/cluster-client.ts'
import { readRefusal } from '../../../cluster-client/refusal.ts'
import { printWire } from '../../../cluster-client/wire-json.ts'
import type { ClusterContext } from './cluster-context.ts'
import type { SearchAnswer } from './search-answer.ts'

/** Clusters reject a request line longer than 4096 bytes. The rest is left for proxy prefixes and the query string. */
export const LONGEST_PATH = 3000

interface SeveralAnswers<A> {
  readonly responses: readonly (SearchAnswer<A> & { readonly error?: unknown; readonly status?: number })[]
}

/** Sends one `_search` for at least one index. Rejects if a shard is missing. `A`: as in `SearchAnswer`. */
export async function sendSearch<A = WireObject>(
  { client }: ClusterContext,
  indices: readonly string[],
  body: WireObject,
  signal?: AbortSignal,
): Promise<SearchAnswer<A>> {
  // Without a name the cluster would search all indices.
  if (indices.length === 0) throw new Error('a search needs at least one index')
  const path = `${indexPath(indices)}/_search`
  const rest = { method: 'POST', repeatable: true, ...(signal === undefined ? {} : { signal }) } as const
  if (path.length <= LONGEST_PATH) {
    return client.send<SearchAnswer<A>>({ ...rest, path, query: { allow_partial_search_results: false }, body })
  }
  // Many index names only fit into a body.
  const header = { index: indices, allow_partial_search_results: false }
  const lines = `${printWire(header)}\n${printWire(body)}\n`
  const { responses } = await client.send<SeveralAnswers<A>>({ ...rest, path: '/_msearch', body: lines })
  const [answer] = responses
  if (answer === undefined || answer.error !== undefined) throw readRefusal(answer?.status ?? 500, answer ?? {})
  return answer
}

/** Counts the documents matching a compiled selection. Uses a search, since `_count` ignores missing shards. */
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

/** Returns the path prefix for these indices. */
export function indexPath(indices: readonly string[]): string {
  return `/${indices.map(encodeURIComponent).join(',')}`
}
