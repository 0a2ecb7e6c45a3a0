import { setImmediate } from 'node:timers/promises'

/** Requests wait at most this long for work on many documents. */
const TURN_MS = 4

/** Looking at the clock costs a little too. */
const LOOK_EVERY = 32

/** Work on many documents that lets others have the thread in between. */
export class Turn {
  #began = performance.now()

  get isOver(): boolean {
    return performance.now() - this.#began > TURN_MS
  }

  /** Resolves when the others have had theirs. */
  async next(): Promise<void> {
    await setImmediate()
    this.#began = performance.now()
  }
}

/** Does something to each of many items, and lets others have the thread in between. */
export async function inTurns<T>(items: Iterable<T>, work: (item: T, place: number) => void): Promise<void> {
  const turn = new Turn()
  let place = 0
  for (const item of items) {
    if (place % LOOK_EVERY === 0 && turn.isOver) await turn.next()
    work(item, place++)
  }
}
