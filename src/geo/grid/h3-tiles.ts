import { getHexagonEdgeLengthAvg, UNITS } from 'h3-js'

/** Beyond it tiles are much smaller than near the equator, and cells reach across many of them. */
export const H3_TILES_LATITUDE = 80
/** Tiles of which points of one cell can lie, at the zoom below. */
export const MOST_TILES_OF_CELL = 4

const EQUATOR_KM = 40_075
const RADIANS = Math.PI / 180
/** Of the widest cells, in edges of the average one: sides differ by a third, and a cell is two of them wide. */
const WIDEST = 2.8
const DEEPEST_ZOOM = 29

/**
 * The deepest zoom whose tiles are, up to that latitude, no smaller than the H3 cells of a resolution: points in n tiles
 * are in a quarter of n cells at least. Counting tiles takes the database a fraction of the time of finding cells.
 */
export function tileZoomOfH3(resolution: number): number {
  const narrowest = EQUATOR_KM * Math.cos(H3_TILES_LATITUDE * RADIANS)
  const widest = WIDEST * getHexagonEdgeLengthAvg(resolution, UNITS.km)
  return Math.min(DEEPEST_ZOOM, Math.max(0, Math.floor(Math.log2(narrowest / widest))))
}
