import type { DuckDBDataChunk, DuckDBValue } from '@duckdb/node-api'
import { isInBits } from './sought-rows.ts'

/** Returns a function that is true if a row of the chunk, by index, matches. */
export type ChunkTest = (chunk: DuckDBDataChunk) => (row: number) => boolean

/** A row test that SQL cannot express, and the rows it must examine. */
export interface RowTest {
  /** `selection`, `predicate` and `table` identify the test. Equal tests run once per snapshot. */
  readonly selection: object
  readonly predicate: object
  readonly table: string
  /** SQL of `_seq` as a double, and the values to test. A row may occur several times; one matching value is enough. */
  readonly candidates: (sql: SqlBuilder) => string
  readonly test: ChunkTest
}

/**
 * Returns the condition that a test accepts a row. `rows`: SQL of the values to test among the rows `near`, in the form
 * of `candidates` of RowTest.
 */
export type Seek = (rows: (near: string, sql: SqlBuilder) => readonly string[], test: ChunkTest) => string

/** Bound instead of a value. Reader finds the rows before it runs the statement. */
export class SoughtRows {
  readonly test: RowTest

  constructor(test: RowTest) {
    this.test = test
  }
}

/** Returns a function that passes the keys of a row of the chunk, by index, to `take`. */
type ChunkKeys = (chunk: DuckDBDataChunk) => (row: number, take: (key: bigint) => void) => void

/** Keys that SQL cannot compute, and the rows that have them. */
export interface RowKeys {
  readonly table: string
  /** SQL of `_seq` as a double, and the values keys are computed from, for rows in a window. */
  readonly candidates: (window: string, sql: SqlBuilder) => string
  readonly keys: ChunkKeys
  /** Throws the error for rows with more keys than fit into memory. */
  readonly refuse: () => void
}

/** Bound instead of a part number. Reader computes the keys before it runs the statement. */
export class SoughtKeys {
  readonly keys: RowKeys

  constructor(keys: RowKeys) {
    this.keys = keys
  }
}

/** A parameter of a statement: a value, or something JavaScript must find first. */
export type BoundValue = DuckDBValue | SoughtRows | SoughtKeys

/**
 * Collects the parameters of one statement. A caller's value reaches SQL only as a bound parameter. Everything else
 * that varies between requests is bound as well, so that one SQL text serves all of a kind and stays prepared
 * (statements.ts).
 */
export class SqlBuilder {
  readonly values: BoundValue[] = []
  #sought = 0

  /** The cast makes the parameter type equal to the column type. Otherwise DuckDB prunes no row groups. */
  bind(value: DuckDBValue, sqlType: string): string {
    // The driver binds whole numbers as integers and rejects those beyond 64 bits.
    return this.#bind(Number.isInteger(value) && !Number.isSafeInteger(value) ? String(value) : value, sqlType)
  }

  /** Returns the condition that a test accepts a row. */
  seek(test: RowTest): string {
    this.#sought++
    return isInBits(this.#bind(new SoughtRows(test), 'BIT'))
  }

  /** Returns the SQL of the part number (sought-keys.ts) of keys still to be computed. */
  seekKeys(keys: RowKeys): string {
    return this.#bind(new SoughtKeys(keys), 'INTEGER')
  }

  /** Number of row tests so far. */
  get sought(): number {
    return this.#sought
  }

  #bind(value: BoundValue, sqlType: string): string {
    this.values.push(value)
    return `CAST($${this.values.length} AS ${sqlType})`
  }
}

export const withSql = <T>(run: (sql: SqlBuilder) => T): T => run(new SqlBuilder())
