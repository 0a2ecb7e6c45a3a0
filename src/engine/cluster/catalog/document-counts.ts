import type { ClusterContext } from '../request/cluster-context.ts'
import type { ClusterIndex } from './index-listing.ts'

/** The terms aggregation requires a limit; this is more than a cluster can hold well. */
const MOST_INDICES = 20_000

interface CountsAnswer {
  readonly aggregations: {
    readonly names: { readonly buckets: readonly { readonly key: string; readonly doc_count: number }[] }
  }
}

/**
 * Returns the number of documents per index, with one search grouped by index name. The index statistics of the cluster
 * also count nested objects and deleted documents.
 */
export async function countDocuments(
  { client }: ClusterContext,
  pattern: string,
  indices: readonly ClusterIndex[],
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map(indices.map(({ name }) => [name, 0]))
  const options = { ignore_unavailable: true, allow_no_indices: true, expand_wildcards: 'open' }
  const withSignal = signal === undefined ? {} : { signal }
  const hasPlain = indices.some(({ isAlias }) => !isAlias)
  if (hasPlain) {
    const answer = await client.send<CountsAnswer>({
      method: 'POST',
      path: `/${encodeURIComponent(pattern)}/_search`,
      query: { ...options, allow_partial_search_results: false },
      body: {
        size: 0,
        track_total_hits: false,
        aggs: { names: { terms: { field: '_index', size: MOST_INDICES } } },
      },
      repeatable: true,
      ...withSignal,
    })
    const { buckets } = answer.aggregations.names
    for (const { key, doc_count: count } of buckets) if (counts.has(key)) counts.set(key, count)
  }
  for (const { name, isAlias } of indices) {
    if (!isAlias) continue
    const path = `/${encodeURIComponent(name)}/_count`
    const { count } = await client.send<{ readonly count: number }>({
      method: 'GET',
      path,
      query: options,
      ...withSignal,
    })
    counts.set(name, count)
  }
  return counts
}
