/** The record a collection is to execute next, or executes now. */
export interface Head {
  readonly collection: string
  readonly offset: number
  /** Names of the indices it changes. */
  readonly indices: readonly string[]
}

/**
 * Which of the waiting heads may begin (spec tagging 1.7): none of its indices is being changed, and no head that waits
 * before it changes one of them. So records that share an index are executed in the order of the log, and others side
 * by side. At most one head per collection is given.
 */
export function readyHeads<H extends Head>(waiting: readonly H[], running: readonly Head[]): readonly H[] {
  const taken = new Set(running.flatMap((head) => head.indices))
  const busy = new Set(running.map((head) => head.collection))
  return waiting
    .toSorted((a, b) => a.offset - b.offset)
    .filter((head) => {
      const isFree = !busy.has(head.collection) && !head.indices.some((index) => taken.has(index))
      // Those after it wait for it, whether it may begin or not.
      for (const index of head.indices) taken.add(index)
      return isFree
    })
}
