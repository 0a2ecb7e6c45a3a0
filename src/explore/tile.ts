import { problem } from '../errors.ts'
import { MARGIN_PIXELS, TILE_PIXELS, TileDrawing } from '../formats/tile/draw-elements.ts'
import type { TilePlace } from '../formats/tile/tile-projection.ts'
import type { Box } from '../geo/area.ts'
import { tileBounds } from '../geo/tile.ts'
import type { Search } from '../model/search.ts'
import type { Field } from '../query/field.ts'
import { isGeo } from '../query/field.ts'
import { and, not, nothing, or, type Predicate } from '../query/predicate.ts'
import { documentReaderOf } from './collection-reader.ts'
import { streamPage } from './document-stream.ts'
import { planSearch } from './find-documents.ts'
import type { OpenCollection } from './open-collection.ts'
import type { Operation } from './operation.ts'

export interface DrawingOptions {
  readonly tile: TilePlace
  readonly color: string
}

/** The matching elements drawn on a tile; undefined when there is none (spec 6.2 of files). */
export async function drawTile(
  request: Search,
  operation: Operation,
  { tile, color }: DrawingOptions,
): Promise<Buffer | undefined> {
  const { collection, engine, signal } = operation
  const box = enlargedBox(tile)
  const { plan } = planSearch(request, operation, { wantsTotal: false, also: () => drawnPredicate(collection, box) })
  const reader = documentReaderOf(collection)
  const drawing = new TileDrawing(tile, color)
  let elements = 0
  for await (const documents of streamPage(engine, plan, signal)) {
    for (const { source } of documents) {
      const geometry = reader.geometry(source) ?? reader.centroid(source)
      if (geometry === undefined) continue
      elements++
      drawing.add(geometry)
    }
  }
  return elements === 0 ? undefined : drawing.toPng()
}

/** Documents whose geometry, or else whose centroid, meets the box. */
function drawnPredicate(collection: OpenCollection, box: Box): Predicate {
  const { geometry_path, centroid_path } = collection.reference.params
  const geometry = placeField(collection, geometry_path)
  const centroid = placeField(collection, centroid_path)
  const byCentroid = centroid === undefined ? nothing : meets(centroid, box)
  if (geometry === undefined) return byCentroid
  return or([meets(geometry, box), and([not({ kind: 'exists', field: geometry }), byCentroid])])
}

/** A field of the collection that places can be looked up in; undefined when there is none under the path. */
export function placeField({ schema }: OpenCollection, path: string): Field | undefined {
  const field = schema.lookup(path)
  if (field === undefined) return undefined
  if (isGeo(field.type) && field.indexed && !field.nested) return field
  const reason = `must be an indexed GEO_POINT or GEO_SHAPE field for tiles, and ${path} is not one`
  throw problem('INVALID_PARAMETER', { parameter: 'geometry_path', reason })
}

export const meets = (field: Field, box: Box): Predicate => ({
  kind: 'geo',
  field,
  relation: 'intersects',
  area: { boxes: [box], polygons: [], lines: [], points: [] },
})

/** What a disc or a line beyond the edge can still be seen of. */
function enlargedBox({ z, x, y }: TilePlace): Box {
  const margin = MARGIN_PIXELS / TILE_PIXELS
  const { west, north } = tileBounds(z, x - margin, y - margin)
  const { east, south } = tileBounds(z, x + margin, y + margin)
  return { west: Math.max(west, -180), south, east: Math.min(east, 180), north }
}
