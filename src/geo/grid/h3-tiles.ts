import { getHexagonEdgeLengthAvg, UNITS } from 'h3-js'

/** Degrees. Beyond it tiles are much smaller than near the equator, and a cell covers many of them. */
export const H3_TILES_LATITUDE = 80
/** Maximum number of tiles that one cell intersects, at the zoom below. */
export const MOST_TILES_OF_CELL = 4

const EQUATOR_KM = 40_075
const RADIANS = Math.PI / 180
/** Width of the widest cells, in average edge lengths: sides differ by a third, and a cell is two sides wide. */
const WIDEST = 2.8
const DEEPEST_ZOOM = 29

/**
 * Returns the deepest zoom whose tiles are, up to that latitude, no smaller than the H3 cells of a resolution: points
 * in n tiles lie in at least n/4 cells. Counting tiles in the database is much faster than computing cells.
 */
export function tileZoomOfH3(resolution: number): number {
  const narrowest = EQUATOR_KM * Math.cos(H3_TILES_LATITUDE * RADIANS)
  const widest = WIDEST * getHexagonEdgeLengthAvg(resolution, UNITS.km)
  return Math.min(DEEPEST_ZOOM, Math.max(0, Math.floor(Math.log2(narrowest / widest))))
}
