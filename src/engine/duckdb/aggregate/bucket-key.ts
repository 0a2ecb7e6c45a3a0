import type { DuckDBValue } from '@duckdb/node-api'
import type { BucketKey } from '../../../query/aggregation/bucket.ts'
import type { RowKeys, SqlBuilder } from '../database/sql-builder.ts'

/** How the keys of a grouping come out of the rows of a table. Keys of different rows are equal when their SQL values are. */
export interface BucketKeySql {
  /** Type of the SQL value of a key. */
  readonly sqlType: string
  /** The key of a row with one key; NULL when it has none. */
  readonly single: string
  /** Rows that may have several keys: how to tell them, and the list of their distinct keys, without NULL. */
  readonly several?: { readonly condition: string; readonly list: string }
  readonly sought?: SoughtKeySql
  /**
   * Another key of a row with one key, cheaper to compute, of which `fold` makes the key; groups by it are folded
   * afterwards. NULL when the row has none.
   */
  readonly fine?: { readonly single: string; readonly fold: (fine: string) => string }
  /** SQL that ascends with the keys as `compareKeys` orders them, given the SQL of a key; the key itself unless told. */
  readonly ascending?: (key: string) => string
  readonly decode: (value: DuckDBValue) => BucketKey
}

/** Rows whose keys SQL cannot compute. */
export interface SoughtKeySql extends Pick<RowKeys, 'keys' | 'refuse'> {
  /** How to tell them; TRUE for all rows. */
  readonly condition: string
  /** Whether a row may have several keys. */
  readonly several: boolean
  /** Candidates (RowKeys) among those rows of a relation that fulfil a condition. */
  readonly rows: (relation: string, condition: string, sql: SqlBuilder) => readonly string[]
}
