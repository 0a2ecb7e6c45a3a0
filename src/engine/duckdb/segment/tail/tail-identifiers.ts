import { entryOf, hashOf, sameBytes } from '../byte-hash.ts'
import { type IncomingColumn, isValid, textsOf } from '../incoming-column.ts'
import type { Identifiers } from '../part.ts'
import { grown, makeInt32s, makeUint8s, makeUint32s } from './growing-array.ts'

/** Entries of the first table. */
const SMALLEST = 16

/** The identifier of row r is the UTF-8 bytes from `starts[r]` to `starts[r + 1]` (excluded). */
export interface EncodedIds {
  readonly bytes: Uint8Array
  readonly starts: Uint32Array
}

/** The identifiers of a tail. */
export class TailIdentifiers {
  #rows = 0
  /** As in EncodedIds. */
  #bytes: Buffer = Buffer.alloc(0)
  #starts: Uint32Array = new Uint32Array(1)
  #hashes: Int32Array = new Int32Array()
  /** Each row's previous row with the same identifier + 1, or 0. */
  #earlier: Uint32Array = new Uint32Array()
  /** A hash table (byte-hash.ts). Each entry is 0, or the last row of an identifier + 1. */
  #table = new Uint32Array(SMALLEST)

  /** Writes `count` rows from `at` on. Later rows are removed. */
  write(ids: IncomingColumn, at: number, count: number): void {
    while (this.#rows > at) this.#removeLast()
    const { valid, bytes, starts, lengths } = textsOf(ids, count)
    const rows = at + count
    this.#starts = grown(this.#starts, rows + 1, makeUint32s)
    this.#hashes = grown(this.#hashes, rows, makeInt32s)
    this.#earlier = grown(this.#earlier, rows, makeUint32s)
    if (3 * rows > 2 * this.#table.length) this.#enlarge(rows)
    for (let i = 0; i < count; i++) {
      const from = starts[i] ?? 0
      this.#add(bytes, from, isValid(valid, i) ? from + (lengths[i] ?? 0) : from)
    }
  }

  #add(bytes: Uint8Array, from: number, to: number): void {
    const row = this.#rows++
    const hash = hashOf(bytes, from, to)
    const entry = this.#entryOf(bytes, from, to, hash)
    const start = this.#starts[row] ?? 0
    const end = start + to - from
    this.#reserve(end)
    const own = this.#bytes
    for (let i = from, at = start; i < to; i++, at++) own[at] = bytes[i] ?? 0
    this.#starts[row + 1] = end
    this.#hashes[row] = hash
    this.#earlier[row] = this.#table[entry] ?? 0
    this.#table[entry] = row + 1
  }

  #reserve(length: number): void {
    const bytes = grown<Uint8Array>(this.#bytes, length, makeUint8s)
    if (bytes !== this.#bytes) this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  }

  /** Returns the entry of an identifier, or the free one where it belongs. */
  #entryOf(bytes: Uint8Array, from: number, to: number, hash: number): number {
    const table = this.#table
    const mask = table.length - 1
    let at = entryOf(hash, table.length)
    for (let last = table[at] ?? 0; last !== 0; last = table[at] ?? 0) {
      if (this.#hashes[last - 1] === hash) {
        const start = this.#starts[last - 1] ?? 0
        const end = this.#starts[last] ?? 0
        if (end - start === to - from && sameBytes(bytes, from, to, this.#bytes, start)) break
      }
      at = (at + 1) & mask
    }
    return at
  }

  /** Rows are removed in reverse order, so no other entry was displaced by one that becomes free. */
  #removeLast(): void {
    const row = --this.#rows
    const table = this.#table
    let at = entryOf(this.#hashes[row] ?? 0, table.length)
    while (table[at] !== row + 1) at = (at + 1) & (table.length - 1)
    table[at] = this.#earlier[row] ?? 0
  }

  /** Fills a larger table in the order of rows, as if it had always had this size. */
  #enlarge(rows: number): void {
    const table = new Uint32Array(2 ** Math.ceil(Math.log2(2 * rows)))
    this.#table = table
    for (let row = 0; row < this.#rows; row++) {
      const earlier = this.#earlier[row] ?? 0
      let at = entryOf(this.#hashes[row] ?? 0, table.length)
      // The entry of an identifier moves on from row to row.
      while (table[at] !== earlier) at = (at + 1) & (table.length - 1)
      table[at] = row + 1
    }
  }

  /** Returns the identifiers of the first `rows` rows. Later writes do not change them. */
  view(rows: number): TailIds {
    return new TailIds(this, rows)
  }

  /** The identifiers of the first `rows` rows, one after the other. */
  data(rows: number): EncodedIds {
    const starts = this.#starts.subarray(0, rows + 1)
    return { bytes: this.#bytes.subarray(0, starts[rows]), starts }
  }

  id(row: number): string {
    return this.#bytes.toString('utf8', this.#starts[row], this.#starts[row + 1])
  }

  find(id: string, rows: number): readonly number[] {
    const bytes = Buffer.from(id)
    const entry = this.#entryOf(bytes, 0, bytes.length, hashOf(bytes, 0, bytes.length))
    const found: number[] = []
    for (let last = this.#table[entry] ?? 0; last !== 0; last = this.#earlier[last - 1] ?? 0) {
      if (last <= rows) found.push(last - 1)
    }
    return found.reverse()
  }

  get bytes(): number {
    const { byteLength } = this.#starts
    return this.#bytes.length + byteLength + this.#hashes.byteLength + this.#earlier.byteLength + this.#table.byteLength
  }
}

/** The identifiers of the first rows of a tail. */
export class TailIds implements Identifiers {
  readonly #ids: TailIdentifiers
  readonly #rows: number

  constructor(ids: TailIdentifiers, rows: number) {
    this.#ids = ids
    this.#rows = rows
  }

  get data(): EncodedIds {
    return this.#ids.data(this.#rows)
  }

  id(row: number): string {
    return this.#ids.id(row)
  }

  find(id: string): readonly number[] {
    return this.#ids.find(id, this.#rows)
  }
}
