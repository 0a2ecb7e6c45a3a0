import type { GridGrouping } from '../../query/aggregation-plan.ts'
import type { BucketKeySql } from './bucket-key.ts'
import type { SqlBuilder } from './sql-builder.ts'
import type { FieldLayout } from './table-layout.ts'

/** The cells of a grid a row lies in. A shape in more than `mostCells` cells is a LIMIT_EXCEEDED when it is read. */
export function compileGridKey(
  _grouping: GridGrouping,
  _field: FieldLayout,
  _mostCells: number,
  _sql: SqlBuilder,
): BucketKeySql {
  throw new Error('to be written')
}
