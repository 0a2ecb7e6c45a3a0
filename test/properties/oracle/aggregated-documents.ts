import fc from 'fast-check'
import { mapping as base, documents, plain, type RandomDocument, values, type Written } from './documents.ts'
import { lineRegion, type Position, pointRegion, polygonRegion, type Region, rectangle } from './geometry.ts'

/** The fields of the random documents, plus one of every type that buckets and metrics treat differently. */
export const mapping = {
  dynamic: false,
  properties: {
    ...base.properties,
    big: { type: 'long' },
    half: { type: 'float' },
    ip: { type: 'ip' },
    day: { type: 'date', format: 'dd/MM/yyyy' },
    at: { type: 'date', format: 'epoch_second' },
    spot: { type: 'geo_point' },
  },
}

/** Returns a closed axis-parallel rectangle; a line if one side has length zero, a point if both have. */
export interface UprightBox {
  readonly west: number
  readonly south: number
  readonly east: number
  readonly north: number
}

/** A document with its values by the rules of the specification; its shapes are axis-parallel boxes. */
export interface AggregatedDocument extends RandomDocument {
  readonly big: readonly number[]
  readonly half: readonly number[]
  readonly ip: readonly string[]
  readonly day: readonly number[]
  readonly at: readonly number[]
  readonly spot: readonly Position[]
  readonly boxes: readonly UprightBox[]
}

const DAY = 86_400_000

const big = fc.constantFrom(0, 1, -1, 7, 2 ** 40, -(2 ** 40), 2 ** 33 + 1)
/** Numbers that are exact in 32 bits. */
const half = fc.constantFrom(0.5, -0.25, 1.75, 3, -2, 8.125)
/** The order of the texts equals the order of the addresses. */
const ip = fc.constantFrom('10.0.0.1', '10.0.0.2', '192.168.1.1', '2001:db8::1')

const day: fc.Arbitrary<Written<number>> = fc.integer({ min: -40, max: 400 }).map((n) => {
  const value = Date.UTC(2023, 10, 1) + n * DAY
  const [year, month, date] = new Date(value).toISOString().slice(0, 10).split('-')
  return { value, wire: `${date}/${month}/${year}` }
})

/** Both sides of the epoch, within a few hours. */
const at: fc.Arbitrary<Written<number>> = fc
  .oneof(fc.integer({ min: -7_300, max: 7_300 }), fc.constantFrom(0, -1, 1, 60, -60, 3_600, -3_600, 7_200))
  .map((seconds) => ({ value: seconds * 1_000, wire: seconds }))

const rounded = (min: number, max: number): fc.Arbitrary<number> =>
  fc.double({ min, max, noNaN: true }).map((v) => Math.round(v * 1e6) / 1e6 + 0)

/** Cell edges, the antimeridian, whole degrees, and arbitrary values. */
const longitude = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: -8, max: 8 }) },
  { weight: 2, arbitrary: fc.constantFrom(-180, 180, 0, 90, -90, 45, 22.5, 11.25, -5.625, 1.40625, 179.999999) },
  { weight: 1, arbitrary: rounded(-180, 180) },
)
const latitude = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: -6, max: 6 }) },
  { weight: 2, arbitrary: fc.constantFrom(0, 90, -90, 45, -45, 5.625, -22.5, 85, 85.06, -85.06, 1.40625) },
  { weight: 1, arbitrary: rounded(-90, 90) },
)
export const place: fc.Arbitrary<Position> = fc.tuple(longitude, latitude)

const point: fc.Arbitrary<Written<Position>> = fc
  .tuple(place, fc.integer({ min: 0, max: 4 }))
  .map(([[lon, lat], form]) => {
    const geojson = { type: 'Point', coordinates: [lon, lat] }
    const forms = [`${lat},${lon}`, [lon, lat], { lat, lon }, geojson, `POINT (${lon} ${lat})`]
    return { value: [lon, lat], wire: forms[form] }
  })

const side = fc.constantFrom(0, 0, 0.5, 1, 2.25, 5.625, 11.25)

const upright: fc.Arbitrary<UprightBox> = fc.tuple(place, side, side).map(([[lon, lat], width, height]) => {
  const [west, south] = [Math.min(lon, 180 - width), Math.min(lat, 90 - height)]
  return { west, south, east: west + width, north: south + height }
})

/** Returns the GeoJSON of a box, with the dimension of the box. */
export function boxGeometry({ west, south, east, north }: UprightBox): { type: string; coordinates: unknown } {
  if (west < east && south < north) return { type: 'Polygon', coordinates: [rectangle(west, south, east, north)] }
  if (west === east && south === north) return { type: 'Point', coordinates: [west, south] }
  const line = [
    [west, south],
    [east, north],
  ]
  return { type: 'LineString', coordinates: line }
}

function boxRegion({ west, south, east, north }: UprightBox): Region {
  if (west < east && south < north) return polygonRegion(rectangle(west, south, east, north))
  if (west === east && south === north) return pointRegion([west, south])
  return lineRegion([
    [west, south],
    [east, north],
  ])
}

function boxWkt({ west, south, east, north }: UprightBox): string {
  if (west < east && south < north) {
    const ring = rectangle(west, south, east, north).map(([x, y]) => `${x} ${y}`)
    return `POLYGON ((${ring.join(', ')}))`
  }
  return west === east && south === north
    ? `POINT (${west} ${south})`
    : `LINESTRING (${west} ${south}, ${east} ${north})`
}

const shape: fc.Arbitrary<Written<UprightBox>> = fc
  .tuple(upright, fc.boolean())
  .map(([box, asText]) => ({ value: box, wire: asText ? boxWkt(box) : boxGeometry(box) }))

/** Random documents with distinct ids. */
export function aggregatedDocuments(count: number): fc.Arbitrary<readonly AggregatedDocument[]> {
  const more = fc.record({
    big: values(plain(big)),
    half: values(plain(half)),
    ip: values(plain(ip)),
    day: values(day),
    at: values(at),
    where: values(point),
    spot: values(point),
    area: values(shape),
  })
  return fc.tuple(documents(count), fc.array(more, { minLength: count, maxLength: count })).map(([plainOnes, list]) =>
    plainOnes.flatMap((document, i): AggregatedDocument[] => {
      const added = list[i]
      if (added === undefined) return []
      const wire = Object.fromEntries(Object.entries(added).map(([k, v]) => [k, v.wire]))
      return [
        {
          ...document,
          wire: JSON.parse(JSON.stringify({ ...document.wire, ...wire })),
          big: added.big.values,
          half: added.half.values,
          ip: added.ip.values,
          day: added.day.values,
          at: added.at.values,
          where: added.where.values,
          spot: added.spot.values,
          area: added.area.values.map(boxRegion),
          boxes: added.area.values,
        },
      ]
    }),
  )
}
