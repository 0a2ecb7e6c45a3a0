import { DuckDBBitValue, type DuckDBDataChunk } from '@duckdb/node-api'
import type { SqlBuilder } from './sql-builder.ts'

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

/** A set of row numbers as the database takes it: one bit for each number, the first byte saying that all are used. */
export class RowBits {
  #bytes = new Uint8Array(1 + 64)
  #used = 2

  add(seq: number): void {
    const at = 1 + Math.floor(seq / 8)
    if (at >= this.#bytes.length) this.#grow(at)
    if (at >= this.#used) this.#used = at + 1
    this.#bytes[at] = (this.#bytes[at] ?? 0) | (0x80 >> (seq % 8))
  }

  toValue(): DuckDBBitValue {
    return new DuckDBBitValue(this.#bytes.subarray(0, this.#used))
  }

  #grow(at: number): void {
    const larger = new Uint8Array(Math.max(2 * this.#bytes.length, at + 1))
    larger.set(this.#bytes)
    this.#bytes = larger
  }
}

/** SQL of the number of a row, for candidates. */
export const NUMBER = 'CAST(_seq AS DOUBLE)'

/** The condition that the number of a row is in a set, given the SQL of the set. */
export const isInBits = (bits: string): string =>
  `CASE WHEN _seq < bit_length(${bits}) THEN get_bit(${bits}, CAST(_seq AS INTEGER)) = 1 ELSE FALSE END`
