import type { MeasurePlan } from '../../query/aggregation-plan.ts'
import type { MeasureResult } from '../engine.ts'
import type { Database } from './database.ts'
import type { Tables } from './snapshot.ts'

export async function measure(
  _database: Database,
  _tables: Tables,
  _plan: MeasurePlan,
  _signal: AbortSignal | undefined,
): Promise<MeasureResult> {
  throw new Error('to be written')
}
