import type { LongBuffer, SmallBuffer } from './column-buffer.ts'
import type { StringHeap } from './string-heap.ts'

/** JSON texts of a batch, stored in its heap until they are written to the source file. */
export class SourceTexts {
  readonly #heap: StringHeap
  readonly #starts: Uint32Array
  readonly #lengths: Uint32Array
  #bytes = 0

  constructor(capacity: number, heap: StringHeap) {
    this.#heap = heap
    this.#starts = new Uint32Array(capacity)
    this.#lengths = new Uint32Array(capacity)
  }

  /** Bytes of all texts that were set. */
  get bytes(): number {
    return this.#bytes
  }

  set(row: number, text: string): void {
    const start = this.#heap.end
    this.#heap.add(text)
    this.setPlace(row, start, this.#heap.end)
  }

  setPlace(row: number, start: number, end: number): void {
    this.#starts[row] = start
    this.#lengths[row] = end - start
    this.#bytes += end - start
  }

  text(row: number): string {
    const start = this.#starts[row] ?? 0
    return this.#heap.bytes.toString('utf8', start, start + (this.#lengths[row] ?? 0))
  }

  move(from: number, to: number): void {
    this.#starts[to] = this.#starts[from] ?? 0
    this.#lengths[to] = this.#lengths[from] ?? 0
  }

  /** Joins the texts of the first `rows` rows. Sets their offsets, starting at `firstAt`, and sizes in the columns. */
  join(rows: number, firstAt: number, places: LongBuffer, sizes: SmallBuffer): Buffer {
    let total = 0
    for (let row = 0; row < rows; row++) total += this.#lengths[row] ?? 0
    const joined = Buffer.allocUnsafe(total)
    let at = 0
    for (let row = 0; row < rows; row++) {
      const start = this.#starts[row] ?? 0
      const length = this.#lengths[row] ?? 0
      this.#heap.bytes.copy(joined, at, start, start + length)
      places.setNumber(row, firstAt + at)
      sizes.set(row, length)
      at += length
    }
    return joined
  }
}
