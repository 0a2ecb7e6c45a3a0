import { DuckDBBitValue } from '@duckdb/node-api'

/** Bitmap of row numbers in DuckDB's BIT format. The first byte is the number of padding bits, always 0. */
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

/** SQL of the row number, for candidates. */
export const NUMBER = 'CAST(_seq AS DOUBLE)'

/** Returns the condition that a row is in a bitmap, given the SQL of the bitmap. */
export const isInBits = (bits: string): string =>
  `CASE WHEN _seq < bit_length(${bits}) THEN get_bit(${bits}, CAST(_seq AS INTEGER)) = 1 ELSE FALSE END`
