import { type Cell, cellName } from '../../geo/grid/cell.ts'
import type {
  AggregationBucket,
  BucketFeature,
  BucketGeometry,
  NestedAggregation,
} from '../../model/answer/aggregation-response.ts'
import type { AggregationType, ResolvedFetched } from '../../query/aggregation/resolved-aggregation.ts'
import { inTurns } from '../../turn.ts'
import { flattenBucket } from './aggregation-flat.ts'

interface AggregationFeatureOptions {
  /** Type of the main aggregation. */
  readonly type: AggregationType
  /** fetch_geometry of the main aggregation. */
  readonly fetched?: ResolvedFetched | undefined
  readonly flat: boolean
  /** Cell of the request path. */
  readonly cell?: Cell | undefined
}

/**
 * Returns one feature per geometry of each top-level bucket, in order (spec 4.1); with fetch_geometry one per bucket.
 */
export async function aggregationFeatures(
  { elements }: NestedAggregation,
  { type, fetched, flat, cell }: AggregationFeatureOptions,
): Promise<BucketFeature[]> {
  const names = gridNames(type)
  const parent = names === undefined || cell === undefined ? {} : { [names.parent]: cellName(cell) }
  const describe = flat ? flatProperties : nestedProperties
  const features: BucketFeature[] = []
  await inTurns(elements, (bucket) => {
    const { geometries = [], geometry } = bucket
    if (fetched !== undefined && geometry !== undefined) {
      const properties = { ...describe(bucket, names?.cell), ...fetchedProperties(fetched), ...parent }
      features.push({ type: 'Feature', geometry, properties })
      return
    }
    if (geometries.length === 0) return
    const properties = describe(bucket, names?.cell)
    for (const one of geometries) {
      const described = { ...properties, ...geometryProperties(one), ...parent }
      features.push({ type: 'Feature', geometry: one.geometry, properties: described })
    }
  })
  return features
}

interface GridNames {
  readonly cell: string
  readonly parent: string
}

/** Property names of the cell and of its parent, as read by dashboards. */
export function gridNames(type: AggregationType): GridNames | undefined {
  switch (type) {
    case 'geohash':
      return { cell: 'geohash', parent: 'parent_geohash' }
    case 'geotile':
      return { cell: 'tile', parent: 'parent_tile' }
    case 'geohex':
      return { cell: 'geohex', parent: 'parent_cell' }
    default:
      return undefined
  }
}

function nestedProperties(bucket: AggregationBucket, cell: string | undefined): Record<string, unknown> {
  const { count, key, key_as_string, metrics, elements, hits } = bucket
  return {
    count,
    [cell ?? 'key']: key_as_string ?? key,
    ...(metrics === undefined ? {} : { metrics }),
    ...(elements === undefined ? {} : { elements }),
    ...(hits === undefined ? {} : { hits }),
  }
}

function flatProperties(bucket: AggregationBucket, cell: string | undefined): Record<string, unknown> {
  const own = { count: bucket.count, ...(cell === undefined ? {} : { [cell]: bucket.key_as_string }) }
  // Spread twice: first to put the keys first, last so that they override equal keys of the map.
  return { ...own, ...flattenBucket(bucket), ...own }
}

const geometryProperties = ({ reference, is_raw, sort }: BucketGeometry): Record<string, unknown> => ({
  feature_type: 'aggregation',
  geometry_ref: reference,
  geometry_type: is_raw ? 'raw' : 'aggregated',
  ...(sort === undefined ? {} : { geometry_sort: sort }),
})

/** The earlier revision did not distinguish kinds of geometries. */
const fetchedProperties = (fetched: ResolvedFetched): Record<string, unknown> => ({
  feature_type: 'aggregation',
  geometry_ref: fetched.kind === 'bucket' ? fetched.form : fetched.field.path,
})
