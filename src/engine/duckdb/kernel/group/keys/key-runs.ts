import type { KeyRuns } from './key-column.ts'

/** Shorter runs are better read row by row. */
const LEAST_LENGTH = 48

/** Batches to read row by row before runs are tried again. */
const PAUSE = 64

/** Splits batches into runs of rows with equal keys, as long as runs are long. */
export class RunFinder {
  readonly #runs: KeyRuns
  #pause = 0

  constructor(runs: KeyRuns) {
    this.#runs = runs
  }

  /** Calls `take` with the slot, first index and end of each run. Returns false if rows should be read one by one. */
  split(
    rows: Uint32Array | undefined,
    from: number,
    count: number,
    take: (slot: number, first: number, end: number) => void,
  ): boolean {
    if (this.#pause > 0) {
      this.#pause--
      return false
    }
    const runs = this.#runs
    let found = 0
    for (let first = 0; first < count; found++) {
      const mark = runs.markOf(rows === undefined ? from + first : (rows[first] ?? 0))
      // The row at `same` is in the run, the one at `other` is not.
      let same = first
      let other = count
      for (let step = 1; same + step < other; step *= 2) {
        const at = same + step
        if (runs.markOf(rows === undefined ? from + at : (rows[at] ?? 0)) !== mark) {
          other = at
          break
        }
        same = at
      }
      while (other - same > 1) {
        const at = (same + other) >>> 1
        if (runs.markOf(rows === undefined ? from + at : (rows[at] ?? 0)) === mark) same = at
        else other = at
      }
      take(runs.slotOf(mark), first, other)
      first = other
    }
    if (found * LEAST_LENGTH > count) this.#pause = PAUSE
    return true
  }
}
