import type { Query } from '../../../cluster-client/cluster-client.ts'
import type { BucketKey } from '../../../query/aggregation/bucket.ts'
import type { Grouping } from '../../../query/plan/aggregation-plan.ts'
import { and, type Predicate, type Scalar } from '../../../query/plan/predicate.ts'
import { allOf } from '../condition/query-clauses.ts'
import { compileSelection } from '../selection/selection-query.ts'
import type { ClusterAggregation } from './bucket-request.ts'
import { type ClusterBucket, lineage, nodesAt } from './cluster-bucket.ts'
import { type EstimatedCardinality, exactCardinalities } from './exact-cardinality.ts'

/** For levels with more buckets, the estimates of the cluster are kept: at most a few values off. */
const MOST_BUCKETS = 200

/**
 * Makes the cardinalities of the buckets of a level exact up to 3,000. Requires that the documents of a bucket can be
 * selected by a predicate: all levels down to it must be terms or fixed time intervals.
 */
export async function countExactly(work: ClusterAggregation, depth: number): Promise<void> {
  const { context, plan, root, signal } = work
  const level = plan.levels[depth]
  const places = (level?.metrics ?? []).flatMap(({ kind }, place) => (kind === 'cardinality' ? place : []))
  const nodes = nodesAt(root, depth)
  if (level === undefined || places.length === 0 || nodes.length > MOST_BUCKETS) return
  for (const place of places) {
    const field = level.metrics[place]?.field
    if (field === undefined) continue
    const estimated: (EstimatedCardinality & { readonly node: ClusterBucket })[] = []
    for (const node of nodes) {
      const query = await bucketQuery(work, node)
      const estimate = node.metrics[place]
      if (query !== undefined && typeof estimate === 'number') estimated.push({ node, query, field, estimate })
    }
    const exact = await exactCardinalities(context, plan.indices, estimated, signal)
    for (const [i, { node }] of estimated.entries()) node.metrics = node.metrics.with(place, exact[i] ?? 0)
  }
  const parents = new Set(nodes.flatMap(({ parent }) => parent ?? []))
  for (const parent of parents) parent.reorder(level, new Set())
}

/** Returns a query for the documents of a bucket; undefined if no predicate selects them. */
async function bucketQuery(work: ClusterAggregation, node: ClusterBucket): Promise<Query | undefined> {
  const { context, plan, query, signal } = work
  const conditions = lineage(node).map(({ key, depth }) => {
    const level = plan.levels[depth]
    return level && conditionOf(level.grouping, key)
  })
  if (conditions.some((condition) => condition === undefined)) return undefined
  const predicate = and(conditions.flatMap((condition) => condition ?? []))
  return allOf([query, await compileSelection(context, { indices: plan.indices, predicate }, signal)])
}

function conditionOf(grouping: Grouping, key: BucketKey): Predicate | undefined {
  const { field } = grouping
  if (grouping.kind === 'term') return { kind: 'equals', field, values: [key as Scalar] }
  if (grouping.kind !== 'datehistogram' || grouping.interval.kind !== 'fixed' || typeof key !== 'number')
    return undefined
  const upper = { value: key + grouping.interval.length, inclusive: false }
  return { kind: 'range', field, lower: { value: key, inclusive: true }, upper }
}
