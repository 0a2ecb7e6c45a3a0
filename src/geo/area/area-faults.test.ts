import { expect, test } from 'vitest'
import { GeometryFault } from '../geometry-fault.ts'
import { parseArea } from './filter-area.ts'

function reasonOf(value: string, righthand = true): string {
  try {
    parseArea(value, { righthand, maxVertices: 5000 })
  } catch (error) {
    if (error instanceof GeometryFault) return error.reason
    throw error
  }
  return 'accepted'
}

test.each<[value: string, reason: RegExp]>([
  ['foo', /bbox west,south,east,north or WKT/],
  ['', /bbox west,south,east,north or WKT/],
  ['a,-5,5,5', /bbox west,south,east,north or WKT/],
  ['-5,-5,5', /bbox west,south,east,north or WKT/],
  ['-5,-5,5,5,5', /bbox west,south,east,north or WKT/],
  ['-5,-5,5,', /bbox west,south,east,north or WKT/],
  ['-5,-5,5,0x5', /bbox west,south,east,north or WKT/],
  ['NaN,-5,5,5', /bbox west,south,east,north or WKT/],
  ['CIRCLE(0 0,5)', /bbox west,south,east,north or WKT/],
  ['-5,-91,5,5', /from -90 to 90/],
  ['-5,-5,5,91', /from -90 to 90/],
  ['-181,-5,5,5', /from -180 to 180/],
  ['-5,-5,181,5', /from -180 to 180/],
  ['230,10,100,-10', /from -180 to 180/],
  ['-5,5,5,5', /north greater than south/],
  ['-5,5,5,-5', /north greater than south/],
  ['SRID=4326;POINT(0 0)', /SRID/],
  ['SRID=4326\\;POINT(0 0)', /SRID/],
  ['POINT(0 0);POINT(1 1)', /text after the geometry/],
  ['POINT EMPTY', /EMPTY/],
  ['POLYGON EMPTY', /EMPTY/],
  ['GEOMETRYCOLLECTION EMPTY', /EMPTY/],
  ['MULTIPOINT(EMPTY)', /EMPTY/],
  ['GEOMETRYCOLLECTION(POINT EMPTY)', /EMPTY/],
  ['POINT Z(0 0 0)', /Z and M/],
  ['POINTM(0 0 0)', /Z and M/],
  ['POINT ZM (0 0 0 0)', /Z and M/],
  ['POINT(0 0 0)', /two ordinates/],
  ['POINT(0)', /number/],
  ['POINT(0 0', /bracket/],
  ['POINT 0 0', /bracket/],
  ['POINT(0 0,1 1)', /bracket/],
  ['POINT(0 1x)', /not valid WKT at character/],
  ['POINT(0 0) POINT(1 1)', /text after/],
  ['POINT(0 0))', /text after/],
  ['POINT(0 0);', /not WKT|text after/],
  ['GEOMETRYCOLLECTION(GEOMETRYCOLLECTION(POINT(0 0)))', /collection inside/],
  ['POINT(0 91)', /latitudes from -90 to 90/],
  ['POINT(361 0)', /longitudes from -360 to 360/],
  ['POINT(1e999 0)', /longitudes/],
  ['LINESTRING(0 0,0 -90.5)', /latitudes/],
  ['POLYGON((0 0,400 0,400 10,0 10,0 0))', /longitudes/],
  ['LINESTRING(0 0)', /two different positions/],
  ['LINESTRING(0 0,0 0)', /two different positions/],
  ['POLYGON((10 10,10 -10,0 -10))', /not closed/],
  ['POLYGON((0 0,10 0,10 10,0 10))', /not closed/],
  ['POLYGON((0 0,0 0,0 0,0 0))', /without area/],
  ['POLYGON((0 0,10 0,0 0))', /without area/],
  ['POLYGON((0 0,5 0,10 0,0 0))', /without area/],
  ['POLYGON((0 0,10 10,10 0,0 10,0 0))', /touches or crosses itself/],
  ['POLYGON((0 0,10 0,5 5,10 10,0 10,5 5,0 0))', /touches or crosses itself/],
  ['POLYGON((0 0,10 0,10 10,5 0,0 10,0 0))', /touches or crosses itself/],
  ['POLYGON((0 0,10 0,10 10,10 5,10 12,0 10,0 0))', /touches or crosses itself/],
  ['POLYGON((0 0,10 0,10 10,5 10,5 15,5 10,0 10,0 0))', /touches or crosses itself/],
  ['POLYGON((0 0,10 0,10 10,0 10,0 0),(20 0,21 0,21 1,20 0))', /hole outside/],
  ['POLYGON((0 0,10 0,10 10,0 10,0 0),(-1 -1,11 -1,11 11,-1 11,-1 -1))', /hole outside/],
  ['POLYGON((0 0,10 0,10 10,0 10,0 0),(5 5,15 5,15 6,5 6,5 5))', /hole that crosses/],
  ['POLYGON((0 0,10 0,10 10,0 10,0 0),(0 0,10 0,10 10,0 10,0 0))', /hole that crosses/],
  ['POLYGON((0 0,10 0,10 10,0 10,0 0),(0 2,5 2,5 5,0 5,0 2))', /hole that crosses/],
  ['POLYGON((0 0,10 0,10 10,0 10,0 0),(1 1,5 1,5 5,1 5,1 1),(3 3,8 3,8 8,3 8,3 3))', /hole that crosses/],
  ['POLYGON((0 0,10 0,10 10,0 10,0 0),(1 1,8 1,8 8,1 8,1 1),(3 3,5 3,5 5,3 5,3 3))', /hole inside another/],
  ['POLYGON((0 0,10 0,10 10,0 10,0 0),(1 1,5 1,5 5,1 1,1 1),(2 2,2 2))', /without area/],
  ['POLYGON((0 0,10 0,10 10,0 10,0 0),(1 1,5 1,5 5))', /not closed/],
  ['MULTIPOLYGON(((0 0,5 0,5 5,0 5,0 0)),((4 4,9 4,9 9,4 9,4 4)))', /overlap or share/],
  ['MULTIPOLYGON(((0 0,5 0,5 5,0 5,0 0)),((5 0,9 0,9 5,5 5,5 0)))', /overlap or share/],
  ['MULTIPOLYGON(((0 0,5 0,5 5,0 5,0 0)),((5 1,9 1,9 3,5 3,5 1)))', /overlap or share/],
  ['MULTIPOLYGON(((0 0,9 0,9 9,0 9,0 0)),((1 1,2 1,2 2,1 2,1 1)))', /overlap or share/],
  ['MULTIPOLYGON(((1 1,2 1,2 2,1 2,1 1)),((0 0,9 0,9 9,0 9,0 0)))', /overlap or share/],
  ['MULTIPOLYGON(((0 0,9 0,9 9,0 9,0 0)),((0 0,9 0,9 9,0 9,0 0)))', /overlap or share/],
  ['POLYGON((0 0,0 10,10 10,10 0,0 0),(2 2,3 2,3 3,2 2))', /must not have holes/],
  ['POLYGON((180 90,180 -90,-180 -90,-180 90,180 90))', /no valid complement/],
])('%s is refused', (value, reason) => {
  expect(reasonOf(value)).toMatch(reason)
})

test('the world has no complement', () => {
  expect(reasonOf('POLYGON((180 90,-180 90,-180 -90,180 -90,180 90))', false)).toMatch(/no valid complement/)
})

test.each([
  // Different rings may touch in single points.
  'POLYGON((0 0,10 0,10 10,0 10,0 0),(0 5,5 2,5 8,0 5))',
  'POLYGON((0 0,10 0,10 10,0 10,0 0),(0 0,5 2,5 8,0 0))',
  'POLYGON((0 0,10 0,10 10,0 10,0 0),(5 0,10 5,5 10,0 5,5 0))',
  'POLYGON((0 0,10 0,10 10,0 10,0 0),(1 1,5 1,5 5,1 1),(5 5,8 5,8 8,5 5))',
  'MULTIPOLYGON(((0 0,5 0,5 5,0 5,0 0)),((5 5,9 5,9 9,5 9,5 5)))',
  'MULTIPOLYGON(((0 0,5 0,5 5,0 5,0 0)),((5 2,9 0,9 9,5 2)))',
  'MULTIPOLYGON(((0 0,9 0,9 9,0 9,0 0),(1 1,8 1,8 8,1 8,1 1)),((2 2,3 2,3 3,2 2)))',
  'POLYGON((0 0,5 0,10 0,10 10,0 10,0 5,0 0))',
  'POLYGON((0 0,10 0,10 10,0.0000001 0.0000002,0 0))',
])('%s is valid', (value) => {
  expect(reasonOf(value)).toBe('accepted')
})
