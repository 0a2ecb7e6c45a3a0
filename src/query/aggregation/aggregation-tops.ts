import { distinctKeys } from '../page/distinct-order.ts'
import { unsortable } from '../page/sort.ts'
import type { TopPlan } from '../plan/aggregation-plan.ts'
import type { FieldSortKey } from '../plan/plan.ts'
import type { CollectionView } from '../schema/collection-view.ts'
import { aggregationFault } from './aggregation-fault.ts'
import { checkSuitable, existing, GEO } from './aggregation-fields.ts'
import type { SignedName } from './aggregation-sort-list.ts'
import type { ParsedAggregation } from './aggregation-syntax.ts'
import type { ResolvedFetched, ResolvedHits, ResolvedRaw } from './resolved-aggregation.ts'

interface ResolvedTops {
  readonly tops: readonly TopPlan[]
  readonly raw: readonly ResolvedRaw[]
  /** The geometry of fetch_geometry, if taken from a document. */
  readonly picked?: ResolvedFetched
  readonly hits?: ResolvedHits
}

/**
 * Resolves the documents to pick from each bucket (spec 2.12, 2.13): for raw or fetched geometries and for fetch_hits.
 */
export function resolveTops(aggregation: ParsedAggregation, collection: CollectionView): ResolvedTops {
  const { position, hits } = aggregation
  const tops: TopPlan[] = []
  const raw: ResolvedRaw[] = []
  for (const entry of aggregation.raw) {
    const field = existing(entry.path, collection)
    checkSuitable(field, GEO, 'raw_geometries', position)
    const keys =
      entry.sort === undefined
        ? timestampKey(collection)
        : entry.sort.names.map((name) => sortKey(name, 'raw_geometries', position, collection))
    const sort = entry.sort?.text ?? collection.reference.params.timestamp_path
    if (raw.some((known) => known.field === field && known.sort === sort)) continue
    raw.push({ field, sort, top: place(tops, { size: 1, sort: orderOf(keys, collection), having: field }) })
  }
  const picked = resolvePicked(aggregation, collection, tops)
  const geometries = { tops, raw, ...(picked === undefined ? {} : { picked }) }
  if (hits === undefined) return geometries
  const signed = hits.names.filter(({ sign }) => sign !== undefined)
  const keys = signed.map((name) => sortKey(name, 'fetch_hits', position, collection))
  const top = place(tops, { size: hits.size, sort: orderOf(keys, collection) })
  const include = [...new Set(hits.names.map(({ name }) => name))]
  return { ...geometries, hits: { top, ...(include.length === 0 ? {} : { include }) } }
}

/** The document of fetch_geometry: the first one that has both the geometry and the sort field. */
function resolvePicked(
  { fetched, position }: ParsedAggregation,
  collection: CollectionView,
  tops: TopPlan[],
): ResolvedFetched | undefined {
  if (fetched?.kind !== 'document') return undefined
  const { geometry_path, timestamp_path } = collection.reference.params
  const field = existing(geometry_path, collection)
  checkSuitable(field, GEO, 'fetch_geometry', position)
  const name: SignedName = { name: fetched.name ?? timestamp_path, sign: fetched.last ? '-' : '+' }
  const sort = orderOf([sortKey(name, 'fetch_geometry', position, collection)], collection)
  return { kind: 'document', field, top: place(tops, { size: 1, sort, having: field, keyed: true }) }
}

/** Rule V24. */
function sortKey({ name, sign }: SignedName, part: string, position: number, collection: CollectionView): FieldSortKey {
  const field = existing(name, collection)
  const reason = unsortable(field)
  if (reason !== undefined) throw aggregationFault(position, part, `${reason} as a sort key`, name)
  return { kind: 'field', field, descending: sign === '-' }
}

/** A default order, so a timestamp that cannot be sorted is not an error. */
function timestampKey({ reference, schema }: CollectionView): readonly FieldSortKey[] {
  const field = schema.lookup(reference.params.timestamp_path)
  return field === undefined || unsortable(field) !== undefined ? [] : [{ kind: 'field', field, descending: false }]
}

/** Orders by the keys, then by the id. */
function orderOf(keys: readonly FieldSortKey[], { reference, schema }: CollectionView): readonly FieldSortKey[] {
  const distinct = distinctKeys(keys)
  const id = schema.lookup(reference.params.id_path)
  if (id === undefined || unsortable(id) !== undefined || distinct.some(({ field }) => field === id)) return distinct
  return [...distinct, { kind: 'field', field: id, descending: false }]
}

/** Returns the index of a plan in `tops`; adds it unless an equal one exists. */
function place(tops: TopPlan[], plan: TopPlan): number {
  const known = tops.findIndex(
    (top) =>
      top.size === plan.size &&
      top.having === plan.having &&
      top.keyed === plan.keyed &&
      sameOrder(top.sort, plan.sort),
  )
  return known < 0 ? tops.push(plan) - 1 : known
}

const sameOrder = (a: readonly FieldSortKey[], b: readonly FieldSortKey[]): boolean =>
  a.length === b.length &&
  a.every(({ field, descending }, i) => field === b[i]?.field && descending === b[i].descending)
