import { documentReaderOf } from '../../collections/open-collection.ts'
import { MARGIN_PIXELS, TILE_PIXELS, TileDrawing } from '../../formats/tile/draw-elements.ts'
import type { TilePlace } from '../../formats/tile/tile-projection.ts'
import type { Search } from '../../model/search.ts'
import { streamPage } from '../document-stream.ts'
import { planSearch } from '../find-documents.ts'
import type { Operation } from '../operation.ts'
import { elementsIn, enlargedBox } from './tile-selection.ts'

interface DrawingOptions {
  readonly tile: TilePlace
  readonly color: string
}

/** Draws the matching elements on a tile; undefined if none match (spec 6.2 of files). */
export async function drawTile(
  request: Search,
  operation: Operation,
  { tile, color }: DrawingOptions,
): Promise<Buffer | undefined> {
  const { collection, engine, signal } = operation
  // Include elements outside the tile whose disc or line reaches into it.
  const box = enlargedBox(tile, MARGIN_PIXELS / TILE_PIXELS)
  const { plan } = planSearch(request, operation, { wantsTotal: false, also: () => elementsIn(collection, [box]) })
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
