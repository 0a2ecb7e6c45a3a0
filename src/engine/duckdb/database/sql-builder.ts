import type { DuckDBDataChunk, DuckDBValue } from '@duckdb/node-api'
import { isInBits } from './sought-rows.ts'

/** Tells whether a row of a chunk matches, by its number in the chunk. */
export type ChunkTest = (chunk: DuckDBDataChunk) => (row: number) => boolean

/** A test of rows that SQL cannot express, and the rows it has to look at. */
export interface RowTest {
  /** What it is part of, what it tests, and among which rows: the same is found once in a snapshot. */
  readonly selection: object
  readonly predicate: object
  readonly among: string
  /** SQL of `_seq`, as a double, and the values to test. A row may come several times; one value that passes is enough. */
  readonly candidates: (sql: SqlBuilder) => string
  readonly test: ChunkTest
}

/**
 * Makes the condition that a test accepts a row. `rows`: SQL of the values to test among rows near, as `candidates` of
 * RowTest has them.
 */
export type Seek = (rows: (near: string, sql: SqlBuilder) => readonly string[], test: ChunkTest) => string

/** Rows that are found before the statement runs whose condition they are (Reader), in place of a value bound to it. */
export class SoughtRows {
  readonly test: RowTest

  constructor(test: RowTest) {
    this.test = test
  }
}

/** Hands on the keys of a row of a chunk, by its number in the chunk. */
export type ChunkKeys = (chunk: DuckDBDataChunk) => (row: number, take: (key: bigint) => void) => void

/** Keys of rows that SQL cannot compute, and the rows that have them. */
export interface RowKeys {
  readonly table: string
  /** SQL of `_seq`, as a double, and the values keys are made of, of rows in a window. */
  readonly candidates: (window: string, sql: SqlBuilder) => string
  readonly keys: ChunkKeys
  /** Throws what is to be told when the rows have more keys than fit into memory. */
  readonly refuse: () => void
}

/** Keys that are found before the statement runs that uses them (Reader), in place of a value bound to it: their part. */
export class SoughtKeys {
  readonly keys: RowKeys

  constructor(keys: RowKeys) {
    this.keys = keys
  }
}

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
