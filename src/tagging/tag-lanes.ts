/** The next or the current record of a collection. */
export interface Head {
  readonly collection: string
  readonly offset: number
  /** Names of the indices it updates. */
  readonly indices: readonly string[]
}

/**
 * Returns the waiting heads that may start (spec tagging 1.7): no running head and no earlier waiting head shares one
 * of their indices. Records that share an index therefore run in log order, and others in parallel. Expects at most one
 * head per collection.
 */
export function readyHeads<H extends Head>(waiting: readonly H[], running: readonly Head[]): readonly H[] {
  const taken = new Set(running.flatMap((head) => head.indices))
  const busy = new Set(running.map((head) => head.collection))
  return waiting
    .toSorted((a, b) => a.offset - b.offset)
    .filter((head) => {
      const isFree = !busy.has(head.collection) && !head.indices.some((index) => taken.has(index))
      // Later heads wait for this one, whether it may start or not.
      for (const index of head.indices) taken.add(index)
      return isFree
    })
}
