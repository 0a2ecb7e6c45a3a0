import { IdFilter } from './id-filter.ts'

/**
 * Ids that writes have named since the start. Every write announces its ids on arrival, before it is executed, so that a
 * later write with one of them knows that it may be stored by then.
 */
export class KnownIds {
  readonly #filter = new IdFilter()
  /** True if the filter has all ids of the index. */
  readonly #isComplete: boolean

  /** `isEmpty`: the index has no documents, and no writes are pending. */
  constructor(isEmpty: boolean) {
    this.#isComplete = isEmpty
  }

  /**
   * Returns the ids that may exist when the write is executed, or that occur twice. `isStored`: an id is stored now.
   */
  announce(ids: Iterable<string>, isStored: (id: string) => boolean): readonly string[] {
    const met: string[] = []
    for (const id of ids) {
      const wasNamed = this.#filter.add(id)
      if (wasNamed || (!this.#isComplete && isStored(id))) met.push(id)
    }
    return met
  }
}
