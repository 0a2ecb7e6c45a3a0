import { DuckDBBitValue } from '@duckdb/node-api'

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
