import { describe, expect, it } from 'vitest'
import { inferMapping } from '../../mapping/infer-mapping.ts'
import type { JsonObject } from '../../model/json/document.ts'
import { valueAt } from '../../model/json/json-object.ts'
import { addCentroid, findCoordinates } from './coordinates.ts'
import { guessPaths } from './guess-paths.ts'

const guess = (...sample: JsonObject[]) => guessPaths(inferMapping(sample), sample)

describe('guessPaths', () => {
  it.each<[JsonObject, object]>([
    [
      { id: 'a', time: '2024-01-01', geometry: 'POLYGON ((0 0, 1 0, 1 1, 0 0))', centroid: '1,2' },
      { id: 'id', timestamp: 'time', geometry: 'geometry', centroid: 'centroid' },
    ],
    [
      { params: { uuid: 'a', start_date: '2024-01-01' }, where: { lat: 1, lon: 2 } },
      { id: 'params.uuid', timestamp: 'params.start_date', geometry: 'where', centroid: 'where' },
    ],
    [
      { seen: '2024-01-01', outline: 'LINESTRING (0 0, 1 1)' },
      { timestamp: 'seen', geometry: 'outline', centroid: 'outline' },
    ],
    [{ first: '2024-01-01', second: '2024-01-02', home: 'POINT (1 2)', work: 'POINT (3 4)' }, {}],
    [{ timestamp: '2024-01-01', other: '2024-01-02' }, { timestamp: 'timestamp' }],
  ])('%j', (document, expected) => {
    expect(guess(document)).toEqual(expected)
  })

  it('does not take for an identifier what repeats or is missing', () => {
    expect(guess({ id: 1 }, { id: 1 })).toEqual({})
    expect(guess({ id: 1 }, { a: 1 })).toEqual({})
    expect(guess({ id: 1 }, { id: 2 })).toEqual({ id: 'id' })
  })
})

describe('valueAt', () => {
  it('follows objects and keys with dots', () => {
    expect(valueAt({ a: { b: { c: 1 } } }, 'a.b.c')).toBe(1)
    expect(valueAt({ 'a.b': { c: 2 } }, 'a.b.c')).toBe(2)
    expect(valueAt({ 'a.b.c': 3 }, 'a.b.c')).toBe(3)
    expect(valueAt({ a: [{ b: 1 }] }, 'a.b')).toBeUndefined()
    expect(valueAt({}, 'constructor')).toBeUndefined()
  })
})

describe('coordinates', () => {
  const find = (...sample: JsonObject[]) => findCoordinates(inferMapping(sample), sample)

  it.each<[JsonObject, object | undefined]>([
    [
      { lon: 1.5, lat: 2 },
      { lon: 'lon', lat: 'lat' },
    ],
    [
      { Longitude: 1, Latitude: 2, x: 5, y: 6 },
      { lon: 'Longitude', lat: 'Latitude' },
    ],
    [
      { lng: 1, lat: 2 },
      { lon: 'lng', lat: 'lat' },
    ],
    [
      { x: 1, y: 2 },
      { lon: 'x', lat: 'y' },
    ],
    [
      { name: 'Camden', cx: -0.16, cy: 51.55 },
      { lon: 'cx', lat: 'cy' },
    ],
    [
      { long: 'a description', x: 1, y: 2 },
      { lon: 'x', lat: 'y' },
    ],
    [
      { lon: '1.5', lat: '2' },
      { lon: 'lon', lat: 'lat' },
    ],
    [{ x: 650_000, y: 6_800_000 }, undefined],
    [{ lon: 1 }, undefined],
    [{ lon: 1, lat: 2, location: '1,2' }, undefined],
  ])('of %j are %j', (document, expected) => {
    expect(find(document)).toEqual(expected)
  })

  it('are found beside broken ones, unless those are as many', () => {
    const good = { lon: 10, lat: 50 }
    expect(find(good, good, { lon: 'abc', lat: 50 }, {})).toEqual({ lon: 'lon', lat: 'lat' })
    expect(find(good, { lon: 'abc', lat: 50 })).toBeUndefined()
    expect(find({}, {}, { lon: 'abc', lat: 50 })).toBeUndefined()
  })

  it('become a centroid, or a reason', () => {
    const at = { lon: 'x', lat: 'y' }
    expect(addCentroid({ x: 1.5, y: -2 }, at)).toEqual({ x: 1.5, y: -2, centroid: '-2,1.5' })
    expect(addCentroid({ x: 1e-7, y: 0 }, at)).toMatchObject({ centroid: '0,0.0000001000' })
    expect(addCentroid({ x: 1 }, at)).toEqual({ x: 1 })
    expect(addCentroid({ x: 1, y: 2, centroid: 'own' }, at)).toEqual({ x: 1, y: 2, centroid: 'own' })
    expect(addCentroid({ x: 181, y: 2 }, at)).toBe('has the longitude 181, which is not between -180 and 180')
    expect(addCentroid({ x: 1, y: 'north' }, at)).toBe('has the latitude north, which is not between -90 and 90')
  })
})
