import fc from 'fast-check'
import type { Geometry } from '../../src/model/geometry.ts'
import type { Leaf } from './expected-cells.ts'

/** A field of every type, some with names that are invalid for columns. */
export const mapping = {
  dynamic: false,
  properties: {
    id: { type: 'keyword' },
    kw: { type: 'keyword' },
    'Größe (m²), größte': { type: 'keyword' },
    deep: { properties: { kw: { type: 'keyword' }, kwd_of_a_long_name: { type: 'keyword' } } },
    byte: { type: 'byte' },
    short: { type: 'short' },
    n: { type: 'integer' },
    long: { type: 'long' },
    x: { type: 'double' },
    float: { type: 'float' },
    flag: { type: 'boolean' },
    seen: { type: 'date' },
    day: { type: 'date', format: 'dd/MM/yyyy' },
    text: { type: 'text' },
    ip: { type: 'ip' },
    where: { type: 'geo_point' },
    area: { type: 'geo_shape' },
  },
}

export const paths = { id_path: 'id', geometry_path: 'area', centroid_path: 'where', timestamp_path: 'seen' }

/** Fields that become columns of a table. */
export const isColumn = ({ path }: Leaf): boolean => path !== paths.geometry_path

export type RandomDocument = Readonly<Record<string, unknown>> & { readonly id: string }

/** Texts with separators, quotes, line ends and other special characters of the formats. */
const piece = fc.constantFrom(
  ...['a', 'B', '0', '12', ' ', '  ', ',', ';', '"', '""', "'", '\\', '\n', '\r\n', '\t', '[1', '{', 'null', 'true'],
  ...['é', 'Ω', '東京', '\u{1f600}', 'e\u0301', '\u00a0', '%', '&', '<', '-', '1e5', '=', 'a\ufeff', '\u2028', ']]>'],
)
const short = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''))
/** Lengths around the 254 bytes of a shapefile field, with multi-byte characters at the cut. */
const long = fc
  .tuple(fc.integer({ min: 245, max: 260 }), fc.constantFrom('x', 'é', '東', '\u{1f600}'), fc.nat(40))
  .map(([start, character, more]) => 'x'.repeat(start) + character.repeat(more))
/**
 * Only as a whole text: if a text starts and ends like JSON, GDAL 3.6 shows the first JSON value in it and drops the
 * rest.
 */
const json = fc.constantFrom('[1]', '{}', '["a",2]')
const text = fc.oneof({ weight: 20, arbitrary: short }, { weight: 4, arbitrary: long }, { weight: 1, arbitrary: json })

const double = fc.oneof(
  fc.integer({ min: -1000, max: 1000 }),
  // JSON writes integers up to 1e21 without exponent, and GDAL rejects those beyond 64 bits.
  fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .map((x) => (Math.abs(x) >= 2 ** 63 && Math.abs(x) < 1e21 ? x / 1024 : x + 0)),
  fc.constantFrom(0.1, 0.30000000000000004, 1e21, 1e-7, 5e-324, -1.7976931348623157e308, 123456789012345.67),
)
/** Seven digits, the precision printed by GDAL. */
const float = fc.oneof(
  fc.integer({ min: -1e6, max: 1e6 }).map((n) => n / 1000),
  fc.constantFrom(3.4e38, -1.5e-38, 0.1),
)
const integers = (bits: number): fc.Arbitrary<number> =>
  fc.oneof(
    fc.integer({ min: -9, max: 9 }),
    fc.constantFrom(-(2 ** (bits - 1)), 2 ** (bits - 1) - 1),
    fc.integer({ min: -(2 ** (bits - 1)), max: 2 ** (bits - 1) - 1 }),
  )
const longs = fc.oneof(
  fc.maxSafeInteger(),
  fc.integer(),
  // Strings preserve numbers that JSON numbers lose.
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
)
/** Years supported by all formats. */
const instant = fc.integer({ min: Date.UTC(1000, 0), max: Date.UTC(9999, 11, 31) })
const date = fc.oneof(
  instant,
  instant.map((ms) => new Date(ms).toISOString()),
  fc.constantFrom(-1, 0, '2024-02-29', '2024-02-29T23:59:59+05:30', '1969-12-31T23:59:59.999Z'),
)
const day = fc.date({ min: new Date('1900-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }).map((value) => {
  const [year, month, dayOfMonth] = value.toISOString().slice(0, 10).split('-')
  return `${dayOfMonth}/${month}/${year}`
})
const ip = fc.constantFrom('10.0.0.1', '192.168.255.255', '::1', '2001:db8::ff00:42:8329')

/** Six decimals, because shpjs computes with the coordinates and loses the last digits. */
const ordinate = (limit: number): fc.Arbitrary<number> =>
  fc.oneof(
    fc.integer({ min: -limit, max: limit }),
    fc.integer({ min: -limit * 1e6, max: limit * 1e6 }).map((n) => n / 1e6),
  )
const position = fc.tuple(ordinate(170), ordinate(80))
const point = position.chain(([lon, lat]) =>
  fc.constantFrom<unknown>(`${lat},${lon}`, [lon, lat], { lat, lon }, { type: 'Point', coordinates: [lon, lat] }),
)

type Rings = readonly (readonly (readonly [number, number])[])[]

const rectangle = (west: number, south: number, side: number, clockwise: boolean): Rings[number] => {
  const [east, north] = [west + side, south + side]
  const ring = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ] as const
  return clockwise ? ring.toReversed() : ring
}
/** A square with or without a hole, in either direction; integer coordinates, so that sums are exact. */
const polygonAt = (west: number): fc.Arbitrary<Rings> =>
  fc
    .tuple(fc.integer({ min: -60, max: 60 }), fc.integer({ min: 3, max: 9 }), fc.boolean(), fc.boolean())
    .map(([south, side, clockwise, holed]) => {
      const exterior = rectangle(west, south, side, clockwise)
      return holed ? [exterior, rectangle(west + 1, south + 1, 1, !clockwise)] : [exterior]
    })
const polygon = fc.integer({ min: -150, max: 150 }).chain(polygonAt)
const line = fc.array(position, { minLength: 2, maxLength: 5 }).filter((l) => new Set(l.map(String)).size === l.length)

const simple: fc.Arbitrary<Geometry> = fc.oneof(
  position.map((coordinates): Geometry => ({ type: 'Point', coordinates })),
  line.map((coordinates): Geometry => ({ type: 'LineString', coordinates })),
  polygon.map((coordinates): Geometry => ({ type: 'Polygon', coordinates })),
)
const several: fc.Arbitrary<Geometry> = fc.oneof(
  fc
    .array(position, { minLength: 2, maxLength: 4 })
    .map((coordinates): Geometry => ({ type: 'MultiPoint', coordinates })),
  fc
    .array(line, { minLength: 2, maxLength: 3 })
    .map((coordinates): Geometry => ({ type: 'MultiLineString', coordinates })),
  fc.tuple(polygonAt(-50), polygonAt(-30), polygonAt(10)).map(
    (coordinates): Geometry => ({
      type: 'MultiPolygon',
      coordinates,
    }),
  ),
  fc.array(simple, { minLength: 1, maxLength: 3 }).map(
    (geometries): Geometry => ({
      type: 'GeometryCollection',
      geometries,
    }),
  ),
)
const geometry = fc.oneof({ weight: 2, arbitrary: simple }, { weight: 1, arbitrary: several })

/** Often one value, sometimes none in one of three ways, or several. */
const values = (one: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 6, arbitrary: one },
    { weight: 2, arbitrary: fc.constantFrom(undefined, null, []) },
    { weight: 1, arbitrary: fc.array(one, { minLength: 1, maxLength: 3 }) },
  )
/** One value or none, so that the column keeps its type. */
const single = (one: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> => fc.option(one, { nil: undefined, freq: 5 })

const document = (alone: boolean): fc.Arbitrary<Readonly<Record<string, unknown>>> => {
  const some = alone ? single : values
  return fc.record({
    kw: some(text),
    'Größe (m²), größte': some(short),
    deep: fc.record({ kw: some(short), kwd_of_a_long_name: some(short) }),
    byte: some(integers(8)),
    short: some(integers(16)),
    n: some(integers(32)),
    long: some(longs),
    x: some(double),
    float: some(float),
    flag: some(fc.boolean()),
    seen: some(date),
    day: some(day),
    text: some(text),
    ip: some(ip),
    where: some(point),
    area: single(geometry),
  })
}

/** Documents with at most one value per field, or with occasional lists. */
export const randomDocuments: fc.Arbitrary<readonly RandomDocument[]> = fc
  .boolean()
  .chain((alone) => fc.array(document(alone), { minLength: 1, maxLength: 25 }))
  .map((list) => list.map((members, i) => ({ id: `${['d', 'd,', 'D"', 'é;'][i % 4]}${i}`, ...members })))
