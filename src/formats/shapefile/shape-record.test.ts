import { describe, expect, it } from 'vitest'
import type { Geometry } from '../../model/geometry.ts'
import { recordBox, toRecords } from './shape-record.ts'

const ring = [
  [0, 0],
  [4, 0],
  [4, 4],
  [0, 0],
]

describe('toRecords', () => {
  it('winds exteriors clockwise and holes the other way, and closes them', () => {
    const polygon: Geometry = { type: 'Polygon', coordinates: [ring, ring.slice(0, 3)] }
    expect(toRecords(polygon)).toEqual([{ kind: 'polygons', parts: [ring.toReversed(), ring] }])
  })

  it('makes a record of each member of a collection, of its own kind', () => {
    const geometries: Geometry[] = [
      { type: 'Point', coordinates: [1, 2, 3] },
      { type: 'GeometryCollection', geometries: [{ type: 'LineString', coordinates: ring }] },
      { type: 'MultiPoint', coordinates: ring },
    ]
    expect(toRecords({ type: 'GeometryCollection', geometries }).map(({ kind }) => kind)).toEqual([
      'points',
      'lines',
      'multipoints',
    ])
  })

  it('makes none of what has no position', () => {
    const empty: Geometry[] = [
      { type: 'LineString', coordinates: [] },
      { type: 'MultiPolygon', coordinates: [] },
      { type: 'MultiLineString', coordinates: [[]] },
      { type: 'GeometryCollection', geometries: [] },
    ]
    expect(empty.flatMap(toRecords)).toEqual([])
    expect(toRecords({ type: 'MultiLineString', coordinates: [[], ring] })).toEqual([{ kind: 'lines', parts: [ring] }])
  })
})

it('finds the box of a record', () => {
  expect(recordBox({ kind: 'lines', parts: [ring, [[-9, 7]]] })).toEqual({ west: -9, south: 0, east: 4, north: 7 })
})
