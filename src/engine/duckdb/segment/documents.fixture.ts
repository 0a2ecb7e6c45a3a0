import fc from 'fast-check'
import type { JsonObject } from '../../../model/json/document.ts'
import type { Mapping, MappingField } from '../../../model/mapping.ts'

/** A mapping with fields of all types that have columns. The clustering field is `place`. */
export const mappingOfAll: Mapping = {
  properties: {
    kind: { type: 'keyword' },
    name: { type: 'keyword' },
    address: { type: 'ip' },
    text: { type: 'text' },
    long: { type: 'long' },
    integer: { type: 'integer' },
    short: { type: 'short' },
    byte: { type: 'byte' },
    double: { type: 'double' },
    float: { type: 'float' },
    at: { type: 'date' },
    changed: { type: 'date' },
    flag: { type: 'boolean' },
    place: { type: 'geo_point' },
    area: { type: 'geo_shape' },
  },
}

const without = (name: string, { properties }: Mapping): Mapping => ({
  properties: Object.fromEntries(Object.entries<MappingField>(properties).filter(([key]) => key !== name)),
})

/** Mappings whose clustering field is a point, a shape or missing. */
export const mappings: fc.Arbitrary<Mapping> = fc.constantFrom(
  mappingOfAll,
  without('place', mappingOfAll),
  without('area', without('place', mappingOfAll)),
)

/** Few terms that occur often: astral characters, U+FFFD for half of one, separators of several values. */
const word = fc.constantFrom(
  '',
  'a',
  'b',
  'ab',
  'é',
  '\u{1f600}',
  '\uffff',
  '\ud800',
  'a\u001fb',
  '\u001e0',
  'z'.repeat(300),
)
const term = fc.oneof(word, fc.string({ unit: 'binary', maxLength: 4 }), fc.string({ maxLength: 3 }))
const texts = fc.oneof(
  fc
    .array(fc.constantFrom('the', 'Quick', 'fox', '\u{20000}', 'été', '!', '12'), { maxLength: 6 })
    .map((w) => w.join(' ')),
  fc.constantFrom('', ' ', '---'),
)
const longs = fc.oneof(
  fc.integer({ min: -5, max: 300 }).map((n) => n * 1000),
  fc.maxSafeInteger(),
)
const dates = fc.oneof(
  fc.integer({ min: 0, max: 400 }).map((n) => 1_600_000_000_000 + n * 60_000),
  fc.integer({ min: -8.64e15, max: 8.64e15 }),
)
const double = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer({ min: -9, max: 9 }))
const lon = fc.oneof(fc.integer({ min: -180, max: 180 }), fc.double({ min: -180, max: 180, noNaN: true }))
const lat = fc.oneof(fc.integer({ min: -90, max: 90 }), fc.double({ min: -90, max: 90, noNaN: true }))
const point = fc.record({ lon, lat })
const shape = fc.oneof(
  fc.tuple(lon, lat).map((coordinates) => ({ type: 'Point', coordinates })),
  fc
    .tuple(fc.integer({ min: -170, max: 160 }), fc.integer({ min: -80, max: 70 }), fc.integer({ min: 1, max: 9 }))
    .map(([x, y, side]) => `POLYGON ((${x} ${y}, ${x + side} ${y}, ${x + side} ${y + side}, ${x} ${y}))`),
)

/** One value, or sometimes several, or an empty array. */
const some = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | T[]> =>
  fc.oneof({ weight: 6, arbitrary: value }, { weight: 1, arbitrary: fc.array(value, { maxLength: 3 }) })

const shared = {
  kind: word,
  name: term,
  address: fc.oneof(fc.ipV4(), fc.ipV6()),
  text: some(texts),
  integer: fc.integer(),
  short: fc.integer({ min: -(2 ** 15), max: 2 ** 15 - 1 }),
  float: double.map((n) => n % 1e30),
  at: dates,
  flag: fc.boolean(),
  area: some(shape),
}

const document = (isSeveral: boolean): fc.Arbitrary<JsonObject> => {
  const value = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | T[]> => (isSeveral ? some(arbitrary) : arbitrary)
  return fc.record(
    {
      ...shared,
      kind: value(shared.kind),
      address: value(shared.address),
      long: value(longs),
      integer: value(shared.integer),
      byte: value(fc.integer({ min: -128, max: 127 })),
      double: value(double),
      float: value(shared.float),
      changed: value(dates),
      flag: value(shared.flag),
      place: value(point),
    },
    { requiredKeys: [] },
  ) as fc.Arbitrary<JsonObject>
}

/** Documents of the mappings: some lists have fields with several values. */
export const documentLists: fc.Arbitrary<readonly JsonObject[]> = fc
  .boolean()
  .chain((isSeveral) => fc.array(document(isSeveral), { maxLength: 20, size: '+1' }))
