import type { TagRecord } from '../../model/tag-record.ts'

/** LRU cache of records, limited by their size in bytes. */
export class RecentRecords {
  readonly #most: number
  readonly #records = new Map<number, { readonly record: TagRecord; readonly bytes: number }>()
  #bytes = 0

  constructor(most: number) {
    this.#most = most
  }

  get(offset: number): TagRecord | undefined {
    const found = this.#records.get(offset)
    if (found === undefined) return undefined
    this.#records.delete(offset)
    this.#records.set(offset, found)
    return found.record
  }

  add(record: TagRecord, bytes: number): void {
    const known = this.#records.get(record.offset)
    if (known !== undefined) this.#forget(record.offset, known.bytes)
    this.#records.set(record.offset, { record, bytes })
    this.#bytes += bytes
    for (const [offset, oldest] of this.#records) {
      if (this.#bytes <= this.#most) break
      this.#forget(offset, oldest.bytes)
    }
  }

  #forget(offset: number, bytes: number): void {
    this.#records.delete(offset)
    this.#bytes -= bytes
  }
}
