/** Runs what it is given one after the other, so that a read and the write it leads to are not torn apart. */
export type WriteQueue = <T>(work: () => Promise<T>) => Promise<T>

export function createWriteQueue(): WriteQueue {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const turn = last.then(work, work)
    last = turn
    return turn
  }
}
