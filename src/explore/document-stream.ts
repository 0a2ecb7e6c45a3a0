import type { Engine, FoundDocument } from '../engine/engine.ts'
import { cursorAfter } from '../query/page/cursor.ts'
import type { SearchPlan, Selection } from '../query/plan/plan.ts'
import { exactSource } from './page-cursors.ts'

/** Documents per request to the engine: few enough to hold in memory, enough to make the cost per page small. */
const BATCH = 2_000

/**
 * Yields the documents of a page in order, in batches; memory use does not depend on the size. Each batch is a separate
 * page, so a document changed meanwhile appears in its old or its new state.
 */
export async function* streamPage(
  engine: Pick<Engine, 'search'>,
  plan: SearchPlan,
  signal?: AbortSignal,
): AsyncIterable<readonly FoundDocument[]> {
  if (plan.size <= BATCH || plan.cursor?.direction === 'before') {
    yield (await engine.search(plan, signal)).hits
    return
  }
  const byCursor = plan.sort.every((key) => key.kind === 'field')
  let next: SearchPlan = { ...plan, size: BATCH, wantsTotal: false }
  for (let left = plan.size; left > 0; ) {
    const size = Math.min(BATCH, left)
    const { hits } = await engine.search({ ...next, size }, signal)
    if (hits.length > 0) yield hits
    left -= hits.length
    const last = hits.at(-1)
    if (last === undefined || hits.length < size) return
    next = byCursor
      ? { ...next, from: 0, cursor: cursorAfter(plan.sort, exactSource(last)) }
      : { ...next, from: next.from + hits.length }
  }
}

/** Yields all documents of a selection, in unspecified order and from one snapshot. */
export function streamAll(
  engine: Pick<Engine, 'scan'>,
  { indices, predicate }: Selection,
  signal?: AbortSignal,
): AsyncIterable<readonly FoundDocument[]> {
  return engine.scan({ indices, predicate }, signal)
}
