import { IdTable } from './log-catalogue-ids.ts'
import { AscendingOffsets } from './log-catalogue-offsets.ts'
import type { Positions } from './tag-log.ts'

/**
 * What a log holds, without the records themselves: which offsets are whose, and which offset an id has. Filled in the
 * order of the offsets; some fifty bytes per record.
 */
export class LogCatalogue {
  readonly #byCollection = new Map<string, AscendingOffsets>()
  readonly #ids = new IdTable()
  #end = 0

  /** The first offset beyond all that were added or passed over. */
  get end(): number {
    return this.#end
  }

  get size(): number {
    return this.#ids.size
  }

  /** False when a lower offset has the same id: it was sent twice, and the second one is passed over. */
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

  /** Nothing readable is at this offset. */
  skip(offset: number): void {
    if (offset < this.#end) throw new Error(`offset ${offset} of the log came after ${this.#end - 1}`)
    this.#end = offset + 1
  }

  find(id: string): number | undefined {
    return this.#ids.get(id)
  }

  /** The collection's first offset at `from` or beyond it. */
  next(collection: string, from: number): number | undefined {
    const offsets = this.#byCollection.get(collection)
    return offsets?.at(offsets.placeOf(from))
  }

  /** How many offsets of the collection are at `from` or beyond it. */
  count(collection: string, from: number): number {
    const offsets = this.#byCollection.get(collection)
    return offsets === undefined ? 0 : offsets.length - offsets.placeOf(from)
  }

  /** Offsets of the first record of each collection at its position or beyond it. */
  heads(positions: Positions): readonly number[] {
    return [...this.#byCollection.keys()].flatMap((name) => this.next(name, positions.get(name) ?? 0) ?? [])
  }

  counts(positions: Positions): ReadonlyMap<string, number> {
    return new Map([...this.#byCollection.keys()].map((name) => [name, this.count(name, positions.get(name) ?? 0)]))
  }

  /** Forgets what is below `offset`: a retention has removed it. */
  dropBelow(offset: number): void {
    for (const [collection, offsets] of this.#byCollection) {
      offsets.dropBelow(offset)
      if (offsets.length === 0) this.#byCollection.delete(collection)
    }
    this.#ids.dropBelow(offset)
  }
}
