import { describe, expect, it } from 'vitest'
import { geometryFault, pointFault } from './trigger-geometry.ts'

const square = [
  [0, 0],
  [0, 2],
  [2, 2],
  [2, 0],
  [0, 0],
]
const polygon = (...rings: readonly unknown[]) => ({ type: 'Polygon', coordinates: rings })
const point = { type: 'Point', coordinates: [180, -90, 7e9] }

/** Vertices of a circle, closed. */
function circle(positions: number): number[][] {
  const around = Array.from({ length: positions - 1 }, (_, i) => {
    const angle = (2 * Math.PI * i) / (positions - 1)
    return [Math.cos(angle), Math.sin(angle)]
  })
  return [...around, around[0] ?? []]
}

const nested = (depth: number): object =>
  depth === 0 ? point : { type: 'GeometryCollection', geometries: [point, nested(depth - 1)] }

describe('geometries of triggers', () => {
  it.each([
    point,
    { type: 'MultiPoint', coordinates: [[-180, 90]] },
    { type: 'LineString', coordinates: square, bbox: 'anything' },
    { type: 'MultiLineString', coordinates: [square] },
    polygon(square),
    polygon(square.toReversed()),
    polygon([...square.slice(0, 2), ...square.slice(1)]),
    polygon(square, [
      [0.5, 0.5],
      [1, 0.5],
      [1, 1],
      [0.5, 0.5],
    ]),
    { type: 'MultiPolygon', coordinates: [[square], [square]] },
    nested(4),
    polygon(circle(5000)),
  ])('%# are taken', (geometry) => {
    expect(geometryFault(geometry)).toBeUndefined()
  })

  it.each([
    ['text', 'POINT(0 0)', '', 'must be a GeoJSON geometry'],
    ['null', null, '', 'must be a GeoJSON geometry'],
    ['no type', { coordinates: [0, 0] }, '/type', 'type'],
    ['type in another case', { ...point, type: 'point' }, '/type', 'type'],
    ['type of every object', { ...point, type: 'constructor' }, '/type', 'type'],
    ['no coordinates', { type: 'Point' }, '/coordinates', 'position'],
    ['four ordinates', { type: 'Point', coordinates: [0, 0, 0, 0] }, '/coordinates', 'position'],
    ['texts for numbers', { type: 'Point', coordinates: ['0', 0] }, '/coordinates', 'position'],
    ['too far east', { type: 'Point', coordinates: [180.1, 0] }, '/coordinates/0', '-180 to 180'],
    [
      'too far north',
      {
        type: 'MultiPoint',
        coordinates: [
          [0, 0],
          [0, 91],
        ],
      },
      '/coordinates/1/1',
      '-90 to 90',
    ],
    ['line of one', { type: 'LineString', coordinates: [[0, 0]] }, '/coordinates', 'at least 2'],
    ['no ring', polygon(), '/coordinates', 'at least 1'],
    [
      'short ring',
      polygon([
        [0, 0],
        [1, 1],
        [0, 0],
      ]),
      '/coordinates/0',
      'at least 4',
    ],
    ['open ring', polygon(square.slice(0, 4)), '/coordinates/0', 'closed'],
    ['open hole', polygon(square, square.slice(0, 4)), '/coordinates/1', 'closed'],
    [
      'ring without area',
      polygon([
        [0, 0],
        [1, 1],
        [2, 2],
        [0, 0],
      ]),
      '/coordinates/0',
      'area',
    ],
    [
      'one position',
      polygon([
        [0, 0],
        [0, 0],
        [0, 0],
        [0, 0],
      ]),
      '/coordinates/0',
      'area',
    ],
    [
      'bow tie',
      polygon([
        [0, 0],
        [1, 1],
        [1, 0],
        [0, 1],
        [0, 0],
      ]),
      '/coordinates/0',
      'intersect itself',
    ],
    [
      'second polygon',
      { type: 'MultiPolygon', coordinates: [[square], [square.slice(1)]] },
      '/coordinates/1/0',
      'closed',
    ],
    ['empty collection', { type: 'GeometryCollection', geometries: [] }, '/geometries', 'at least 1'],
    [
      'member of a collection',
      { type: 'GeometryCollection', geometries: [point, { type: 'Point', coordinates: [0, 100] }] },
      '/geometries/1/coordinates/1',
      'latitude',
    ],
    ['deep collection', nested(5), '/geometries/1/geometries/1/geometries/1/geometries/1', 'deeper than 4'],
    ['too many vertices', polygon(circle(5001)), '', 'more than 5000 vertices'],
    ['too many in all', { type: 'MultiPolygon', coordinates: [[circle(3000)], [circle(3000)]] }, '', '5000'],
  ])('%s: refused where it is wrong', (_name, geometry, pointer, reason) => {
    const fault = geometryFault(geometry)
    expect(fault?.pointer).toBe(pointer)
    expect(fault?.reason).toContain(reason)
  })

  it('centroids are points', () => {
    expect(pointFault(point)).toBeUndefined()
    expect(pointFault(polygon(square))).toEqual({ pointer: '/type', reason: 'must be Point' })
    expect(pointFault({ type: 'Point', coordinates: [0, 91] })?.pointer).toBe('/coordinates/1')
    expect(pointFault('x')?.reason).toBe('must be a GeoJSON geometry')
  })
})
