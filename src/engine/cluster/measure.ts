import type { MeasurePlan } from '../../query/aggregation-plan.ts'
import type { MeasureResult } from '../engine.ts'
import type { ClusterContext } from './cluster-context.ts'

export async function measure(
  _context: ClusterContext,
  _plan: MeasurePlan,
  _signal?: AbortSignal,
): Promise<MeasureResult> {
  throw new Error('not written yet')
}
