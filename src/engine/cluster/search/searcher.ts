import { readRefusal } from '../../../cluster-client/refusal.ts'
import type { SearchPlan, Selection } from '../../../query/plan/plan.ts'
import type { SearchResult, StoredDocument } from '../../engine.ts'
import type { ClusterContext } from '../request/cluster-context.ts'
import { type Hit, toFound, toStored } from '../request/search-answer.ts'
import { countMatching, indexPath, sendSearch } from '../request/search-call.ts'
import { compileSelection } from '../selection/selection-query.ts'
import { compileSortedQuery } from '../selection/sort-keys.ts'
import { compileOrder } from './search-order.ts'
import { searchByShapeDistance, sortsByShapeDistance } from './shape-distance-page.ts'

/** Returns one page of hits and the exact total, with one request. */
export async function search(context: ClusterContext, plan: SearchPlan, signal?: AbortSignal): Promise<SearchResult> {
  const { indices, sort, size, cursor, wantsTotal } = plan
  if (indices.length === 0) return wantsTotal ? { total: 0, hits: [] } : { hits: [] }
  if (size > 0 && sortsByShapeDistance(sort)) return searchByShapeDistance(context, plan, signal)
  const selection = await compileSelection(context, plan, signal)
  const order = size === 0 ? {} : compileOrder(plan, context.dialect)
  const body = { query: compileSortedQuery(sort, selection), size, track_total_hits: wantsTotal, ...order }
  const answer = await sendSearch(context, indices, body, signal)
  const hits = answer.hits.hits.map(toFound)
  if (cursor?.direction === 'before') hits.reverse()
  return wantsTotal ? { total: answer.hits.total?.value ?? 0, hits } : { hits }
}

export async function count(context: ClusterContext, selection: Selection, signal?: AbortSignal): Promise<number> {
  return countMatching(context, selection.indices, await compileSelection(context, selection, signal), signal)
}

interface FetchedDocument extends Hit {
  readonly found?: boolean
  readonly error?: unknown
}

/** Returns the document stored under an `_id`, in real time. */
export async function document(
  context: ClusterContext,
  index: string,
  id: string,
  signal?: AbortSignal,
): Promise<StoredDocument | undefined> {
  if (id === '') return undefined
  // Sent in a body: in a path, `..` or a long id would not work.
  const { docs } = await context.client.send<{ readonly docs: readonly FetchedDocument[] }>({
    method: 'POST',
    path: `${indexPath([index])}/_mget`,
    body: { ids: [id] },
    repeatable: true,
    ...(signal === undefined ? {} : { signal }),
  })
  const [fetched] = docs
  if (fetched?.error !== undefined) throw readRefusal(404, fetched)
  return fetched?.found === true ? toStored(fetched) : undefined
}
