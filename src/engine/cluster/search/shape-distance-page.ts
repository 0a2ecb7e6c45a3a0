import type { SearchPlan, SortKey } from '../../../query/plan/plan.ts'
import { Turn } from '../../../turn.ts'
import type { SearchResult } from '../../engine.ts'
import type { ClusterContext } from '../request/cluster-context.ts'
import { fetchDocuments } from '../scanned/document-fetch.ts'
import { readScanned } from '../scanned/scanned-document.ts'
import { readNeeded } from '../scanned/scanned-fields.ts'
import { documentOrder } from '../scanned/scanned-order.ts'

/** True if a sort key is the distance to a shape. Clusters do not support it, so the order is computed here. */
export function sortsByShapeDistance(keys: readonly SortKey[]): boolean {
  return keys.some(({ kind, field }) => kind === 'distance' && field.type === 'GEO_SHAPE')
}

/** Returns a page sorted by the distance to a GEO_SHAPE, computed from the sort values of all matching documents. */
export async function searchByShapeDistance(
  context: ClusterContext,
  plan: SearchPlan,
  signal?: AbortSignal,
): Promise<SearchResult> {
  const { sort, from, size, wantsTotal } = plan
  const fields = [...new Map(sort.map(({ field }) => [field.path, field])).values()]
  const needed = { fields, shapes: new Set<string>(), names: true }
  const read = await readNeeded(context, plan, 'sorting by the distance of shapes', needed, signal)
  const documents = await readScanned(needed, read, new Turn(signal))
  const order = documentOrder(sort, documents)
  const page = Array.from({ length: documents.count }, (_, i) => i)
    .sort(order)
    .slice(from, from + size)
  const names = page.map((number) => documents.name(number))
  const found = await fetchDocuments(context, names, signal)
  // Documents deleted meanwhile are left out.
  const hits = found.flatMap((hit, i) => {
    if (hit === undefined) return []
    const id = plan.wantsIds ? names[i]?.id : undefined
    return [id === undefined ? hit : { ...hit, id }]
  })
  return wantsTotal ? { total: documents.count, hits } : { hits }
}
