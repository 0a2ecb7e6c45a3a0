import { greatCircle } from '../../geo/distance.ts'
import { compareCodePoints } from '../../query/code-point-order.ts'
import type { SearchPlan, SortKey } from '../../query/plan.ts'
import type { Scalar } from '../../query/predicate.ts'
import type { SearchResult } from '../engine.ts'
import type { ClusterContext } from './cluster-context.ts'
import { fetchDocuments } from './document-fetch.ts'
import { Pauses } from './event-loop-pauses.ts'
import { readScanned, type ScannedDocuments } from './scanned-document.ts'
import { readNeeded } from './scanned-fields.ts'

/** Clusters know no distance of shapes: the order is found here. */
export function sortsByShapeDistance(keys: readonly SortKey[]): boolean {
  return keys.some(({ kind, field }) => kind === 'distance' && field.type === 'GEO_SHAPE')
}

/** A page in an order with the distance of a GEO_SHAPE in it, from the sort values of all matching documents. */
export async function searchByShapeDistance(
  context: ClusterContext,
  plan: SearchPlan,
  signal?: AbortSignal,
): Promise<SearchResult> {
  const { sort, from, size, wantsTotal } = plan
  const fields = [...new Map(sort.map(({ field }) => [field.path, field])).values()]
  const needed = { fields, shapes: new Set<string>(), names: true }
  const read = await readNeeded(context, plan, 'sorting by the distance of shapes', needed, signal)
  const documents = await readScanned(needed, read, new Pauses(signal))
  const order = documentOrder(sort, documents)
  const page = Array.from({ length: documents.count }, (_, i) => i)
    .sort(order)
    .slice(from, from + size)
  const names = page.map((number) => documents.name(number))
  const found = await fetchDocuments(context, names, signal)
  // One that is gone by now is left out.
  const hits = found.filter((hit) => hit !== undefined)
  return wantsTotal ? { total: documents.count, hits } : { hits }
}

/** Missing values last; documents equal in all keys by index and `_id`, however they came. */
function documentOrder(sort: readonly SortKey[], documents: ScannedDocuments): (a: number, b: number) => number {
  const keys = sort.map((key) => ({ values: sortValues(key, documents), sign: key.descending ? -1 : 1 }))
  return (a, b) => {
    for (const { values, sign } of keys) {
      const [x, y] = [values[a], values[b]]
      if (x === undefined && y === undefined) continue
      if (x === undefined) return 1
      if (y === undefined) return -1
      const order = compareScalars(x, y)
      if (order !== 0) return sign * order
    }
    const [x, y] = [documents.name(a), documents.name(b)]
    return compareCodePoints(x.index, y.index) || compareCodePoints(x.id, y.id)
  }
}

function sortValues(key: SortKey, documents: ScannedDocuments): readonly (Scalar | undefined)[] {
  if (key.kind === 'field') return documents.scalars(key.field).map((values) => choose(values, key.descending))
  // In whole decimetres: nearer to each other than that, documents count as equally far (spec 2.5).
  const distance = ([lon = 0, lat = 0]: readonly number[]): number =>
    Math.floor(10 * greatCircle(key.lon, key.lat, lon, lat))
  return documents.geometries(key.field).map((geometry) => choose(geometry?.places.map(distance) ?? [], key.descending))
}

/** Of several values the smallest ascending and the largest descending. */
function choose(values: readonly Scalar[], descending: boolean): Scalar | undefined {
  let chosen = values[0]
  for (const value of values) {
    if (chosen === undefined) continue
    const order = compareScalars(value, chosen)
    if (descending ? order > 0 : order < 0) chosen = value
  }
  return chosen
}

function compareScalars(a: Scalar, b: Scalar): number {
  if (typeof a === 'string' && typeof b === 'string') return compareCodePoints(a, b)
  return a < b ? -1 : a > b ? 1 : 0
}
