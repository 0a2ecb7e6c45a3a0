import { Problem } from '../../errors.ts'
import type { Operation } from '../../explore/operation.ts'
import type { MetricPlan } from '../../query/plan/aggregation-plan.ts'
import { resolveSelection } from '../../query/request/effective-query.ts'
import { isGeo } from '../../query/schema/field.ts'
import { printTime } from '../properties.ts'

/** Bounds of the geometries and span of the timestamps that the caller may see. */
export interface CollectionExtent {
  readonly bbox?: readonly [west: number, south: number, east: number, north: number]
  readonly interval: readonly [string | null, string | null]
}

/** Computes the extent of a collection; what the engine cannot compute is left out. */
export async function collectionExtent(operation: Operation): Promise<CollectionExtent> {
  const { collection, engine, signal } = operation
  const { geometry_path, timestamp_path } = collection.reference.params
  const [place, time] = [collection.schema.lookup(geometry_path), collection.schema.lookup(timestamp_path)]
  const predicate = resolveSelection({}, operation)
  const measure = async (metrics: readonly MetricPlan[]) => {
    if (metrics.length === 0 || predicate.kind === 'nothing') return []
    try {
      return (await engine.measure({ indices: collection.schema.indices, predicate, metrics }, signal)).values
    } catch (error) {
      // A cluster computes the bounds of shapes from a limited number of documents.
      if (error instanceof Problem && (error.code === 'LIMIT_EXCEEDED' || error.code === 'NOT_IMPLEMENTED')) return []
      throw error
    }
  }
  const isPlace = place !== undefined && isGeo(place.type) && place.indexed
  const isTime = time !== undefined && time.type === 'DATE' && time.indexed
  const [bounds] = await measure(isPlace ? [{ kind: 'bounds', field: place }] : [])
  const [first, last] = await measure(
    isTime
      ? [
          { kind: 'min', field: time },
          { kind: 'max', field: time },
        ]
      : [],
  )
  const isBox = typeof bounds === 'object' && bounds !== null && 'west' in bounds
  return {
    ...(isBox ? { bbox: [bounds.west, bounds.south, bounds.east, bounds.north] } : {}),
    interval: [timeOf(first), timeOf(last)],
  }
}

const timeOf = (value: unknown): string | null => (typeof value === 'number' ? (printTime(value) ?? null) : null)
