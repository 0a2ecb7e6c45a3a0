import type { Query, WireObject } from '../../../cluster-client/cluster-client.ts'
import { readRefusal } from '../../../cluster-client/refusal.ts'
import { printWire } from '../../../cluster-client/wire-json.ts'
import type { Field } from '../../../query/schema/field.ts'
import type { ClusterContext } from '../request/cluster-context.ts'

/** A number of distinct values as the cluster estimated it, and the documents that have them. */
export interface EstimatedCardinality {
  /** Selects the documents: those of the selection, those of a bucket. */
  readonly query: Query
  readonly field: Field
  readonly estimate: number
}

/**
 * Below its threshold the cluster counts hashes of 25 bits, and finds one value too few when two of them meet: about 5
 * in 100 sets of 500 to 3,000 values. With fewer than this the chance is below 4 in 100,000.
 */
const SURELY_COUNTED = 50
/** The estimate of sets up to 3,000, which are to be exact, is never higher. */
const HIGHEST_ESTIMATE = 3001
/** How many values more than estimated there may be. */
const MARGIN = 32
/** Values counted at most for one answer: to enumerate takes time, and an estimate is at most a few off. */
const MOST_VALUES = 200_000
const SEARCHES_AT_ONCE = 200

/** The numbers of distinct values up to 3,000 exactly, larger ones as estimated; one for each, in order. */
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
      // As many as were asked for: documents came in between, and perhaps more values than that.
      if (counted < sizeFor(one)) numbers[place] = counted
    }
  }
  return numbers
}

interface Uncertain {
  readonly place: number
  readonly one: EstimatedCardinality
}

/** The largest first, for among them the estimates are wrong most often. */
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

/** The cluster tells 0 from -0. */
const hasTwoZeros = ({ type }: Field): boolean => type === 'DOUBLE' || type === 'FLOAT'

const sizeFor = ({ estimate }: EstimatedCardinality): number => estimate + MARGIN

/** The buckets are counted by the cluster and left out of its answer. */
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
