import type { DuckDBValue } from '@duckdb/node-api'
import { type RowKeys, SoughtKeys } from './sought-keys.ts'
import { isInBits, type RowTest, SoughtRows } from './sought-rows.ts'

/** What is bound to a statement: values, and what is yet to be found by JavaScript. */
export type BoundValue = DuckDBValue | SoughtRows | SoughtKeys

/**
 * Collects the values of one statement. A caller's value reaches SQL only as a bound parameter, and so does what else
 * differs from question to question: one text serves all of a kind, and stays prepared (statements.ts).
 */
export class SqlBuilder {
  readonly values: BoundValue[] = []
  #sought = 0

  /** The cast keeps the parameter's type equal to the column's, without which DuckDB prunes no row group. */
  bind(value: DuckDBValue, sqlType: string): string {
    // The driver takes a whole number for an integer, and refuses those beyond 64 bits.
    return this.#bind(Number.isInteger(value) && !Number.isSafeInteger(value) ? String(value) : value, sqlType)
  }

  /** The condition that a test accepts a row. */
  seek(test: RowTest): string {
    this.#sought++
    return isInBits(this.#bind(new SoughtRows(test), 'BIT'))
  }

  /** The part (sought-keys.ts) of keys that are yet to be found. */
  seekKeys(keys: RowKeys): string {
    return this.#bind(new SoughtKeys(keys), 'INTEGER')
  }

  /** How often rows are sought so far. */
  get sought(): number {
    return this.#sought
  }

  #bind(value: BoundValue, sqlType: string): string {
    this.values.push(value)
    return `CAST($${this.values.length} AS ${sqlType})`
  }
}

/** Makes and runs a statement. */
export const withSql = <T>(run: (sql: SqlBuilder) => T): T => run(new SqlBuilder())
