import { expect, test } from 'vitest'
import type { Json } from '../../../model/json/document.ts'
import { isMisplaced } from './place-check.ts'

test.each<[Json, boolean]>([
  [{ lat: 90, lon: 360 }, false],
  [{ lat: 90.1, lon: 0 }, true],
  [{ lat: '-91', lon: '0' }, true],
  [[0, 90], false],
  [[0, 91, 5], true],
  [[361, 0], true],
  [
    [
      [0, 0],
      [0, 91],
    ],
    true,
  ],
  ['90,180', false],
  ['90.5, 2', true],
  ['1,361,9', true],
  ['u09tvw0f6', false],
  ['x,y', false],
  ['POINT (2 48)', false],
  ['POINT (2 98)', true],
  ['Point Empty', true],
  ['POLYGON EMPTY', false],
  ['POLYGON ((0 0, 1 0, 1 91, 0 0))', true],
  ['GEOMETRYCOLLECTION (POINT (1 2), POINT (1 92))', true],
  ['POLYGON (not one', false],
  [{ type: 'Point', coordinates: [1, 2] }, false],
  [
    {
      type: 'Polygon',
      coordinates: [
        [
          [0, 0],
          [1, 0],
          [1, -90.01],
          [0, 0],
        ],
      ],
    },
    true,
  ],
  [{ type: 'GeometryCollection', geometries: [{ type: 'Point', coordinates: [400, 2] }] }, true],
  [{ type: 'Polygon', coordinates: [] }, false],
  [5, false],
  [null, false],
  [{}, false],
])('%j: %s', (value, expected) => {
  expect(isMisplaced(value)).toBe(expected)
})
