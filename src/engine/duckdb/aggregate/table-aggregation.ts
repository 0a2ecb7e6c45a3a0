import type { AggregationPlan } from '../../../query/plan/aggregation-plan.ts'
import type { Reader } from '../database/reader.ts'
import type { IndexTable } from '../table/index-table.ts'

/** State shared by the steps of one aggregation. */
export interface TableAggregation {
  readonly reader: Reader
  readonly tables: readonly IndexTable[]
  readonly plan: AggregationPlan
}
