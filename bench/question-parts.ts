/** Returns a filter parameter of Periplus. */
export const f = (field: string, op: string, value: string): string =>
  `f=${encodeURIComponent(`${field}:${op}:${value}`)}`

/** Returns an OpenSearch query with filters. */
export const filtered = (...filter: object[]): object => ({ query: { bool: { filter } } })

export const bounds = (t: Tile): object => ({ geo_bounding_box: { location: corners(t) } })

function corners({ z, x, y }: Tile): object {
  const n = 2 ** z
  const lon = (column: number): number => (column / n) * 360 - 180
  const lat = (row: number): number => (Math.atan(Math.sinh(Math.PI * (1 - (2 * row) / n))) * 180) / Math.PI
  return { top_left: { lon: lon(x), lat: lat(y) }, bottom_right: { lon: lon(x + 1), lat: lat(y + 1) } }
}

export interface Tile {
  readonly z: number
  readonly x: number
  readonly y: number
}
