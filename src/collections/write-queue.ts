/** Runs tasks one after the other, so that no other write happens between a read and the write that depends on it. */
export type WriteQueue = <T>(work: () => Promise<T>) => Promise<T>

export function createWriteQueue(): WriteQueue {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const turn = last.then(work, work)
    last = turn
    return turn
  }
}
