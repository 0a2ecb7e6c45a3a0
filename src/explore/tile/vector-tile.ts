import { BUFFER, EXTENT } from '../../formats/mvt/tile-geometry.ts'
import { encodeTile, type TileValue, VectorLayer } from '../../formats/mvt/vector-layer.ts'
import type { TilePlace } from '../../formats/tile/tile-projection.ts'
import type { Search } from '../../model/search.ts'
import { streamPage } from '../document-stream.ts'
import { type PlannedSearch, planSearch } from '../find-documents.ts'
import type { Operation } from '../operation.ts'
import { type CellOptions, cellInterval, cellLayer } from './cell-layer.ts'
import { hitLayer } from './hit-layer.ts'
import { elementsIn, wrappedBoxes } from './tile-selection.ts'

export const layerNames = ['hits', 'cells', 'meta'] as const
export type LayerName = (typeof layerNames)[number]

export interface VectorTileRequest {
  readonly search: Search
  readonly layers: readonly LayerName[]
  readonly cells: CellOptions
}

interface ShownHits {
  readonly layer: VectorLayer
  /** Documents of the layer, including those too thin to be visible. */
  readonly documents: number
}

/** Returns a vector tile of the matching documents; undefined if all requested layers are empty. */
export async function makeVectorTile(
  request: VectorTileRequest,
  operation: Operation,
  tile: TilePlace,
): Promise<Buffer | undefined> {
  const { search, layers, cells } = request
  const planned = planTile(search, operation, tile)
  const wants = (name: LayerName): boolean => layers.includes(name)
  const hits = wants('hits') ? await showHits(search, planned, operation, tile) : undefined
  const grid = wants('cells') ? await cellLayer(search.filter, operation, tile, cells) : undefined
  const meta = wants('meta')
    ? describeTile({
        collection: operation.collection.reference.collection_name,
        ...(await countTile(planned, hits, operation)),
        ...(grid === undefined ? {} : { cells: grid.size, interval: cellInterval(tile, cells) }),
      })
    : undefined
  return encodeTile([hits?.layer, grid, meta].filter((layer) => layer !== undefined))
}

function planTile(search: Search, operation: Operation, tile: TilePlace): PlannedSearch {
  const boxes = wrappedBoxes(tile, BUFFER / EXTENT)
  return planSearch(search, operation, { wantsTotal: false, also: () => elementsIn(operation.collection, boxes) })
}

async function showHits(
  { projection }: Search,
  planned: PlannedSearch,
  { collection, engine, signal }: Operation,
  tile: TilePlace,
): Promise<ShownHits> {
  const options = { tile, projection: planned.projection, include: projection?.includes }
  const { layer, add } = hitLayer(collection, options)
  let documents = 0
  for await (const batch of streamPage(engine, planned.plan, signal)) {
    documents += batch.length
    for (const document of batch) add(document)
  }
  return { layer, documents }
}

/** A page that is not full contains all documents; otherwise they are counted. */
async function countTile(
  { plan }: PlannedSearch,
  hits: ShownHits | undefined,
  { engine, signal }: Operation,
): Promise<Record<string, TileValue>> {
  const isFirst = plan.from === 0 && plan.cursor === undefined
  const isWhole = hits !== undefined && isFirst && hits.documents < plan.size
  const { indices, predicate } = plan
  const total = isWhole ? hits.documents : await engine.count({ indices, predicate }, signal)
  return { total, ...(hits === undefined ? {} : { hits: hits.documents, truncated: hits.documents < total }) }
}

/** One feature with the square of the tile. */
function describeTile(properties: Readonly<Record<string, TileValue>>): VectorLayer {
  const layer = new VectorLayer('meta')
  const corners = [
    [0, 0],
    [EXTENT, 0],
    [EXTENT, EXTENT],
    [0, EXTENT],
    [0, 0],
  ]
  layer.add({ kind: 'polygons', polygons: [[corners]] }, properties)
  return layer
}
