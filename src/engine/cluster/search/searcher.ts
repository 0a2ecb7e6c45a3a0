import type { WireJson, WireObject } from '../../../cluster-client/cluster-client.ts'
import { readRefusal } from '../../../cluster-client/refusal.ts'
import { problem } from '../../../errors.ts'
import type { SearchPlan, Selection, SortKey } from '../../../query/plan/plan.ts'
import type { SearchResult, StoredDocument } from '../../engine.ts'
import type { ClusterContext } from '../request/cluster-context.ts'
import type { Dialect } from '../request/dialect.ts'
import { type Hit, toFound, toStored } from '../request/search-answer.ts'
import { countMatching, indexPath, sendSearch } from '../request/search-call.ts'
import { compileSelection } from '../selection/selection-query.ts'
import { compilePlace, compileSort, compileSortedQuery } from '../selection/sort-keys.ts'
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
  const hits = answer.hits.hits.map(plan.wantsIds ? toStored : toFound)
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

/** Default order. Without a sort pages must not overlap either; all copies of a shard agree on this order. */
const AS_WRITTEN: readonly WireObject[] = [{ _seq_no: { order: 'asc' } }]

/** A key that is equal for all documents of a search without scores. */
const EQUAL: WireObject = { _score: { order: 'desc' } }
const EQUAL_PLACE: WireJson = 0

/** Compiles the sort order of a search and the start of its page. A `before` page is read backwards. */
function compileOrder({ sort, from, cursor }: Omit<SearchPlan, 'size'>, dialect: Dialect): WireObject {
  if (sort.length === 0) return { sort: AS_WRITTEN, from }
  if (dialect.family === 'elasticsearch' && sort.some(({ field }) => field.isId)) {
    throw problem('NOT_IMPLEMENTED', { name: 'sorting by _id', owner: dialect.label })
  }
  const guarded = prunesWrongly(sort, dialect)
  const keys = compileSort(sort, cursor?.direction === 'before')
  const order = { sort: guarded ? [EQUAL, ...keys] : keys }
  if (cursor === undefined) return { ...order, from }
  const place = compilePlace(sort, cursor.values)
  return { ...order, search_after: guarded ? [EQUAL_PLACE, ...place] : place }
}

/**
 * True for a first sort key of type DOUBLE on OpenSearch. OpenSearch skips documents using the index of the first sort
 * key. For a scaled_float (a DOUBLE in our types) it misreads that index and loses documents. It does not skip if
 * another key comes first.
 */
function prunesWrongly([first]: readonly SortKey[], { family }: Dialect): boolean {
  return family === 'opensearch' && first?.kind === 'field' && first.field.type === 'DOUBLE'
}
