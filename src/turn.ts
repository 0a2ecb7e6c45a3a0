/** Other work waits at most about this long for a loop over many items. */
const TURN_MS = 4

/** Results are handed on this often, so that what is done to them next is part of the same turn. */
const SLICE_MS = 1

/** Looking at the clock costs a little too: loops over cheap items look rarely, but never this rarely. */
const MOST_BETWEEN_LOOKS = 32
const LOOKS_APART_MS = 0.2

/** Loops that wait for their next turn. */
const waiting: (() => void)[] = []

/** One loop for each round of the event loop, so that requests wait for one turn however many loops there are. */
function admitNext(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(admitNext)
}

/**
 * The time for which a loop over many items may keep the thread. Loops take turns in the order of asking; timers,
 * sockets and everything else of the event loop come in between.
 */
export class Turn {
  readonly #signal: AbortSignal | undefined
  #began = performance.now()
  #waitedMs = 0

  /** `signal`: ends the loop when it gives way. */
  constructor(signal?: AbortSignal) {
    this.#signal = signal
  }

  get isOver(): boolean {
    return this.elapsedMs > TURN_MS
  }

  get elapsedMs(): number {
    return performance.now() - this.#began
  }

  /** Time others had since the first turn began. */
  get waitedMs(): number {
    return this.#waitedMs
  }

  /** Resolves when the others have had theirs. */
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

/** Does something to each of many items, in turns. */
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

/** What is made of each of many items, one after the other, in turns. */
export async function mapInTurns<A, B>(items: Iterable<A>, map: (item: A, place: number) => B): Promise<B[]> {
  const results: B[] = []
  await inTurns(items, (item, place) => results.push(map(item, place)))
  return results
}

/**
 * What is made of the items of a stream, in turns. Batches of results are small, and the time their reader takes for
 * one counts too, so a chain of such steps gives way as one loop does.
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
