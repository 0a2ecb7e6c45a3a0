import type { OpenCollection } from '../../collections/open-collection.ts'
import { Problem } from '../../errors.ts'
import type { Box } from '../../geo/area.ts'
import type { TileJson, TileJsonLayer } from '../../model/tilejson.ts'
import { resolveAggregations } from '../../query/aggregation/aggregation-resolver.ts'
import { parseAggregations } from '../../query/aggregation/aggregation-syntax.ts'
import type { MetricValue } from '../../query/aggregation/bucket.ts'
import type { MetricPlan } from '../../query/plan/aggregation-plan.ts'
import type { Field } from '../../query/schema/field.ts'
import { compilePatterns } from '../../query/schema/field-pattern.ts'
import { planSearch } from '../find-documents.ts'
import type { Operation } from '../operation.ts'
import { type CellOptions, cellAggregation } from './cell-layer.ts'
import { HIT_NAMES } from './hit-layer.ts'
import { placeField } from './tile-selection.ts'
import type { LayerName, VectorTileRequest } from './vector-tile.ts'

/** Maximum zoom requested by map clients; they overzoom beyond. One unit of its tiles is two millimetres. */
const MAX_ZOOM = 22
const WORLD: Box = { west: -180, south: -90, east: 180, north: 90 }
/** Precision of bounds: parts of a degree. */
const PARTS = 1e6

/** Returns the TileJSON 3.0 document of a request; `template` is the URL of its tiles. */
export async function describeTiles(
  request: VectorTileRequest,
  operation: Operation,
  template: string,
): Promise<TileJson> {
  const { collection_name, params } = operation.collection.reference
  const description = params.dublin_core_element_name?.description
  const attribution = params.open_search?.attribution || params.atom_feed?.rights || params.license_name
  const layers = describeLayers(request, operation)
  const { west, south, east, north } = await boundsOf(request, operation)
  return {
    tilejson: '3.0.0',
    name: params.display_names?.collection || collection_name,
    ...(description ? { description } : {}),
    ...(attribution ? { attribution: escapeHtml(attribution) } : {}),
    scheme: 'xyz',
    tiles: [template],
    minzoom: 0,
    maxzoom: MAX_ZOOM,
    bounds: [west, south, east, north],
    vector_layers: request.layers.map((name) => layers[name]),
  }
}

/** Map clients render the attribution as HTML, but that of a collection is plain text. */
const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

type Layers = Readonly<Record<LayerName, TileJsonLayer>>

function describeLayers({ search, cells }: VectorTileRequest, operation: Operation): Layers {
  const { collection } = operation
  return {
    hits: {
      id: 'hits',
      description: 'Documents',
      fields: { ...includedFields(collection, search.projection?.includes), ...hitFields },
    },
    cells: {
      id: 'cells',
      description: 'Grid cells with their document counts',
      fields: { tile: 'String', count: 'Number', ...cellFields(operation, cells) },
    },
    meta: {
      id: 'meta',
      description: 'Content of the tile, and whether it is complete',
      fields: {
        collection: 'String',
        total: 'Number',
        hits: 'Number',
        truncated: 'Boolean',
        cells: 'Number',
        interval: 'Number',
      },
    },
  }
}

const hitFields = { [HIT_NAMES.id]: 'String', [HIT_NAMES.timestamp]: 'Number' }

function includedFields({ schema, hidden }: OpenCollection, include: string | undefined): Record<string, string> {
  if (include === undefined) return {}
  const asked = compilePatterns(include)
  const shown = schema.fields.filter(({ path }) => asked.selects(path) && !hidden.selects(path))
  return Object.fromEntries(
    shown.flatMap((field) => {
      const type = typeName(field)
      return type === undefined ? [] : [[field.path.replaceAll('.', '_'), type]]
    }),
  )
}

/** Returns the type name shown in TileJSON; undefined if tiles do not contain the field. */
function typeName({ type }: Field): string | undefined {
  switch (type) {
    case 'OBJECT':
    case 'NESTED':
    case 'GEO_SHAPE':
      return undefined
    case 'BOOLEAN':
      return 'Boolean'
    case 'LONG':
    case 'INTEGER':
    case 'SHORT':
    case 'BYTE':
    case 'DOUBLE':
    case 'FLOAT':
      return 'Number'
    // Number or text, as in the document.
    case 'DATE':
      return 'Date'
    default:
      return 'String'
  }
}

/** Returns the metric names of the aggregation; validates it as for a tile. */
function cellFields({ collection, limits, origin }: Operation, cells: CellOptions): Record<string, string> {
  const operation = { kind: 'geoaggregate', cell: { kind: 'tile', z: 0, x: 0, y: 0 } } as const
  const context = { collection, limits, origin, operation }
  const parsed = parseAggregations(cellAggregation(collection, { z: 0 }, cells), context)
  const metrics = resolveAggregations(parsed, context).flatMap((aggregation) => aggregation.metrics)
  return Object.fromEntries(
    metrics.map(({ path, fct }) => [`${path.replaceAll('.', '_')}_${fct}_`, isPlace(fct) ? 'String' : 'Number']),
  )
}

const isPlace = (fct: string): boolean => fct === 'geobbox' || fct === 'geocentroid'

/**
 * Returns the slightly enlarged bounding box of geometries and centroids of the matching documents; the world if none
 * match.
 */
async function boundsOf({ search }: VectorTileRequest, operation: Operation): Promise<Box> {
  const { collection, engine, signal } = operation
  const { geometry_path, centroid_path } = collection.reference.params
  const { plan } = planSearch(search, operation, { wantsTotal: false })
  const fields = [...new Set([geometry_path, centroid_path])].flatMap((path) => placeField(collection, path) ?? [])
  const metrics = fields.map((field): MetricPlan => ({ kind: 'bounds', field }))
  if (metrics.length === 0) return WORLD
  const { indices, predicate } = plan
  const values = await engine
    .measure({ indices, predicate, metrics }, signal)
    .then((result) => result.values)
    .catch((error: unknown): readonly MetricValue[] => {
      // The engine cannot compute the box of this many shapes; the tiles still work without it.
      if (error instanceof Problem && error.code === 'NOT_IMPLEMENTED') return []
      throw error
    })
  const boxes = values.filter(isBox)
  if (boxes.length === 0) return WORLD
  return {
    west: Math.max(-180, below(Math.min(...boxes.map((box) => box.west)))),
    south: Math.max(-90, below(Math.min(...boxes.map((box) => box.south)))),
    east: Math.min(180, above(Math.max(...boxes.map((box) => box.east)))),
    north: Math.min(90, above(Math.max(...boxes.map((box) => box.north)))),
  }
}

/** Rounds outwards and adds a margin: an element on the edge of a tile belongs to the next one. */
const below = (degrees: number): number => (Math.floor(degrees * PARTS) - 1) / PARTS
const above = (degrees: number): number => (Math.ceil(degrees * PARTS) + 1) / PARTS

const isBox = (value: MetricValue): value is Box => typeof value === 'object' && value !== null && 'west' in value
