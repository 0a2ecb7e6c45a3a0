import { BLOB, DuckDBDataChunk } from '@duckdb/node-api'
import duckdb from '@duckdb/node-bindings'

/** The runtime encodes longer texts faster than a loop over code units. */
const SHORT_TEXT = 48
const SMALLEST = 1024

/** UTF-8 bytes of all texts of a batch, one after the other. Columns refer to them by offset and length. */
export class StringHeap {
  #bytes: Buffer
  #end: number

  private constructor(bytes: Buffer, end: number) {
    this.#bytes = bytes
    this.#end = end
  }

  /** Creates a heap that starts with the bytes of `body`, so that columns can refer to parts of it without copying. */
  static of(body?: Uint8Array): StringHeap {
    const size = body?.length ?? 0
    // Not from the shared pool, so that the memory can be transferred to another thread.
    const bytes = Buffer.allocUnsafeSlow(size + Math.max(SMALLEST, size >> 1))
    if (body) bytes.set(body)
    return new StringHeap(bytes, size)
  }

  /** Recreates a heap from another thread. */
  static around(bytes: ArrayBuffer, end: number): StringHeap {
    return new StringHeap(Buffer.from(bytes), end)
  }

  get bytes(): Buffer {
    return this.#bytes
  }

  /** All memory of the heap, for transfer to another thread. */
  get memory(): ArrayBuffer {
    return this.#bytes.buffer as ArrayBuffer
  }

  /** Offset of the next text. */
  get end(): number {
    return this.#end
  }

  /** Adds a text between the old and the new `end`. A lone surrogate becomes U+FFFD. */
  add(text: string): void {
    this.reserve(text.length * 3)
    const bytes = this.#bytes
    let at = this.#end
    if (text.length <= SHORT_TEXT) {
      for (let i = 0; ; i++) {
        if (i === text.length) {
          this.#end = at
          return
        }
        const unit = text.charCodeAt(i)
        if (unit > 127) break
        bytes[at++] = unit
      }
    }
    this.#end += bytes.write(text, this.#end)
  }

  addBytes(added: Uint8Array): void {
    this.reserve(added.length)
    this.#bytes.set(added, this.#end)
    this.#end += added.length
  }

  /** Makes room for `size` bytes. The caller writes them at `end`, then calls `claim`. */
  reserve(size: number): void {
    if (this.#end + size <= this.#bytes.length) return
    const grown = Buffer.allocUnsafeSlow(Math.max(2 * this.#bytes.length, this.#end + size))
    grown.set(this.#bytes.subarray(0, this.#end))
    this.#bytes = grown
  }

  claim(end: number): void {
    this.#end = end
  }

  /** Copies the bytes to memory of the database. */
  share(): SharedHeap {
    const chunk = DuckDBDataChunk.create([BLOB], 1)
    const vector = duckdb.data_chunk_get_vector(chunk.chunk, 0)
    // Up to 12 bytes are stored inside the entry, so nothing points at the heap.
    if (this.#end <= INLINE) return { bytes: this.#bytes, address: 0, chunk }
    duckdb.vector_assign_string_element_len(vector, 0, this.#bytes.subarray(0, this.#end))
    const entry = duckdb.vector_get_data(vector, ENTRY_BYTES)
    const [, , low = 0, high = 0] = new Uint32Array(entry.slice().buffer)
    return { bytes: this.#bytes, address: high * 2 ** 32 + low, chunk }
  }
}

/** Layout of `duckdb_string_t`, as documented by the C API: length, then the bytes, or a prefix and a pointer. */
export const ENTRY_BYTES = 16
export const INLINE = 12

/** A heap the database can read. */
export interface SharedHeap {
  readonly bytes: Uint8Array
  /** Address of the first byte. Below 2^48, so a number holds it exactly. */
  readonly address: number
  /** Owns the memory. Must outlive every use of the address. */
  readonly chunk: DuckDBDataChunk
}
