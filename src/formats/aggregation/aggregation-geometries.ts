import type { Bucket } from '../../engine/engine.ts'
import type { BucketGeometry } from '../../model/answer/aggregation-response.ts'
import type { Geometry } from '../../model/geometry.ts'
import type {
  ResolvedAggregated,
  ResolvedAggregation,
  ResolvedRaw,
} from '../../query/aggregation/resolved-aggregation.ts'
import type { Grouping } from '../../query/plan/aggregation-plan.ts'
import { geometryReader } from '../document-reader.ts'
import { metricGeometry } from './aggregation-metrics.ts'
import { cellCentreOf, cellPolygonOf, pointAt } from './cell-geometry.ts'

type GeometryOf = (bucket: Bucket) => Geometry | undefined

/**
 * Returns a writer for the geometries of a bucket, aggregated ones before those of documents (spec 2.11, 2.12);
 * undefined if none was requested.
 */
export function geometriesWriter(
  { aggregated, raw }: ResolvedAggregation,
  grouping: Grouping,
): ((bucket: Bucket) => BucketGeometry[]) | undefined {
  if (aggregated.length === 0 && raw.length === 0) return undefined
  const forms = aggregated.map((one) => ({ reference: one.form, of: aggregatedGeometry(one, grouping) }))
  const documents = raw.map((one) => ({ reference: one.field.path, sort: one.sort, of: rawGeometry(one) }))
  return (bucket) => {
    const geometries: BucketGeometry[] = []
    for (const { reference, of } of forms) {
      const geometry = of(bucket)
      if (geometry !== undefined) geometries.push({ reference, geometry, is_raw: false })
    }
    for (const { reference, sort, of } of documents) {
      const geometry = of(bucket)
      if (geometry !== undefined) geometries.push({ reference, geometry, sort, is_raw: true })
    }
    return geometries
  }
}

/**
 * Returns a writer for the geometry of fetch_geometry, null if no document of the bucket has one; undefined if not
 * requested.
 */
export function fetchedWriter(
  { fetched }: ResolvedAggregation,
  grouping: Grouping,
): ((bucket: Bucket) => Geometry | null) | undefined {
  if (fetched === undefined) return undefined
  const of = fetched.kind === 'bucket' ? aggregatedGeometry(fetched, grouping) : rawGeometry(fetched)
  return (bucket) => of(bucket) ?? null
}

export function aggregatedGeometry({ form, place }: ResolvedAggregated, grouping: Grouping): GeometryOf {
  switch (form) {
    case 'bbox':
    case 'centroid':
      return ({ metrics }) => {
        const value = place === undefined ? null : (metrics[place] ?? null)
        return value === null || typeof value === 'number' ? undefined : metricGeometry(value)
      }
    case 'cell':
    case 'geohash': {
      const polygon = cellPolygonOf(gridOf(grouping, form))
      return ({ key }) => polygon(key)
    }
    case 'cell_center':
    case 'geohash_center': {
      const centre = cellCentreOf(gridOf(grouping, form))
      return ({ key }) => pointAt(centre(key))
    }
  }
}

function gridOf(grouping: Grouping, form: string) {
  if (grouping.kind === 'geohash' || grouping.kind === 'geotile' || grouping.kind === 'geohex') return grouping
  throw new Error(`${form} is not valid for a ${grouping.kind}`)
}

/** Read from the document, so the coordinates are the stored ones. */
export function rawGeometry({ field, top }: Pick<ResolvedRaw, 'field' | 'top'>): GeometryOf {
  const read = geometryReader(field.path, field.type)
  return ({ tops }) => {
    const document = tops[top]?.[0]
    return document === undefined ? undefined : read(document.source)
  }
}
