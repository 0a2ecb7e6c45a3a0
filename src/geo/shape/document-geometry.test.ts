import { expect, test } from 'vitest'
import type { Geometry, Position } from '../../model/geometry.ts'
import type { Json } from '../../model/json/document.ts'
import { pointValues, readGeometry, readPoint, shapeValues } from './document-geometry.ts'

test.each<[value: Json, point: Position | undefined]>([
  ['10,20', [20, 10]],
  [' 10 , 20 ', [20, 10]],
  [
    [179.5, 5],
    [179.5, 5],
  ],
  [
    [1, 2, 3],
    [1, 2],
  ],
  [{ lat: -5, lon: -179.5 }, [-179.5, -5]],
  [{ lat: '1.5', lon: '2.5' }, [2.5, 1.5]],
  ['POINT (0 0)', [0, 0]],
  ['point(1 2)', [1, 2]],
  [{ type: 'Point', coordinates: [3, 4, 5], bbox: [1] }, [3, 4]],
  ['s', [22.5, 22.5]],
  ['u09tvw', [2.3565673828125, 48.85894775390625]],
  ['0,190', [-170, 0]],
  ['91,0', undefined],
  ['0,361', undefined],
  ['', undefined],
  ['a', undefined],
  ['1,2,3,4', undefined],
  ['1,x', undefined],
  ['LINESTRING(0 0,1 1)', undefined],
  ['POINT EMPTY', undefined],
  [null, undefined],
  [true, undefined],
  [5, undefined],
  [[1], undefined],
  [['1', '2'], undefined],
  [{}, undefined],
  [{ lat: 1 }, undefined],
  [
    {
      type: 'LineString',
      coordinates: [
        [0, 0],
        [1, 1],
      ],
    },
    undefined,
  ],
])('the point of %j', (value, point) => {
  expect(readPoint(value)).toEqual(point)
})

const SQUARE = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 1],
  [0, 0],
]

test.each<[value: Json, geometry: Geometry | undefined]>([
  ['10,20', { type: 'Point', coordinates: [20, 10] }],
  [
    { type: 'Point', coordinates: [1, 2, 3] },
    { type: 'Point', coordinates: [1, 2, 3] },
  ],
  [
    { type: 'polygon', coordinates: [SQUARE], crs: null },
    { type: 'Polygon', coordinates: [SQUARE] },
  ],
  ['POLYGON ((0 0, 1 0, 1 1, 0 1, 0 0))', { type: 'Polygon', coordinates: [SQUARE] }],
  [
    { type: 'GeometryCollection', geometries: [{ type: 'Point', coordinates: [1, 2], x: 1 }] },
    { type: 'GeometryCollection', geometries: [{ type: 'Point', coordinates: [1, 2] }] },
  ],
  [{ type: 'Polygon', coordinates: [] }, undefined],
  [{ type: 'Polygon', coordinates: [[]] }, undefined],
  [{ type: 'MultiPolygon', coordinates: [] }, undefined],
  [{ type: 'GeometryCollection', geometries: [] }, undefined],
  [
    {
      type: 'Polygon',
      coordinates: [
        [
          [0, 0],
          [1, 'x'],
          [1, 1],
        ],
      ],
    },
    undefined,
  ],
  [
    {
      type: 'Polygon',
      coordinates: [
        [
          [0, 0],
          [1, 95],
          [1, 1],
          [0, 0],
        ],
      ],
    },
    undefined,
  ],
  [{ type: 'Polygon', coordinates: 'x' }, undefined],
  [{ type: 'Circle', coordinates: [0, 0], radius: 5 }, undefined],
  [{ type: 'Point' }, undefined],
  ['POLYGON EMPTY', undefined],
  ['POLYGON((0 0', undefined],
])('the geometry of %j', (value, geometry) => {
  expect(readGeometry(value)).toEqual(geometry)
})

test('a field may have several points or shapes', () => {
  expect(pointValues([1, 2])).toEqual([[1, 2]])
  expect(pointValues([[1, 2], '3,4', null, 'nowhere', { lat: 5, lon: 6 }])).toEqual([
    [1, 2],
    [4, 3],
    [6, 5],
  ])
  expect(pointValues('1,2')).toEqual([[2, 1]])
  expect(pointValues(null)).toEqual([])
  expect(pointValues([])).toEqual([])
  expect(shapeValues(['POINT(1 2)', { type: 'Point', coordinates: [3, 4] }, 'x'])).toHaveLength(2)
  expect(shapeValues({ type: 'Point', coordinates: [3, 4] })).toHaveLength(1)
  expect(shapeValues('3,4')).toEqual([])
  expect(shapeValues([3, 4])).toEqual([])
})
