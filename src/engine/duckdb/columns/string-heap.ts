import { copyToDatabase, type DatabaseBytes } from './column-vector.ts'

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
    return { bytes: this.#bytes, ...copyToDatabase(this.#bytes.subarray(0, this.#end)) }
  }
}

/** A heap the database can read. */
export interface SharedHeap extends DatabaseBytes {
  readonly bytes: Uint8Array
}
