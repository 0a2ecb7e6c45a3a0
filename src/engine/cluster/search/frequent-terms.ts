import { ClusterRefusal, type Query, type WireObject } from '../../../cluster-client/cluster-client.ts'
import { compareCodePoints } from '../../../query/value/code-point-order.ts'
import type { ClusterContext } from '../request/cluster-context.ts'
import { sendSearch } from '../request/search-call.ts'

export interface Term {
  readonly text: string
  /** Number of documents with the term. */
  readonly count: number
}

/** A search for terms of a field. */
export interface TermSearch {
  readonly indices: readonly string[]
  readonly query: Query
  readonly path: string
  /** Regular expression of the cluster that matches at least all wanted terms; absent: no restriction. */
  readonly pattern?: string
  /** True if a term that matches the pattern is wanted. */
  readonly isWanted: (text: string) => boolean
  readonly size: number
}

/** Number of candidates per round, in total and per shard. */
const ROUNDS = [
  { size: 1000, shard_size: 10_000 },
  { size: 10_000, shard_size: 20_000 },
]
const PAGE = 10_000

/** Order of suggestions: count descending, then text by code point. */
export const compareTerms = (a: Term, b: Term): number => b.count - a.count || compareCodePoints(a.text, b.text)

/**
 * Returns the most frequent wanted terms with exact counts. Requests an increasing number of candidates until enough of
 * them are wanted. If 10,000 are not enough, pages through all terms.
 */
export async function frequentTerms(
  context: ClusterContext,
  search: TermSearch,
  signal?: AbortSignal,
): Promise<readonly Term[]> {
  for (const round of ROUNDS.filter(({ size }) => size >= search.size)) {
    const answer = await askTerms(context, search, round, signal)
    if (answer === undefined) break
    const wanted = answer.buckets.filter(({ key }) => search.isWanted(key))
    if (wanted.length >= search.size || answer.buckets.length < round.size) {
      return await recount(context, search, wanted, signal)
    }
  }
  return await pageThrough(context, search, signal)
}

interface TermsAnswer {
  readonly buckets: readonly TermBucket[]
}

interface TermBucket {
  readonly key: string
  readonly doc_count: number
  /** Upper bound of the documents on shards that did not return the term. */
  readonly doc_count_error_upper_bound?: number
}

/** Undefined if the number of buckets exceeds the limit of the cluster. */
async function askTerms(
  context: ClusterContext,
  search: TermSearch,
  { size, shard_size }: { readonly size: number; readonly shard_size: number },
  signal: AbortSignal | undefined,
): Promise<TermsAnswer | undefined> {
  const { path, pattern } = search
  const include = pattern === undefined ? {} : { include: pattern }
  const terms = { field: path, size, shard_size, show_term_doc_count_error: true, ...include }
  try {
    return await askOne<TermsAnswer>(context, search, search.query, { terms }, signal)
  } catch (error) {
    if (error instanceof ClusterRefusal && error.type === 'too_many_buckets_exception') return undefined
    throw error
  }
}

/** Requests exact counts of the terms that not every shard returned, and returns the first terms. */
async function recount(
  context: ClusterContext,
  search: TermSearch,
  buckets: readonly TermBucket[],
  signal: AbortSignal | undefined,
): Promise<readonly Term[]> {
  const counts = new Map(buckets.map(({ key, doc_count }) => [key, doc_count]))
  const unsure = buckets.flatMap(({ key, doc_count_error_upper_bound = 0 }) =>
    doc_count_error_upper_bound === 0 ? [] : [key],
  )
  if (unsure.length > 0) {
    const terms = { field: search.path, size: unsure.length, shard_size: unsure.length, include: unsure }
    const answer = await askOne<TermsAnswer>(context, search, search.query, { terms }, signal)
    for (const { key, doc_count } of answer.buckets) counts.set(key, doc_count)
  }
  return firstOf(
    [...counts].map(([text, count]) => ({ text, count })),
    search.size,
  )
}

interface PageAnswer {
  readonly buckets: readonly { readonly key: { readonly term: string }; readonly doc_count: number }[]
  readonly after_key?: WireObject
}

async function pageThrough(
  context: ClusterContext,
  search: TermSearch,
  signal: AbortSignal | undefined,
): Promise<readonly Term[]> {
  const { path, pattern } = search
  const having = pattern === undefined ? { exists: { field: path } } : { regexp: { [path]: { value: pattern } } }
  const query = { bool: { filter: [search.query, having] } }
  let best: readonly Term[] = []
  let after: WireObject | undefined
  do {
    const composite: WireObject = {
      size: PAGE,
      sources: [{ term: { terms: { field: path } } }],
      ...(after ? { after } : {}),
    }
    const page: PageAnswer = await askOne<PageAnswer>(context, search, query, { composite }, signal)
    const wanted = page.buckets.filter(({ key }) => search.isWanted(key.term))
    best = firstOf(
      [...best, ...wanted.map(({ key, doc_count }) => ({ text: key.term, count: doc_count }))],
      search.size,
    )
    after = page.buckets.length < PAGE ? undefined : page.after_key
  } while (after !== undefined)
  return best
}

const firstOf = (terms: readonly Term[], size: number): readonly Term[] => terms.toSorted(compareTerms).slice(0, size)

/** `T`: type of the aggregation's response. */
async function askOne<T>(
  context: ClusterContext,
  { indices }: TermSearch,
  query: Query,
  aggregation: WireObject,
  signal: AbortSignal | undefined,
): Promise<T> {
  const body = { size: 0, track_total_hits: false, query: { bool: { filter: [query] } }, aggs: { terms: aggregation } }
  const { aggregations } = await sendSearch<{ readonly terms: T }>(context, indices, body, signal)
  if (aggregations === undefined) throw new Error('the cluster returned no aggregation')
  return aggregations.terms
}
