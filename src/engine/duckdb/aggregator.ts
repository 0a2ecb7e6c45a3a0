import type { AggregationPlan } from '../../query/aggregation-plan.ts'
import type { AggregationResult } from '../engine.ts'
import type { Database } from './database.ts'
import type { Tables } from './snapshot.ts'

export async function aggregate(
  _database: Database,
  _tables: Tables,
  _plan: AggregationPlan,
  _signal: AbortSignal | undefined,
): Promise<AggregationResult> {
  throw new Error('to be written')
}
