import { BLOB, DuckDBDataChunk } from '@duckdb/node-api'
import duckdb from '@duckdb/node-bindings'

// The only file that uses the bindings below DuckDB's API. The API sets the values of a vector one by one, each from a
// JavaScript value. A batch holds its columns in the memory layout of DuckDB already and copies them as a whole.

/** Layout of `duckdb_string_t`, as documented by the C API: length, then the bytes, or a prefix and a pointer. */
export const ENTRY_BYTES = 16
/** Bytes. A text up to this length is stored inside the entry. */
export const INLINE = 12

/** A column of a chunk, for writing its memory. */
export class ColumnVector {
  readonly #vector: duckdb.Vector

  constructor(chunk: DuckDBDataChunk, column: number) {
    this.#vector = duckdb.data_chunk_get_vector(chunk.chunk, column)
  }

  /** Copies bytes of `from` to the first rows. `start` is relative to `from`. */
  copyValues(from: ArrayBufferView<ArrayBuffer>, start: number, length: number): void {
    duckdb.copy_data_to_vector(this.#vector, 0, from.buffer, from.byteOffset + start, length)
  }

  /** Copies the bits that tell which rows have a value, in words of 64 rows. */
  copyValidity(bits: Uint8Array<ArrayBuffer>): void {
    duckdb.vector_ensure_validity_writable(this.#vector)
    duckdb.copy_data_to_vector_validity(this.#vector, 0, bits.buffer, bits.byteOffset, bits.byteLength)
  }
}

/** Bytes in memory of the database. */
export interface DatabaseBytes {
  /** Address of the first byte. Below 2^48, so a number holds it exactly. */
  readonly address: number
  /** Owns the memory. Must outlive every use of the address. */
  readonly chunk: DuckDBDataChunk
}

/** Copies bytes to memory of the database. The address of bytes that fit into an entry is 0. */
export function copyToDatabase(bytes: Uint8Array): DatabaseBytes {
  const chunk = DuckDBDataChunk.create([BLOB], 1)
  if (bytes.length <= INLINE) return { address: 0, chunk }
  const vector = duckdb.data_chunk_get_vector(chunk.chunk, 0)
  duckdb.vector_assign_string_element_len(vector, 0, bytes)
  const entry = duckdb.vector_get_data(vector, ENTRY_BYTES)
  const [, , low = 0, high = 0] = new Uint32Array(entry.slice().buffer)
  return { address: high * 2 ** 32 + low, chunk }
}
