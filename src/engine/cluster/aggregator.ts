import type { AggregationPlan } from '../../query/aggregation-plan.ts'
import type { AggregationResult } from '../engine.ts'
import type { ClusterContext } from './cluster-context.ts'

export async function aggregate(
  _context: ClusterContext,
  _plan: AggregationPlan,
  _signal?: AbortSignal,
): Promise<AggregationResult> {
  throw new Error('not written yet')
}
