import { deleteLine, indexLines } from './bulk-lines.ts'
import { documentDrawer, idOf, LAST_DAY } from './documents.ts'
import { seededRandom } from './random.ts'

const BATCH = 200
/** Every tenth document replaces an existing one. */
const UPDATE_EVERY = 10
/** A delete follows every hundredth document. */
const DELETE_EVERY = 100
/** Mean time between two documents. Milliseconds. */
const STEP_MS = 5

/** Yields bulk batches for `points` without end, as they arrive from a live source: the newest document last. */
export function* liveBatches(seed: number, existing: number): Generator<Buffer, never> {
  const random = seededRandom(seed + 4)
  const draw = documentDrawer(random, seed)
  const existingId = (): string => idOf(random.below(existing))
  let next = existing
  let seen = LAST_DAY
  for (;;) {
    const lines: string[] = []
    for (let n = 1; n <= BATCH; n++) {
      seen += random.below(2 * STEP_MS + 1)
      lines.push(indexLines(draw(n % UPDATE_EVERY === 0 ? existingId() : idOf(next++), seen)))
      if (n % DELETE_EVERY === 0) lines.push(deleteLine(existingId()))
    }
    yield Buffer.from(lines.join(''))
  }
}
