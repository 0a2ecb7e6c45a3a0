/** Width of the world at zoom 0. Pixels. */
const WORLD = 512

/** Minimum zoom of MapLibre, maximum zoom of the tiles. */
export const ZOOMS = { min: -2, max: 20 } as const

interface Place {
  readonly lat: number
  readonly zoom: number
}

/**
 * Limits the view to the world: it fills the shorter side of the map, and is fully visible if the map is taller.
 * MapLibre alone makes it fill the height, which hides half of it on a phone.
 */
export function holdToWorld(
  { lat, zoom }: Place,
  { width, height }: { readonly width: number; readonly height: number },
): Place {
  const farthest = Math.log2(Math.min(width, height) / WORLD)
  const held = Math.min(ZOOMS.max, Math.max(ZOOMS.min, farthest, zoom))
  // half of the overhang of the world over the map, or of the map over the world
  const slack = Math.abs(1 - height / (WORLD * 2 ** held)) / 2
  const row = rowOf(lat)
  const heldRow = Math.max(0.5 - slack, Math.min(0.5 + slack, row))
  return { lat: heldRow === row ? lat : latOf(heldRow), zoom: held }
}

/** Returns the row of a latitude in web mercator, from 0 in the north to 1 in the south. */
const rowOf = (lat: number): number => (1 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / Math.PI) / 2

const latOf = (row: number): number => (Math.atan(Math.sinh(Math.PI * (1 - 2 * row))) * 180) / Math.PI
