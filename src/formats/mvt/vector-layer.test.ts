import { VectorTile } from '@mapbox/vector-tile'
import { PbfReader } from 'pbf'
import { describe, expect, it } from 'vitest'
import { geometryCommands } from './geometry-commands.ts'
import type { TileGeometry } from './tile-geometry.ts'
import { encodeTile, VectorLayer } from './vector-layer.ts'

const decode = (bytes: Buffer | undefined) => new VectorTile(new PbfReader(bytes ?? Buffer.alloc(0))).layers

const square = (from: number, to: number) => [
  [from, from],
  [to, from],
  [to, to],
  [from, to],
  [from, from],
]

describe('geometryCommands', () => {
  // examples of the specification, section 4.3.5
  it('writes the examples of the format', () => {
    expect(geometryCommands({ kind: 'points', points: [[25, 17]] })).toEqual([9, 50, 34])
    expect(
      geometryCommands({
        kind: 'points',
        points: [
          [5, 7],
          [3, 2],
        ],
      }),
    ).toEqual([17, 10, 14, 3, 9])
    expect(
      geometryCommands({
        kind: 'lines',
        lines: [
          [
            [2, 2],
            [2, 10],
            [10, 10],
          ],
        ],
      }),
    ).toEqual([9, 4, 4, 18, 0, 16, 16, 0])
    expect(
      geometryCommands({
        kind: 'lines',
        lines: [
          [
            [2, 2],
            [2, 10],
            [10, 10],
          ],
          [
            [1, 1],
            [3, 5],
          ],
        ],
      }),
    ).toEqual([9, 4, 4, 18, 0, 16, 16, 0, 9, 17, 17, 10, 4, 8])
    expect(
      geometryCommands({
        kind: 'polygons',
        polygons: [
          [
            [
              [3, 6],
              [8, 12],
              [20, 34],
              [3, 6],
            ],
          ],
        ],
      }),
    ).toEqual([9, 6, 12, 18, 10, 12, 24, 44, 15])
  })
})

describe('encodeTile', () => {
  it('is read back by others', () => {
    const hits = new VectorLayer('hits')
    const properties = {
      word: 'ä"',
      whole: 12,
      below: -7,
      large: 2 ** 52,
      share: 0.25,
      huge: 1e300,
      yes: true,
      no: false,
    }
    hits.add(
      {
        kind: 'points',
        points: [
          [1, 2],
          [-3, 4000],
        ],
      },
      properties,
    )
    hits.add({ kind: 'polygons', polygons: [[square(0, 100), square(10, 20).toReversed()], [square(200, 300)]] }, {})
    hits.add(
      {
        kind: 'lines',
        lines: [
          [
            [0, 0],
            [5, 5],
          ],
        ],
      },
      { word: 'ä"' },
    )
    const { hits: read } = decode(encodeTile([hits, new VectorLayer('empty')]))
    expect(read).toMatchObject({ name: 'hits', version: 2, extent: 4096, length: 3 })
    expect(read?.feature(0).properties).toEqual(properties)
    expect(read?.feature(0).loadGeometry()).toMatchObject([[{ x: 1, y: 2 }], [{ x: -3, y: 4000 }]])
    expect(read?.feature(1).toGeoJSON(0, 0, 0).geometry.type).toBe('MultiPolygon')
    expect(
      read
        ?.feature(1)
        .loadGeometry()
        .map((ring) => ring.length),
    ).toEqual([5, 5, 5])
    expect(read?.feature(2).properties).toEqual({ word: 'ä"' })
  })

  it('tells a text from a number, and writes what is equal once', () => {
    const layer = new VectorLayer('l')
    const point: TileGeometry = { kind: 'points', points: [[0, 0]] }
    for (let i = 0; i < 1000; i++) layer.add(point, { a: '1', b: 1, c: true })
    const bytes = encodeTile([layer])
    const { l } = decode(bytes)
    expect(l?.feature(999).properties).toEqual({ a: '1', b: 1, c: true })
    expect(bytes?.length).toBeLessThan(1000 * 20)
  })

  it('is nothing without a feature', () => {
    expect(encodeTile([new VectorLayer('hits')])).toBeUndefined()
  })
})
