import { BLOB, DuckDBDataChunk } from '@duckdb/node-api'
import duckdb from '@duckdb/node-bindings'

/** Longer texts are encoded faster by the runtime than unit by unit. */
const SHORT_TEXT = 48
const SMALLEST = 1024

/** The UTF-8 bytes of all texts of a batch, one after the other; a column names its texts by place and length. */
export class StringHeap {
  #bytes: Buffer
  #end: number

  private constructor(bytes: Buffer, end: number) {
    this.#bytes = bytes
    this.#end = end
  }

  /** One that begins with the bytes of `body`, whose parts can be named without being copied one by one. */
  static of(body?: Uint8Array): StringHeap {
    const size = body?.length ?? 0
    // Memory of its own, which can be handed to another thread.
    const bytes = Buffer.allocUnsafeSlow(size + Math.max(SMALLEST, size >> 1))
    if (body) bytes.set(body)
    return new StringHeap(bytes, size)
  }

  /** One as it was on another thread. */
  static around(bytes: ArrayBuffer, end: number): StringHeap {
    return new StringHeap(Buffer.from(bytes), end)
  }

  get bytes(): Buffer {
    return this.#bytes
  }

  /** All of its memory, to be handed to another thread. */
  get memory(): ArrayBuffer {
    return this.#bytes.buffer as ArrayBuffer
  }

  /** Where the next text will lie. */
  get end(): number {
    return this.#end
  }

  /** Adds a text; it lies between the `end` before and the `end` after. A lone surrogate becomes U+FFFD. */
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

  /** Makes room for `size` bytes, which the caller writes from `end` on and then claims. */
  reserve(size: number): void {
    if (this.#end + size <= this.#bytes.length) return
    const grown = Buffer.allocUnsafeSlow(Math.max(2 * this.#bytes.length, this.#end + size))
    grown.set(this.#bytes.subarray(0, this.#end))
    this.#bytes = grown
  }

  claim(end: number): void {
    this.#end = end
  }

  /** Copies the bytes into memory of the database. */
  share(): SharedHeap {
    const chunk = DuckDBDataChunk.create([BLOB], 1)
    const vector = duckdb.data_chunk_get_vector(chunk.chunk, 0)
    // Up to 12 bytes are kept inside the entry, and nothing points at them.
    if (this.#end <= INLINE) return { bytes: this.#bytes, address: 0, chunk }
    duckdb.vector_assign_string_element_len(vector, 0, this.#bytes.subarray(0, this.#end))
    const entry = duckdb.vector_get_data(vector, ENTRY_BYTES)
    const [, , low = 0, high = 0] = new Uint32Array(entry.slice().buffer)
    return { bytes: this.#bytes, address: high * 2 ** 32 + low, chunk }
  }
}

/** The layout of `duckdb_string_t`, which the C interface documents: length, then the bytes or a prefix and a pointer. */
export const ENTRY_BYTES = 16
export const INLINE = 12

/** A heap the database can read. */
export interface SharedHeap {
  readonly bytes: Uint8Array
  /** Of the first byte; below 2^48, so that a number holds it exactly. */
  readonly address: number
  /** Owns the memory: it must outlive every use of the address. */
  readonly chunk: DuckDBDataChunk
}
