import { problem } from '../../errors.ts'
import type { JsonObject } from '../../model/json/document.ts'
import { isNumber } from '../../query/schema/field.ts'
import { GEOJSON_MEDIA, JSON_MEDIA, linksJson } from '../link.ts'
import { stacCollectionUrl } from './item.ts'
import type { SearchedCollection } from './item-search.ts'

/** An aggregation that can be asked for. */
export type AskedAggregation =
  | { readonly kind: 'total' | 'min' | 'max' | 'times' | 'collections'; readonly name: string }
  | { readonly kind: 'geohash' | 'geotile'; readonly name: string }
  /** `of`: the name of the property. */
  | { readonly kind: 'terms' | 'stats'; readonly name: string; readonly of: string }

const GENERAL: readonly AskedAggregation[] = [
  { kind: 'total', name: 'total_count' },
  { kind: 'min', name: 'datetime_min' },
  { kind: 'max', name: 'datetime_max' },
  { kind: 'times', name: 'datetime_frequency' },
  { kind: 'collections', name: 'collection_frequency' },
  { kind: 'geohash', name: 'geometry_geohash_grid_frequency' },
  { kind: 'geotile', name: 'geometry_geotile_grid_frequency' },
]

/** Members of a description: what the result is, and what is counted in buckets. */
const DESCRIBED: Readonly<Record<AskedAggregation['kind'], readonly [type: string, frequency?: string]>> = {
  total: ['integer'],
  min: ['datetime'],
  max: ['datetime'],
  times: ['frequency_distribution', 'datetime'],
  collections: ['frequency_distribution', 'string'],
  geohash: ['frequency_distribution', 'string'],
  geotile: ['frequency_distribution', 'string'],
  terms: ['frequency_distribution', 'string'],
  stats: ['numeric'],
}

/** All aggregations of the collections, by name. */
export function availableAggregations(
  collections: readonly SearchedCollection[],
): ReadonlyMap<string, AskedAggregation> {
  const all = new Map(GENERAL.map((one) => [one.name, one]))
  for (const { names } of collections) {
    for (const [of, { type }] of names.queryables) {
      if (of === 'id' || of === 'collection') continue
      const kind = isNumber(type) ? 'stats' : type === 'KEYWORD' || type === 'BOOLEAN' ? 'terms' : undefined
      const name = `${of}_${kind === 'stats' ? 'stats' : 'frequency'}`
      if (kind !== undefined && !all.has(name)) all.set(name, { kind, name, of })
    }
  }
  return all
}

/** Looks up the names of a request. Throws LIMIT_EXCEEDED for too many, INVALID_PARAMETER for an unknown one. */
export function chooseAggregations(
  names: readonly string[],
  collections: readonly SearchedCollection[],
  most: number,
): readonly AskedAggregation[] {
  if (names.length > most) {
    const reason = `must not name more than ${most} aggregations`
    throw problem('LIMIT_EXCEEDED', { parameter: 'aggregations', reason, setting: 'limits.stacAggregations' })
  }
  const all = availableAggregations(collections)
  return [...new Set(names)].map((name) => {
    const found = all.get(name)
    if (found !== undefined) return found
    const reason = 'must name aggregations that /aggregations lists'
    throw problem('INVALID_PARAMETER', { parameter: 'aggregations', value: name, reason })
  })
}

/** Describes what can be aggregated. `name`: that of the only collection. */
export function describeAggregations(
  collections: readonly SearchedCollection[],
  base: string,
  name: string | undefined,
): JsonObject {
  const url = name === undefined ? `${base}/stac` : stacCollectionUrl(base, name)
  const aggregations = [...availableAggregations(collections).values()].map((one) => {
    const [type, frequency] = DESCRIBED[one.kind]
    return {
      name: one.name,
      data_type: type,
      ...(frequency === undefined ? {} : { frequency_distribution_data_type: frequency }),
    }
  })
  const links = linksJson([
    { href: `${url}/aggregations`, rel: 'self', type: JSON_MEDIA },
    { href: `${base}/stac`, rel: 'root', type: JSON_MEDIA },
    { href: `${base}/stac/search`, rel: 'search', type: GEOJSON_MEDIA },
  ])
  return { aggregations, links }
}
