/** A position on the map: longitudes beyond 180 are on another copy of the world. */
export type Position = readonly [lng: number, lat: number]

const round = (value: number): number => Number(value.toFixed(5))
const clampLat = (lat: number): number => Math.max(-90, Math.min(90, lat))

/** Wraps a longitude to -180 to 180. */
export const wrap = (lng: number): number =>
  lng >= -180 && lng <= 180 ? lng : ((((lng + 180) % 360) + 360) % 360) - 180

/** Returns the `within` value of a box drawn between two corners; undefined if it has no area. */
export function boxValue(a: Position, b: Position): string | undefined {
  const [west, east] = [Math.min(a[0], b[0]), Math.max(a[0], b[0])]
  const [south, north] = [round(clampLat(Math.min(a[1], b[1]))), round(clampLat(Math.max(a[1], b[1])))]
  if (!(north > south) || !(east > west)) return undefined
  const [left, right] = east - west >= 360 ? [-180, 180] : [round(wrap(west)), round(wrap(east))]
  return [left, south, right, north].join(',')
}

/** Returns the WKT of a drawn polygon, counter-clockwise as the server expects; undefined if it has no area. */
export function polygonValue(corners: readonly Position[]): string | undefined {
  const ring = corners.map(([lng, lat]): Position => [round(lng), round(clampLat(lat))])
  const distinct = ring.filter(([lng, lat], i) => {
    const before = ring[i === 0 ? ring.length - 1 : i - 1]
    return before === undefined || before[0] !== lng || before[1] !== lat
  })
  const area = signedArea(distinct)
  if (distinct.length < 3 || area === 0) return undefined
  const turned = area > 0 ? distinct : distinct.toReversed()
  const closed = [...turned, ...turned.slice(0, 1)]
  return `POLYGON((${closed.map(([lng, lat]) => `${lng} ${lat}`).join(',')}))`
}

/** Twice the area, positive if counter-clockwise. */
export const signedArea = (ring: readonly Position[]): number =>
  ring.reduce((sum, [x, y], i) => {
    const [nextX, nextY] = ring[(i + 1) % ring.length] ?? [x, y]
    return sum + x * nextY - nextX * y
  }, 0)

/** Returns the outlines of an area value for drawing; empty if it is neither box nor polygon. */
export function outlinesOf(value: string): readonly (readonly Position[])[] {
  const box = value.split(',').map(Number)
  if (box.length === 4 && box.every(Number.isFinite)) {
    const [west = 0, south = 0, right = 0, north = 0] = box
    const east = right < west ? right + 360 : right
    return [
      [
        [west, south],
        [east, south],
        [east, north],
        [west, north],
        [west, south],
      ],
    ]
  }
  if (!/^\s*(MULTI)?POLYGON/i.test(value)) return []
  return [...value.matchAll(/\(([^()]+)\)/g)].map(([, ring = '']) =>
    ring.split(',').map((pair): Position => {
      const [lng = 0, lat = 0] = pair.trim().split(/\s+/).map(Number)
      return [lng, lat]
    }),
  )
}

export interface Box {
  readonly west: number
  readonly south: number
  readonly east: number
  readonly north: number
}

/** Returns the bounding box of a geometry. */
export function boxAround(coordinates: unknown): Box | undefined {
  const positions: Position[] = []
  const collect = (value: unknown): void => {
    if (!Array.isArray(value)) return
    const [lng, lat] = value as unknown[]
    if (typeof lng === 'number' && typeof lat === 'number') positions.push([lng, lat])
    else for (const item of value) collect(item)
  }
  collect(coordinates)
  if (positions.length === 0) return undefined
  const lngs = positions.map(([lng]) => lng)
  const lats = positions.map(([, lat]) => lat)
  return { west: Math.min(...lngs), south: Math.min(...lats), east: Math.max(...lngs), north: Math.max(...lats) }
}

/** Returns the box of a web-mercator tile `z/x/y`. */
export function tileBox(name: string): Box | undefined {
  const [z = Number.NaN, x = 0, y = 0] = name.split('/').map(Number)
  if (!Number.isFinite(z)) return undefined
  const n = 2 ** z
  const lat = (row: number): number => (Math.atan(Math.sinh(Math.PI * (1 - (2 * row) / n))) * 180) / Math.PI
  return { west: (x / n) * 360 - 180, east: ((x + 1) / n) * 360 - 180, north: lat(y), south: lat(y + 1) }
}

/**
 * Continues a ring that crosses the antimeridian beyond 180 degrees, instead of drawing it across the whole map. Leaves
 * a ring around a pole unchanged.
 */
export function unwrapRing(ring: readonly Position[]): readonly Position[] {
  let shift = 0
  const unwrapped = ring.map(([lng, lat], i): Position => {
    const step = lng - (ring[i - 1]?.[0] ?? lng)
    if (step > 180) shift -= 360
    else if (step < -180) shift += 360
    return [lng + shift, lat]
  })
  return shift === 0 ? unwrapped : ring
}
