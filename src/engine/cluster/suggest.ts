import type { SuggestPlan } from '../../query/aggregation-plan.ts'
import type { Suggestion } from '../engine.ts'
import type { ClusterContext } from './cluster-context.ts'

export async function suggest(
  _context: ClusterContext,
  _plan: SuggestPlan,
  _signal?: AbortSignal,
): Promise<readonly Suggestion[]> {
  throw new Error('not written yet')
}
