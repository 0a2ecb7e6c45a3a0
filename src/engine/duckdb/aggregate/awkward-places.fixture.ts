import { tileBounds } from '../../../geo/grid/tile.ts'
import type { Position } from '../../../model/geometry.ts'
import type { JsonObject } from '../../../model/json/document.ts'
import type { Mapping } from '../../../model/mapping.ts'

export const awkwardMapping: Mapping = {
  dynamic: false,
  properties: { id: { type: 'keyword' }, where: { type: 'geo_point' }, area: { type: 'geo_shape' } },
}

/** The adjacent double. */
function next(value: number, up: boolean): number {
  if (value === 0) return up ? Number.MIN_VALUE : -Number.MIN_VALUE
  const bytes = new DataView(new ArrayBuffer(8))
  bytes.setFloat64(0, value)
  bytes.setBigInt64(0, bytes.getBigInt64(0) + (up === value > 0 ? 1n : -1n))
  return bytes.getFloat64(0)
}

const beside = (value: number, end: number): readonly number[] =>
  [value, next(value, true), next(value, false), value + 1e-9, value - 1e-9].filter((v) => Math.abs(v) <= end)

const longitudes = [-180, -90, -45, -11.25, -0.3515625, 0, 1.40625, 45, 90, 135, 179.99999999, 180].flatMap((lon) =>
  beside(lon, 180),
)
const latitudes = [-90, -85.0511287798066, -45, -5.625, 0, 22.5, 45, 66.51326044311186, 85.05112877980659, 85.06, 90]
  .concat([1, 2, 3].map((row) => tileBounds(3, 0, row).north))
  .flatMap((lat) => beside(lat, 90))

/** Seeded random numbers in [0, 1). */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

/** Documents with one place, several or none on and next to cell edges, and shapes there, both large and degenerate. */
export function awkwardDocuments(): readonly JsonObject[] {
  const random = randomFrom(20)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const place = (): Position => {
    const anywhere: Position = [random() * 360 - 180, Math.asin(random() * 2 - 1) * (180 / Math.PI)]
    return random() < 0.7 ? [pick(longitudes), pick(latitudes)] : anywhere
  }
  const box = ([west = 0, south = 0]: Position): Position[] => {
    const east = Math.min(180, west + pick([1e-9, 0.5, 2.25, 11.25, 45, 100]))
    const north = Math.min(90, south + pick([1e-9, 0.5, 5.625, 22.5, 60]))
    return [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ]
  }
  const ring = (): Position[] => {
    const first = place()
    const [x = 0, y = 0] = first
    const near = (): Position => [
      Math.max(-180, Math.min(180, x + (random() - 0.5) * 40)),
      Math.max(-90, Math.min(90, y + (random() - 0.5) * 40)),
    ]
    return [first, near(), near(), near(), first]
  }
  const shapes = [
    () => ({ type: 'Point', coordinates: place() }),
    () => ({ type: 'MultiPoint', coordinates: [place(), place()] }),
    () => ({ type: 'LineString', coordinates: ring().slice(0, 3) }),
    () => ({ type: 'Polygon', coordinates: [box(place())] }),
    () => ({ type: 'Polygon', coordinates: [ring()] }),
    () => ({ type: 'MultiPolygon', coordinates: [[box(place())], [ring()]] }),
  ]
  const source = (i: number): unknown => ({
    id: `p${i}`,
    ...(i % 17 === 0 ? {} : { where: i % 5 === 0 ? [place(), place(), place()] : place() }),
    ...(i % 13 === 0 ? {} : { area: pick(shapes)() }),
  })
  return JSON.parse(JSON.stringify(Array.from({ length: 600 }, (_, i) => source(i))))
}
