import fc from 'fast-check'
import { type Position, pointRegion, type Region, type Ring, rectangle, signedArea } from './geometry.ts'

/** The mapping of the random documents. */
export const mapping = {
  dynamic: false,
  properties: {
    id: { type: 'keyword' },
    kw: { type: 'keyword' },
    deep: { properties: { kw: { type: 'keyword' } } },
    n: { type: 'integer' },
    x: { type: 'double' },
    flag: { type: 'boolean' },
    seen: { type: 'date' },
    text: { type: 'text' },
    where: { type: 'geo_point' },
    area: { type: 'geo_shape' },
  },
}

export const collection = { id_path: 'id', geometry_path: 'area', centroid_path: 'where', timestamp_path: 'seen' }

/** A document as it is sent, with its values by the rules of the specification. */
export interface RandomDocument {
  readonly id: string
  readonly wire: Readonly<Record<string, unknown>>
  readonly kw: readonly string[]
  readonly deep: readonly string[]
  readonly n: readonly number[]
  readonly x: readonly number[]
  readonly flag: readonly boolean[]
  readonly seen: readonly number[]
  readonly text: readonly string[]
  readonly where: readonly Position[]
  readonly area: readonly Region[]
}

/** A value of a field and one of its representations. */
export interface Written<T> {
  readonly value: T
  readonly wire: unknown
}

export const plain = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<Written<T>> =>
  arbitrary.map((value) => ({ value, wire: value }))

/** Separators, escapes and supplementary characters, in a small set of values so that documents share them. */
export const keyword: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('a', 'b', 'A', 'ab', 'abc', 'Ab', '1', '-1', '2.5') },
  { weight: 2, arbitrary: fc.constantFrom('a,b', 'a;b', 'a:b', '\\N', 'a\\b', ',', 'a b', '\\,x', '"', "'", '%', 'é') },
  {
    weight: 1,
    arbitrary: fc.constantFrom('\uffff', '\u{1f600}', '東京', 'e\u0301', '\t', ' a', '<', '[a<b]', '*', '_'),
  },
)

const words = ['alpha', 'Alphabet', 'beta', 'été', 'x_1', 'ab12', '東京', 'alp', 'b', '12', 'ÉTÉ'] as const
export const word: fc.Arbitrary<string> = fc.constantFrom(...words)
const text = fc
  .array(fc.tuple(word, fc.constantFrom(' ', '-', ' / ', '\n')), { maxLength: 5 })
  .map((parts) => parts.flat().join(''))

export const integer = fc.integer({ min: -4, max: 4 })
export const decimal = fc.oneof(integer, fc.constantFrom(0.5, -1.5, 0.1, 1e-7, 1e21, -0.30000000000000004))

/** Days around a leap day and the turn of the year, on and next to the boundaries of units. */
export const instant: fc.Arbitrary<number> = fc
  .tuple(
    fc.constantFrom(Date.UTC(2024, 1, 28), Date.UTC(2023, 11, 30), Date.UTC(1969, 11, 31), Date.UTC(2024, 0, 1)),
    fc.integer({ min: 0, max: 3 }),
    fc.constantFrom(0, 1, -1, 3_600_000, 12 * 3_600_000 + 30_500),
  )
  .map(([day, days, ms]) => day + days * 86_400_000 + ms)

const date: fc.Arbitrary<Written<number>> = fc
  .tuple(instant, fc.boolean())
  .map(([value, asText]) => ({ value, wire: asText ? new Date(value).toISOString() : value }))

export const position: fc.Arbitrary<Position> = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(fc.integer({ min: -8, max: 8 }), fc.integer({ min: -6, max: 6 })) },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom(-180, 180, -178, 178), fc.integer({ min: -6, max: 6 })) },
)

const point: fc.Arbitrary<Written<Position>> = fc
  .tuple(position, fc.integer({ min: 0, max: 4 }))
  .map(([[lon, lat], form]) => {
    const forms = [
      `${lat},${lon}`,
      [lon, lat],
      { lat, lon },
      { type: 'Point', coordinates: [lon, lat] },
      `POINT (${lon} ${lat})`,
    ]
    return { value: [lon, lat], wire: forms[form] }
  })

export const wktRing = (ring: readonly Position[]): string => `(${ring.map(([x, y]) => `${x} ${y}`).join(', ')})`
const closed = (ring: readonly Position[]): Ring => (ring[0] === undefined ? [] : [...ring, ring[0]])

export const rectangleRing: fc.Arbitrary<Ring> = fc
  .tuple(position, fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 5 }))
  .map(([[x, y], w, h]) => {
    const west = Math.min(x, 180 - w)
    return rectangle(west, y, west + w, y + h)
  })

export const triangleRing: fc.Arbitrary<Ring> = fc
  .tuple(position, position, position)
  .filter((corners) => signedArea(closed(corners)) !== 0 && Math.max(...corners.map((c) => Math.abs(c[0]))) < 100)
  .map(closed)

/** A rectangle with a smaller one inside. */
export const holedRings: fc.Arbitrary<readonly [Ring, Ring]> = fc
  .tuple(fc.integer({ min: -7, max: 3 }), fc.integer({ min: -5, max: 1 }), fc.integer({ min: 3, max: 6 }))
  .map(([x, y, size]) => [rectangle(x, y, x + size, y + size), rectangle(x + 1, y + 1, x + size - 1, y + size - 1)])

const line: fc.Arbitrary<readonly Position[]> = fc
  .array(position, { minLength: 2, maxLength: 4 })
  .map((l) => l.filter((p, i) => i === 0 || p[0] !== l[i - 1]?.[0] || p[1] !== l[i - 1]?.[1]))
  .filter((l) => l.length > 1 && Math.max(...l.map((p) => Math.abs(p[0]))) < 100)
export const lineString = line

const shape: fc.Arbitrary<Written<Region>> = fc
  .tuple(
    fc.oneof(
      position.map((p) => ({ region: pointRegion(p), type: 'Point', coordinates: p, text: `POINT (${p[0]} ${p[1]})` })),
      line.map((l) => ({
        region: { polygons: [], lines: [l], points: [] },
        type: 'LineString',
        coordinates: l,
        text: `LINESTRING ${wktRing(l)}`,
      })),
      fc.oneof(rectangleRing, triangleRing).map((r) => ({
        region: { polygons: [[r]], lines: [], points: [] },
        type: 'Polygon',
        coordinates: [r],
        text: `POLYGON (${wktRing(r)})`,
      })),
      holedRings.map((rings) => ({
        region: { polygons: [rings], lines: [], points: [] },
        type: 'Polygon',
        coordinates: rings,
        text: `POLYGON (${rings.map(wktRing).join(', ')})`,
      })),
    ),
    fc.boolean(),
  )
  .map(([{ region, type, coordinates, text: wkt }, asText]) => ({
    value: region,
    wire: asText ? wkt : { type, coordinates },
  }))

/** No value (in one of three ways), one value, or several. */
export function values<T>(written: fc.Arbitrary<Written<T>>): fc.Arbitrary<{ values: readonly T[]; wire: unknown }> {
  return fc.oneof(
    { weight: 1, arbitrary: fc.constantFrom(undefined, null, []).map((wire) => ({ values: [], wire })) },
    { weight: 3, arbitrary: written.map((w) => ({ values: [w.value], wire: w.wire })) },
    {
      weight: 1,
      arbitrary: fc.array(written, { minLength: 1, maxLength: 3 }).map((list) => ({
        values: list.map((w) => w.value),
        wire: list.map((w) => w.wire),
      })),
    },
  )
}

/** Returns the id of the n-th document, with separators and escapes. */
export const idOf = (n: number): string => `${['d', 'd,', 'D\\', 'é;'][n % 4]}${n}`

/** Returns the same content with the id of the n-th document. */
export function renumbered<D extends RandomDocument>(document: D, n: number): D {
  const id = idOf(n)
  return { ...document, id, wire: { ...document.wire, id } }
}

/** Random documents with distinct ids. */
export function documents(count: number): fc.Arbitrary<readonly RandomDocument[]> {
  const one = fc.record({
    kw: values(plain(keyword)),
    deep: values(plain(keyword)),
    n: values(plain(integer)),
    x: values(plain(decimal)),
    flag: values(plain(fc.boolean())),
    seen: values(date),
    text: values(plain(text)),
    where: values(point),
    area: values(shape),
  })
  return fc.array(one, { minLength: count, maxLength: count }).map((list) =>
    list.map((d, i): RandomDocument => {
      const id = idOf(i)
      const { deep, ...members } = d
      const wire = Object.fromEntries(Object.entries(members).map(([k, v]) => [k, v.wire]))
      return {
        id,
        wire: JSON.parse(JSON.stringify({ id, ...wire, deep: { kw: deep.wire } })),
        kw: d.kw.values,
        deep: deep.values,
        n: d.n.values,
        x: d.x.values,
        flag: d.flag.values,
        seen: d.seen.values,
        text: d.text.values,
        where: d.where.values,
        area: d.area.values,
      }
    }),
  )
}
