import type { Query, WireObject } from '../../../cluster-client/cluster-client.ts'
import { readRefusal } from '../../../cluster-client/refusal.ts'
import { printWire } from '../../../cluster-client/wire-json.ts'
import type { Field } from '../../../query/schema/field.ts'
import type { ClusterContext } from '../request/cluster-context.ts'

/** A cardinality estimated by the cluster, and the documents it refers to. */
export interface EstimatedCardinality {
  /** Selects the documents of the selection or of a bucket. */
  readonly query: Query
  readonly field: Field
  readonly estimate: number
}

/**
 * Below its threshold the cluster counts 25-bit hashes. A collision makes the count one too low, in about 5 of 100 sets
 * of 500 to 3,000 values. Below this number of values the probability is less than 4 in 100,000.
 */
const SURELY_COUNTED = 50
/** Upper bound of the estimate for sets of up to 3,000 values, which must be exact. */
const HIGHEST_ESTIMATE = 3001
/** Maximum difference between the actual and the estimated number of values. */
const MARGIN = 32
/** Maximum number of values counted per request. Enumerating takes time, and an estimate is at most a few off. */
const MOST_VALUES = 200_000
const SEARCHES_AT_ONCE = 200

/** Returns cardinalities in order: exact up to 3,000, larger ones as estimated. */
export async function exactCardinalities(
  { client }: Pick<ClusterContext, 'client'>,
  indices: readonly string[],
  estimated: readonly EstimatedCardinality[],
  signal?: AbortSignal,
): Promise<readonly number[]> {
  const numbers = estimated.map(({ estimate }) => estimate)
  const uncertain = affordable(estimated)
  for (let start = 0; start < uncertain.length; start += SEARCHES_AT_ONCE) {
    const batch = uncertain.slice(start, start + SEARCHES_AT_ONCE)
    const { responses } = await client.send<CountedValues>({
      method: 'POST',
      path: '/_msearch',
      query: { filter_path: ANSWER_PARTS },
      body: batch.map(({ one }) => compileSearch(indices, one)).join(''),
      repeatable: true,
      ...(signal ? { signal } : {}),
    })
    for (const [i, { place, one }] of batch.entries()) {
      const counted = readCount(responses[i])
      // The limit was reached: documents were added meanwhile, and there may be more values than counted.
      if (counted < sizeFor(one)) numbers[place] = counted
    }
  }
  return numbers
}

interface Uncertain {
  readonly place: number
  readonly one: EstimatedCardinality
}

/** Returns the estimates to verify within the limit. Largest first, since those are wrong most often. */
function affordable(estimated: readonly EstimatedCardinality[]): readonly Uncertain[] {
  const uncertain = estimated
    .map((one, place): Uncertain => ({ place, one }))
    .filter(({ one }) => isUncertain(one))
    .sort((a, b) => b.one.estimate - a.one.estimate)
  let values = 0
  return uncertain.filter(({ one }) => {
    values += one.estimate
    return values <= MOST_VALUES
  })
}

function isUncertain({ field, estimate }: EstimatedCardinality): boolean {
  return estimate <= HIGHEST_ESTIMATE && estimate > (hasTwoZeros(field) ? 1 : SURELY_COUNTED)
}

/** The cluster distinguishes 0 and -0. */
const hasTwoZeros = ({ type }: Field): boolean => type === 'DOUBLE' || type === 'FLOAT'

const sizeFor = ({ estimate }: EstimatedCardinality): number => estimate + MARGIN

/** The cluster counts the buckets; they are left out of the response. */
const ANSWER_PARTS = [
  'responses.status',
  'responses.error',
  'responses.aggregations.number.count',
  'responses.aggregations.zeros',
].join(',')

interface CountedValues {
  readonly responses: readonly CountedSearch[]
}

interface CountedSearch {
  readonly status?: number
  readonly error?: unknown
  readonly aggregations?: {
    readonly number?: { readonly count: number }
    readonly zeros?: { readonly buckets: readonly { readonly doc_count: number }[] }
  }
}

function compileSearch(indices: readonly string[], one: EstimatedCardinality): string {
  const { path } = one.field
  const zeros = { filters: { filters: [{ term: { [path]: '-0.0' } }, { term: { [path]: '0.0' } }] } }
  const aggs: WireObject = {
    values: { terms: { field: path, size: sizeFor(one) } },
    number: { stats_bucket: { buckets_path: 'values>_count' } },
    ...(hasTwoZeros(one.field) ? { zeros } : {}),
  }
  const search = { size: 0, track_total_hits: false, query: { bool: { filter: [one.query] } }, aggs }
  return `${printWire({ index: indices, allow_partial_search_results: false })}\n${printWire(search)}\n`
}

function readCount(answer: CountedSearch | undefined): number {
  if (answer?.error !== undefined) throw readRefusal(answer.status ?? 500, answer)
  const bothZeros = answer?.aggregations?.zeros?.buckets.every(({ doc_count }) => doc_count > 0) ?? false
  return (answer?.aggregations?.number?.count ?? 0) - (bothZeros ? 1 : 0)
}
