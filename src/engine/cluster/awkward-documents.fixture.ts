import { fieldOf } from './test-index.fixture.ts'

export const awkwardProperties = {
  word: { type: 'keyword' },
  long: { type: 'long' },
  byte: { type: 'byte' },
  double: { type: 'double' },
  float: { type: 'float' },
  day: { type: 'date', format: 'yyyy/MM/dd HH:mm:ss.SSS' },
  fine: { type: 'date_nanos' },
  flag: { type: 'boolean' },
  address: { type: 'ip' },
  text: { type: 'text' },
  where: { type: 'geo_point' },
  area: { type: 'geo_shape' },
} as const

export const word = fieldOf('word', 'KEYWORD')
export const long = fieldOf('long', 'LONG')
export const byte = fieldOf('byte', 'BYTE')
export const double = fieldOf('double', 'DOUBLE')
export const float = fieldOf('float', 'FLOAT')
export const day = fieldOf('day', 'DATE', 'yyyy/MM/dd HH:mm:ss.SSS')
export const fine = fieldOf('fine', 'DATE')
export const flag = fieldOf('flag', 'BOOLEAN')
export const address = fieldOf('address', 'IP')
export const text = fieldOf('text', 'TEXT')
export const where = fieldOf('where', 'GEO_POINT')
export const area = fieldOf('area', 'GEO_SHAPE')

const box = (west: number, south: number, east: number, north: number): number[][] => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
]

/**
 * Extreme values of their types, values on edges, several values, and missing ones. The id is the number of the
 * document.
 */
export const awkwardDocuments = [
  {
    word: 'a',
    long: 9223372036854775807n,
    byte: 127,
    double: 0,
    float: 0.1,
    day: '1960/01/01 00:00:00.000',
    fine: '2020-01-01T00:00:00.123456789Z',
    flag: true,
    address: '1.2.3.4',
    text: 'ice cream',
    where: [0, 0],
    area: { type: 'Point', coordinates: [0.1, 0.2] },
  },
  {
    word: ['b', '😀'],
    long: [-9223372036854775808n, 5],
    byte: -128,
    double: '-0.0',
    float: '-0.0',
    day: ['1969/12/31 23:59:59.999', '2020/01/01 00:00:00.000'],
    fine: '1970-01-01T00:00:00Z',
    flag: false,
    address: '::ffff:1.2.3.5',
    text: ['one two', 'three four'],
    where: [
      [10, 10],
      [-170, 45],
    ],
    area: { type: 'Polygon', coordinates: [box(-12, -12, 12, 12), box(-5, -5, 5, 5).toReversed()] },
  },
  {
    word: 'a\nb',
    long: 9007199254740993n,
    double: 1e300,
    float: 16777217,
    day: '1970/01/01 00:00:00.000',
    address: '2001:db8::1',
    text: 'the name:is word cream ice',
    where: [180, 90],
    area: {
      type: 'LineString',
      coordinates: [
        [170, 0],
        [190, 0],
      ],
    },
  },
  {
    word: '\uffee',
    double: -1.5,
    text: 'ice very cold cream',
    where: [-180, -90],
    area: { type: 'Polygon', coordinates: [box(-100, -10, 120, 10)] },
  },
  {
    word: '',
    double: 1.5,
    text: 'icecream',
    where: [12.3456789, -7.6543211],
    area: 'POLYGON ((20 20, 30 20, 20 30, 20 20))',
  },
  { word: null, long: [], text: '' },
  // Its centroid, about 5.4 5.4, lies outside the shape.
  {
    word: 'x"#&<>@~-*?\\',
    where: [0.1, 0.2],
    area: {
      type: 'Polygon',
      coordinates: [
        [
          [0, 0],
          [20, 0],
          [20, 1],
          [1, 1],
          [1, 20],
          [0, 20],
          [0, 0],
        ],
      ],
    },
  },
  {
    word: 'abc',
    where: [5, 5],
    area: {
      type: 'MultiPoint',
      coordinates: [
        [179, 1],
        [-179, 1],
      ],
    },
  },
]
