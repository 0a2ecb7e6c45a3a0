import type { DuckDBValue } from '@duckdb/node-api'
import type { BucketKey } from '../../../query/aggregation/bucket.ts'
import type { RowKeys, SqlBuilder } from '../database/sql-builder.ts'

/** SQL that computes the keys of a grouping from table rows. Keys are equal exactly when their SQL values are equal. */
export interface BucketKeySql {
  /** SQL type of a key. */
  readonly sqlType: string
  /** SQL of the key of a row with one key. NULL if the row has none. */
  readonly single: string
  /**
   * Rows that may have several keys: the condition that selects them, and the list of their distinct keys without NULL.
   */
  readonly several?: { readonly condition: string; readonly list: string }
  readonly sought?: SoughtKeySql
  /**
   * Cheaper key of a row with one key. Rows are grouped by it first; `fold` then maps each group to the real key. NULL
   * if the row has no key.
   */
  readonly fine?: { readonly single: string; readonly fold: (fine: string) => string }
  /** Maps the SQL of a key to SQL that sorts like `compareKeys`. Default: the key itself. */
  readonly ascending?: (key: string) => string
  readonly decode: (value: DuckDBValue) => BucketKey
}

/** Rows whose keys are computed in JavaScript because SQL cannot. */
interface SoughtKeySql extends Pick<RowKeys, 'keys' | 'refuse'> {
  /** Condition that selects these rows. TRUE for all rows. */
  readonly condition: string
  /** True if a row may have several keys. */
  readonly several: boolean
  /** Returns the statements that select candidates (RowKeys) among the rows of a relation that match a condition. */
  readonly rows: (relation: string, condition: string, sql: SqlBuilder) => readonly string[]
}
