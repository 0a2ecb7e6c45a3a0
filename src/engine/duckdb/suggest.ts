import type { SuggestPlan } from '../../query/aggregation-plan.ts'
import type { Suggestion } from '../engine.ts'
import type { Database } from './database.ts'
import type { Tables } from './snapshot.ts'

export async function suggest(
  _database: Database,
  _tables: Tables,
  _plan: SuggestPlan,
  _signal: AbortSignal | undefined,
): Promise<readonly Suggestion[]> {
  throw new Error('to be written')
}
