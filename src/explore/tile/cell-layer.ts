import type { OpenCollection } from '../../collections/open-collection.ts'
import { problem } from '../../errors.ts'
import { writeAggregation } from '../../formats/aggregation/aggregation-answer.ts'
import { flattenBucket } from '../../formats/aggregation/aggregation-flat.ts'
import { EXTENT, type TileGeometry } from '../../formats/mvt/tile-geometry.ts'
import { type TileValue, VectorLayer } from '../../formats/mvt/vector-layer.ts'
import type { TilePlace } from '../../formats/tile/tile-projection.ts'
import type { Aggregation } from '../../model/aggregation.ts'
import type { Filter } from '../../model/filter.ts'
import { LAST_GEOTILE } from '../../query/aggregation/aggregation-interval.ts'
import { parseAggregationText } from '../../query/aggregation/aggregation-text.ts'
import type { TileKey } from '../../query/aggregation/bucket.ts'
import { runAggregation } from '../aggregate.ts'
import type { Operation } from '../operation.ts'

export const cellForms = ['polygons', 'centers'] as const
type CellForm = (typeof cellForms)[number]

export interface CellOptions {
  /** Zoom levels between a tile and its cells. */
  readonly interval: number
  /** A geotile aggregation without interval; absent: counts documents by their centroid. */
  readonly agg?: string
  readonly form: CellForm
}

/** Returns the interval, limited by the finest grid. */
export const cellInterval = ({ z }: Pick<TilePlace, 'z'>, { interval }: CellOptions): number =>
  Math.min(interval, LAST_GEOTILE - z)

/** Returns the aggregation of the cells of a tile, in the form of `_geoaggregate`. */
export function cellAggregation(
  { reference }: OpenCollection,
  tile: Pick<TilePlace, 'z'>,
  options: CellOptions,
): readonly string[] | readonly Aggregation[] {
  const { agg } = options
  const level = tile.z + cellInterval(tile, options)
  if (agg === undefined) {
    return [{ type: 'geotile', field: reference.params.centroid_path, interval: { value: level } }]
  }
  const { type, interval } = parseAggregationText(agg, 1)
  const fault = (reason: string) => problem('INVALID_AGGREGATION', { parameter: 'agg', value: agg, reason })
  if (type !== 'geotile') throw fault('must be of type geotile')
  if (interval !== undefined) {
    throw fault(
      'must not have an interval; use the parameter interval, the number of zoom levels between tile and cells',
    )
  }
  return [`${agg}:interval-${level}`]
}

/** Returns the layer of cells with their document counts and the requested metrics. */
export async function cellLayer(
  filter: Filter | undefined,
  operation: Operation,
  tile: TilePlace,
  options: CellOptions,
): Promise<VectorLayer> {
  const { collection } = operation
  const aggregations = cellAggregation(collection, tile, options)
  const asked = { kind: 'geoaggregate', cell: { kind: 'tile', ...tile } } as const
  const run = await runAggregation({ filter, aggregations }, operation, asked)
  const { elements } = await writeAggregation(run.result, run.aggregations, { collection })
  const layer = new VectorLayer('cells')
  const geometryOf = cellGeometry(tile, cellInterval(tile, options), options.form)
  for (const [i, { key }] of run.result.buckets.entries()) {
    const bucket = elements[i]
    const geometry = isTile(key) ? geometryOf(key) : undefined
    if (bucket === undefined || geometry === undefined) continue
    const { key: _, key_as_string: name, ...rest } = flattenBucket(bucket)
    layer.add(geometry, Object.fromEntries(Object.entries({ tile: name, ...rest }).filter(isValue)))
  }
  return layer
}

/** Cells outside the tile, reached by shapes, have no geometry here: other tiles show them. */
function cellGeometry(tile: TilePlace, interval: number, form: CellForm): (key: TileKey) => TileGeometry | undefined {
  const n = 2 ** interval
  const side = EXTENT / n
  return (key) => {
    const [column, row] = [key.x - tile.x * n, key.y - tile.y * n]
    if (column < 0 || column >= n || row < 0 || row >= n) return undefined
    const at = (x: number, y: number) => [Math.round((column + x) * side), Math.round((row + y) * side)]
    if (form === 'centers') return { kind: 'points', points: [at(0.5, 0.5)] }
    return { kind: 'polygons', polygons: [[[at(0, 0), at(1, 0), at(1, 1), at(0, 1), at(0, 0)]]] }
  }
}

const isTile = (key: unknown): key is TileKey => typeof key === 'object' && key !== null && 'x' in key && 'y' in key

const isValue = (entry: [string, unknown]): entry is [string, TileValue] =>
  typeof entry[1] === 'string' || typeof entry[1] === 'number' || typeof entry[1] === 'boolean'
