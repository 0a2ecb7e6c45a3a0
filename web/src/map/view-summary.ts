import { tileBox, wrap } from './area.ts'
import type { Domain } from './colour-scale.ts'

/** A cell as a vector tile brings it. */
export interface CellProperties {
  readonly tile: string
  readonly count: number
  readonly [property: string]: unknown
}

export interface ViewBox {
  readonly west: number
  readonly south: number
  readonly east: number
  readonly north: number
}

/** What the cells in view hold. */
export interface ViewSummary {
  readonly documents: number
  readonly cells: number
  /** Of what the cells are coloured by; absent when there are none. */
  readonly domain?: Domain
}

/**
 * Adds up the cells in view. Tiles overlap at their borders and the world is repeated, so cells come several times, and
 * those of another zoom stay until theirs have come: each of the wanted zoom counts once.
 */
export function summarise(
  features: readonly CellProperties[],
  zoom: number,
  view: ViewBox,
  property: string,
): ViewSummary {
  const seen = new Set<string>()
  let documents = 0
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const cell of features) {
    if (seen.has(cell.tile) || !cell.tile.startsWith(`${zoom}/`) || !meets(cell.tile, view)) continue
    seen.add(cell.tile)
    documents += cell.count
    const value = cell[property]
    if (typeof value !== 'number') continue
    min = Math.min(min, value)
    max = Math.max(max, value)
  }
  return { documents, cells: seen.size, ...(min <= max ? { domain: { min, max } } : {}) }
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

/** Room one document needs, in pixels of the screen. */
const ROOM = 2_600
/** From here on cells are smaller than a house. */
const CLOSE = 17

/** Whether documents are few enough to be told apart; a map full of them is a blob, and one with cells is not. */
export const showsDocuments = (documents: number, pixels: number, zoom: number): boolean =>
  documents <= pixels / ROOM || zoom >= CLOSE
