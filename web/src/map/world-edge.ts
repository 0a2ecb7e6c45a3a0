/** Pixels from one side of the world to the other at zoom 0. */
const WORLD = 512

/** As far as MapLibre goes out, and as tiles go in. */
export const ZOOMS = { min: -2, max: 20 } as const

export interface Place {
  readonly lat: number
  readonly zoom: number
}

/**
 * Keeps a map on the world: it covers the shorter side of the map, and where the map is taller, all of it is seen. By
 * itself MapLibre has it cover the height, which leaves half of it beside a phone.
 */
export function holdToWorld(
  { lat, zoom }: Place,
  { width, height }: { readonly width: number; readonly height: number },
): Place {
  const farthest = Math.log2(Math.min(width, height) / WORLD)
  const held = Math.min(ZOOMS.max, Math.max(ZOOMS.min, farthest, zoom))
  // half of what of the world is above and below the map, or of the map above and below the world
  const slack = Math.abs(1 - height / (WORLD * 2 ** held)) / 2
  const row = rowOf(lat)
  const heldRow = Math.max(0.5 - slack, Math.min(0.5 + slack, row))
  return { lat: heldRow === row ? lat : latOf(heldRow), zoom: held }
}

/** Where a latitude lies in web mercator, from 0 in the north to 1 in the south. */
const rowOf = (lat: number): number => (1 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / Math.PI) / 2

const latOf = (row: number): number => (Math.atan(Math.sinh(Math.PI * (1 - 2 * row))) * 180) / Math.PI
