import { setImmediate } from 'node:timers/promises'

/** Requests wait at most this long for work on many documents. */
const TURN_MS = 4

/** Looking at the clock costs a little too. */
const LOOK_EVERY = 32

/** Work on many documents that lets others have the thread in between. */
export class Turn {
  #began = performance.now()
  #waitedMs = 0

  /** What the others had of the time since the first turn began. */
  get waitedMs(): number {
    return this.#waitedMs
  }

  get isOver(): boolean {
    return performance.now() - this.#began > TURN_MS
  }

  /** Resolves when the others have had theirs. */
  async next(): Promise<void> {
    const left = performance.now()
    await setImmediate()
    this.#began = performance.now()
    this.#waitedMs += this.#began - left
  }
}

/** Does something to each of many items, and lets others have the thread in between. */
export async function inTurns<T>(
  items: Iterable<T>,
  work: (item: T, place: number) => void,
  turn = new Turn(),
): Promise<void> {
  let place = 0
  for (const item of items) {
    if (place % LOOK_EVERY === 0 && turn.isOver) await turn.next()
    work(item, place++)
  }
}
