import { addToHash, entryOf, HASH_START, hashOf } from './byte-hash.ts'
import type { Identifiers } from './part.ts'

/** The identifier of row r is the UTF-8 bytes from `starts[r]` to `starts[r + 1]` (excluded). */
export interface IdentifierData {
  readonly bytes: Uint8Array
  readonly starts: Uint32Array
  /**
   * Hash table with open addressing: a power of two of entries, each 0 or a row + 1. A row is at its hash or, if that
   * entry is taken, at the next free entry.
   */
  readonly table: Uint32Array
}

const NONE: readonly number[] = []

/** The identifiers of a segment. */
export class SegmentIdentifiers implements Identifiers {
  readonly data: IdentifierData
  readonly #buffer: Buffer

  constructor(data: IdentifierData) {
    this.data = data
    this.#buffer = Buffer.from(data.bytes.buffer, data.bytes.byteOffset, data.bytes.byteLength)
  }

  id(row: number): string {
    const { starts } = this.data
    return this.#buffer.toString('utf8', starts[row] ?? 0, starts[row + 1] ?? 0)
  }

  find(id: string): readonly number[] {
    let hash = HASH_START
    for (let i = 0; i < id.length; i++) {
      const unit = id.charCodeAt(i)
      if (unit > 0x7f) return this.#find(Buffer.from(id))
      hash = addToHash(hash, unit)
    }
    return this.#findAscii(id, hash)
  }

  /** Without encoding the identifier. */
  #findAscii(id: string, hash: number): readonly number[] {
    const { bytes, starts, table } = this.data
    let found = NONE
    for (let at = entryOf(hash, table.length); ; at = (at + 1) & (table.length - 1)) {
      const row = (table[at] ?? 0) - 1
      if (row < 0) return found
      const from = starts[row] ?? 0
      if ((starts[row + 1] ?? 0) - from !== id.length) continue
      let i = 0
      while (i < id.length && bytes[from + i] === id.charCodeAt(i)) i++
      if (i === id.length) found = [...found, row]
    }
  }

  #find(id: Uint8Array): readonly number[] {
    const { bytes, starts, table } = this.data
    let found = NONE
    for (let at = entryOf(hashOf(id, 0, id.length), table.length); ; at = (at + 1) & (table.length - 1)) {
      const row = (table[at] ?? 0) - 1
      if (row < 0) return found
      const from = starts[row] ?? 0
      if ((starts[row + 1] ?? 0) - from === id.length && id.every((byte, i) => byte === bytes[from + i]))
        found = [...found, row]
    }
  }
}

/** Number of entries of the table of `rows` identifiers. */
export const tableSize = (rows: number): number => 2 ** Math.ceil(Math.log2(Math.max(2, rows * 1.5)))

/** Fills the table, whose entries are all 0. */
export function fillTable({ bytes, starts, table }: IdentifierData): void {
  const mask = table.length - 1
  for (let row = 0; row < starts.length - 1; row++) {
    let at = entryOf(hashOf(bytes, starts[row] ?? 0, starts[row + 1] ?? 0), table.length)
    while (table[at] !== 0) at = (at + 1) & mask
    table[at] = row + 1
  }
}
