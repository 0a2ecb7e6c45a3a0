import { setImmediate } from 'node:timers/promises'

/** Requests wait at most this long for work on many documents. */
const TURN_MS = 4

/** Looking at the clock costs a little too. */
const LOOK_EVERY = 32

/** Does something to each of many items, and lets others have the thread in between. */
export async function inTurns<T>(items: readonly T[], work: (item: T, place: number) => void): Promise<void> {
  let began = performance.now()
  for (const [place, item] of items.entries()) {
    if (place % LOOK_EVERY === 0 && performance.now() - began > TURN_MS) {
      await setImmediate()
      began = performance.now()
    }
    work(item, place)
  }
}
