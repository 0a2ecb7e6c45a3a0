import type { DuckDBValue } from '@duckdb/node-api'
import type { MetricPlan } from '../../query/aggregation-plan.ts'
import type { MetricValue } from '../../query/bucket.ts'
import type { IndexTable } from './index-table.ts'

/** A metric whose parts unite: SQL aggregates over the rows of a part, how those of several parts become one, the result. */
export interface UnitedMetric {
  readonly partials: readonly { readonly sql: string; readonly unite: 'sum' | 'min' | 'max' }[]
  /** Of the partials in their order, each of the united type; the result of no row at all has NULLs. */
  readonly finish: (partials: readonly DuckDBValue[]) => MetricValue
}

/** Distinct values cannot be united from counts: one row's value (NULL: none), and the list of those of rows with several. */
export interface DistinctValues {
  readonly single: string
  readonly several?: { readonly condition: string; readonly list: string }
}

export type UnitedKind = Exclude<MetricPlan['kind'], 'cardinality'>

/** For every table the same partials in number and SQL type; a table without the field gives NULLs. */
export function compileMetric(_metric: MetricPlan & { readonly kind: UnitedKind }, _table: IndexTable): UnitedMetric {
  throw new Error('to be written')
}

/** `comparable`: values must equal each other over tables and over the arranged and the later rows of a table. */
export function compileDistinct(_metric: MetricPlan, _table: IndexTable, _comparable: boolean): DistinctValues {
  throw new Error('to be written')
}
