import { setImmediate as nextRound } from 'node:timers/promises'

/** Maximum time that a loop blocks other work. Milliseconds. */
const TURN_MS = 4

/** The same while someone waits for work of a few short steps, such as a small write. */
const SHORT_TURN_MS = 1

/** Interval at which results are yielded, so that their processing is part of the same turn. Milliseconds. */
const SLICE_MS = 1

/** Reading the clock has a cost, so loops over cheap items read it rarely: at most this many items apart. */
const MOST_BETWEEN_LOOKS = 32
const LOOKS_APART_MS = 0.2

/** Loops that wait for their next turn. */
const waiting: (() => void)[] = []

/** Number of such works. */
let expected = 0

/** Shortens the turns of all loops until a promise settles, so that the steps of its work do not wait long. */
export async function expecting<T>(work: Promise<T>): Promise<T> {
  expected++
  try {
    return await work
  } finally {
    expected--
  }
}

let hasBegun = false

/**
 * Waits for the next round of the event loop, unless this is the first call in a round. Call it before work that may
 * wait for nothing: a caller that repeats such work in a loop would keep all others from running.
 */
export async function separateRounds(): Promise<void> {
  if (hasBegun) return nextRound()
  hasBegun = true
  setImmediate(() => {
    hasBegun = false
  })
}

/** Resumes one loop per round of the event loop, so that requests wait for one turn only, however many loops run. */
function admitNext(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(admitNext)
}

/**
 * Time slice of a loop over many items. Loops get turns in FIFO order; timers, sockets and other events run in between.
 * Any number of loops take turns; how many pieces of work run at once is limited elsewhere, by slots.
 */
export class Turn {
  readonly #signal: AbortSignal | undefined
  #began = performance.now()
  #waitedMs = 0

  /** `signal`: aborts the loop when it yields. */
  constructor(signal?: AbortSignal) {
    this.#signal = signal
  }

  get isOver(): boolean {
    return this.elapsedMs > (expected > 0 ? SHORT_TURN_MS : TURN_MS)
  }

  get elapsedMs(): number {
    return performance.now() - this.#began
  }

  /** Time spent waiting for turns. */
  get waitedMs(): number {
    return this.#waitedMs
  }

  /** Yields to other work; resolves at the start of the next turn. */
  async next(): Promise<void> {
    const left = performance.now()
    await new Promise<void>((resolve) => {
      waiting.push(resolve)
      if (waiting.length === 1) setImmediate(admitNext)
    })
    this.#signal?.throwIfAborted()
    this.#began = performance.now()
    this.#waitedMs += this.#began - left
  }
}

/** Calls `work` for each item, in turns. */
export async function inTurns<T>(
  items: Iterable<T>,
  work: (item: T, place: number) => void,
  turn = new Turn(),
): Promise<void> {
  let place = 0
  let looked = 0
  let stride = 1
  let lookedAt = turn.elapsedMs
  for (const item of items) {
    if (place - looked >= stride) {
      const elapsed = turn.elapsedMs
      const apart = elapsed - lookedAt
      const fitting = Math.floor((stride * LOOKS_APART_MS) / Math.max(apart, 0.001))
      stride = Math.max(1, Math.min(fitting, 2 * stride, MOST_BETWEEN_LOOKS))
      looked = place
      lookedAt = elapsed
      if (turn.isOver) {
        await turn.next()
        lookedAt = 0
      }
    }
    work(item, place++)
  }
}

/** Maps items in order, in turns. */
export async function mapInTurns<A, B>(items: Iterable<A>, map: (item: A, place: number) => B): Promise<B[]> {
  const results: B[] = []
  await inTurns(items, (item, place) => results.push(map(item, place)))
  return results
}

/**
 * Maps the items of a stream, in turns. Yields small batches and includes the time of the consumer, so that a chain of
 * such steps yields as often as one loop.
 */
export async function* flatMapInTurns<A, B>(
  batches: AsyncIterable<readonly A[]>,
  map: (item: A) => Iterable<B>,
): AsyncIterable<readonly B[]> {
  const turn = new Turn()
  for await (const batch of batches) {
    let results: B[] = []
    let sliceBegan = turn.elapsedMs
    for (const item of batch) {
      for (const result of map(item)) results.push(result)
      if (turn.elapsedMs - sliceBegan < SLICE_MS) continue
      if (results.length > 0) yield results
      results = []
      if (turn.isOver) await turn.next()
      sliceBegan = turn.elapsedMs
    }
    if (results.length > 0) yield results
    if (turn.isOver) await turn.next()
  }
}
