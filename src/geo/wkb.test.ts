import { describe, expect, it } from 'vitest'
import { GeometryFault } from './geometry-fault.ts'
import { parseWkb } from './wkb.ts'

const parse = (hex: string) => parseWkb(Buffer.from(hex, 'hex'))
const ONE = '000000000000f03f'
const TWO = '0000000000000040'

describe('parseWkb', () => {
  it.each([
    ['a point', `0101000000${ONE}${TWO}`, { geometry: { type: 'Point', coordinates: [1, 2] } }],
    [
      'a point, big-endian',
      '00000000013ff00000000000004000000000000000',
      { geometry: { type: 'Point', coordinates: [1, 2] } },
    ],
    ['ISO Z', `01e9030000${ONE}${TWO}${ONE}`, { geometry: { type: 'Point', coordinates: [1, 2, 1] } }],
    ['ISO M, which is dropped', `01d1070000${ONE}${TWO}${ONE}`, { geometry: { type: 'Point', coordinates: [1, 2] } }],
    [
      'EWKB with its system',
      `0101000020e6100000${ONE}${TWO}`,
      { geometry: { type: 'Point', coordinates: [1, 2] }, srid: 4326 },
    ],
    [
      'several points',
      `0104000000010000000101000000${ONE}${TWO}`,
      { geometry: { type: 'MultiPoint', coordinates: [[1, 2]] } },
    ],
  ])('reads %s', (_name, hex, expected) => {
    expect(parse(hex)).toEqual(expected)
  })

  it.each([
    ['nothing', ''],
    ['half a point', `0101000000${ONE}`],
    ['more points than there are bytes', `0102000000ffffffff${ONE}${TWO}`],
    ['a line among points', '0104000000010000000102000000000000000000000000'],
    ['an unknown type', '0109000000'],
    ['deep collections', '010700000001000000'.repeat(100)],
  ])('refuses %s', (_name, hex) => {
    expect(() => parse(hex)).toThrow(GeometryFault)
  })
})
