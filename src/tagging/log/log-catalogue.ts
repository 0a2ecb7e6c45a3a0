import { IdTable } from './log-catalogue-ids.ts'
import { AscendingOffsets } from './log-catalogue-offsets.ts'
import type { Positions } from './tag-log.ts'

/**
 * Index of a log without the records: the offsets of each collection, and the offset of each id. Filled in offset
 * order, about fifty bytes per record.
 */
export class LogCatalogue {
  readonly #byCollection = new Map<string, AscendingOffsets>()
  readonly #ids = new IdTable()
  #end = 0

  /** The offset after the last one added or skipped. */
  get end(): number {
    return this.#end
  }

  get size(): number {
    return this.#ids.size
  }

  /** Returns false if a lower offset has the same id. The record was sent twice, and the second one is skipped. */
  add(offset: number, id: string, collection: string): boolean {
    this.skip(offset)
    if (!this.#ids.add(id, offset)) return false
    let offsets = this.#byCollection.get(collection)
    if (offsets === undefined) {
      offsets = new AscendingOffsets()
      this.#byCollection.set(collection, offsets)
    }
    offsets.push(offset)
    return true
  }

  /** Marks an offset without a readable record. */
  skip(offset: number): void {
    if (offset < this.#end) throw new Error(`offset ${offset} of the log follows offset ${this.#end - 1}`)
    this.#end = offset + 1
  }

  find(id: string): number | undefined {
    return this.#ids.get(id)
  }

  /** Returns the first offset of the collection >= `from`. */
  next(collection: string, from: number): number | undefined {
    const offsets = this.#byCollection.get(collection)
    return offsets?.at(offsets.placeOf(from))
  }

  /** Returns the number of offsets of the collection >= `from`. */
  count(collection: string, from: number): number {
    const offsets = this.#byCollection.get(collection)
    return offsets === undefined ? 0 : offsets.length - offsets.placeOf(from)
  }

  /** Returns the first offset of each collection at or after its position. */
  heads(positions: Positions): readonly number[] {
    return [...this.#byCollection.keys()].flatMap((name) => this.next(name, positions.get(name) ?? 0) ?? [])
  }

  counts(positions: Positions): ReadonlyMap<string, number> {
    return new Map([...this.#byCollection.keys()].map((name) => [name, this.count(name, positions.get(name) ?? 0)]))
  }

  /** Removes offsets below `offset`, which retention has deleted. */
  dropBelow(offset: number): void {
    for (const [collection, offsets] of this.#byCollection) {
      offsets.dropBelow(offset)
      if (offsets.length === 0) this.#byCollection.delete(collection)
    }
    this.#ids.dropBelow(offset)
  }
}
