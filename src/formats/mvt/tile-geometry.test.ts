import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tileBounds } from '../../geo/grid/tile.ts'
import { doubleArea } from '../../geo/ring.ts'
import { normaliseShape, type Shape } from '../../geo/shape/shape.ts'
import type { Geometry, Position } from '../../model/geometry.ts'
import { BUFFER, EXTENT, tileGeometries } from './tile-geometry.ts'

const world = { z: 0, x: 0, y: 0 }

function shapeOf(geometry: Geometry): Shape {
  const shape = normaliseShape(geometry)
  if (shape === undefined) throw new Error('the geometry of the test is unreadable')
  return shape
}

const shown = (geometry: Geometry, tile = world) => tileGeometries(tile)(shapeOf(geometry))

const ring = (west: number, south: number, east: number, north: number): readonly Position[] => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
]

describe('tileGeometries', () => {
  it('puts a point where the tile has it', () => {
    expect(shown({ type: 'Point', coordinates: [0, 0] })).toEqual([{ kind: 'points', points: [[2048, 2048]] }])
    const { west, north } = tileBounds(3, 5, 2)
    expect(shown({ type: 'Point', coordinates: [west, north] }, { z: 3, x: 5, y: 2 })).toEqual([
      { kind: 'points', points: [[0, 0]] },
    ])
  })

  it('keeps points that are at the same place', () => {
    const coordinates = [
      [0, 0],
      [0, 0],
    ]
    expect(shown({ type: 'MultiPoint', coordinates })).toEqual([
      {
        kind: 'points',
        points: [
          [2048, 2048],
          [2048, 2048],
        ],
      },
    ])
  })

  it('winds exteriors and holes as the format wants them', () => {
    const [polygons] = shown({ type: 'Polygon', coordinates: [ring(-50, -50, 50, 50), ring(-10, -10, 10, 10)] })
    if (polygons?.kind !== 'polygons') throw new Error('no polygon')
    const [exterior = [], hole = []] = polygons.polygons[0] ?? []
    expect(doubleArea(exterior)).toBeGreaterThan(0)
    expect(doubleArea(hole)).toBeLessThan(0)
  })

  it('drops holes without area, and shows what is too small for its form as a point', () => {
    const [large] = shown({ type: 'Polygon', coordinates: [ring(-50, -50, 50, 50), ring(0, 0, 0.01, 0.01)] })
    expect(large?.kind === 'polygons' && large.polygons[0]?.length).toBe(1)
    expect(shown({ type: 'Polygon', coordinates: [ring(0, -0.01, 0.01, 0)] })).toEqual([
      { kind: 'points', points: [[2048, 2048]] },
    ])
    const line = [
      [0, 0],
      [0.001, 0],
    ]
    expect(shown({ type: 'LineString', coordinates: line })).toEqual([{ kind: 'points', points: [[2048, 2048]] }])
  })

  it('shows nothing of a hole around the tile', () => {
    const around = { type: 'Polygon', coordinates: [ring(-80, -80, 80, 80), ring(-60, -60, 60, 60)] } as const
    expect(shown(around, { z: 6, x: 32, y: 32 })).toEqual([])
  })

  it('has one geometry for each kind', () => {
    const kinds = shown({
      type: 'GeometryCollection',
      geometries: [
        { type: 'Point', coordinates: [1, 1] },
        { type: 'LineString', coordinates: ring(1, 1, 20, 20).slice(0, 3) },
        { type: 'Polygon', coordinates: [ring(1, 1, 20, 20)] },
      ],
    }).map(({ kind }) => kind)
    expect(kinds).toEqual(['points', 'lines', 'polygons'])
  })

  it('shows in the buffer what lies across the antimeridian', () => {
    const east: Geometry = { type: 'Point', coordinates: [179.9, 10] }
    const [west] = shown(east, { z: 2, x: 0, y: 1 })
    expect(west?.kind === 'points' && west.points[0]?.[0]).toBe(-5)
    const [own] = shown(east, { z: 2, x: 3, y: 1 })
    expect(own?.kind === 'points' && own.points[0]?.[0]).toBe(EXTENT - 5)
    expect(shown(east, { z: 2, x: 1, y: 1 })).toEqual([])
  })

  it('stays in the buffer, in whole units, with rings that have an area', () => {
    const position = fc.tuple(
      fc.double({ min: -179, max: 179, noNaN: true }),
      fc.double({ min: -84, max: 84, noNaN: true }),
    )
    const corners = fc.array(position, { minLength: 3, maxLength: 30 })
    const tile = fc
      .integer({ min: 0, max: 4 })
      .chain((z) => fc.record({ z: fc.constant(z), x: fc.nat(2 ** z - 1), y: fc.nat(2 ** z - 1) }))
    const isInside = (value: number): boolean =>
      Number.isInteger(value) && value >= -BUFFER && value <= EXTENT + BUFFER && !Object.is(value, -0)
    fc.assert(
      fc.property(corners, tile, (path, place) => {
        for (const geometry of [
          { type: 'LineString', coordinates: path } as const,
          { type: 'Polygon', coordinates: [[...path, path[0] ?? []]] } as const,
        ]) {
          const shape = normaliseShape(geometry)
          for (const each of shape === undefined ? [] : tileGeometries(place)(shape)) {
            const paths =
              each.kind === 'points' ? [each.points] : each.kind === 'lines' ? each.lines : each.polygons.flat()
            expect(paths.flat(2).every(isInside)).toBe(true)
            if (each.kind === 'lines') for (const line of each.lines) expect(line.length).toBeGreaterThan(1)
            if (each.kind !== 'polygons') continue
            for (const [exterior = [], ...holes] of each.polygons) {
              expect(doubleArea(exterior)).toBeGreaterThanOrEqual(2)
              for (const hole of holes) expect(doubleArea(hole)).toBeLessThanOrEqual(-2)
            }
          }
        }
      }),
    )
  })
})
