import { tileBox, wrap } from './area.ts'
import type { Domain } from './colour-scale.ts'

/** Properties of a cell in a vector tile. */
export interface CellProperties {
  readonly tile: string
  readonly count: number
  readonly [property: string]: unknown
}

interface ViewBox {
  readonly west: number
  readonly south: number
  readonly east: number
  readonly north: number
}

/** Totals of the cells in view. */
export interface ViewSummary {
  readonly documents: number
  readonly cells: number
  /** Range of the values used for colouring; absent if none. */
  readonly domain?: Domain
  /** Sorted values used for colouring. */
  readonly values: readonly number[]
}

/**
 * Sums the cells in view. Tiles overlap at their borders, the world repeats, and cells of the previous zoom stay until
 * the new ones arrive. So only cells of the wanted zoom count, each once.
 */
export function summarise(
  features: readonly CellProperties[],
  zoom: number,
  view: ViewBox,
  property: string,
): ViewSummary {
  const seen = new Set<string>()
  let documents = 0
  const found: number[] = []
  for (const cell of features) {
    if (seen.has(cell.tile) || !cell.tile.startsWith(`${zoom}/`) || !meets(cell.tile, view)) continue
    seen.add(cell.tile)
    documents += cell.count
    const value = cell[property]
    if (typeof value === 'number') found.push(value)
  }
  const values = found.sort((a, b) => a - b)
  const [min, max] = [values[0], values.at(-1)]
  const domain = min === undefined || max === undefined ? {} : { domain: { min, max } }
  return { documents, cells: seen.size, values, ...domain }
}

function meets(tile: string, view: ViewBox): boolean {
  const box = tileBox(tile)
  if (box === undefined || box.south > view.north || box.north < view.south) return false
  if (view.east - view.west >= 360) return true
  const start = wrap(view.west)
  const width = view.east - view.west
  const offset = (((box.west - start) % 360) + 360) % 360
  return offset <= width || offset + (box.east - box.west) >= 360
}

/** Screen area needed per document. Square pixels. */
const ROOM = 2_600
/** Zoom at which cells are smaller than a house. */
const CLOSE = 17

/** True if documents are few enough to be distinguishable as points; otherwise cells are shown. */
export const showsDocuments = (documents: number, pixels: number, zoom: number): boolean =>
  documents <= pixels / ROOM || zoom >= CLOSE
