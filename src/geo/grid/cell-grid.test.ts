import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { geohashBounds, geohashOf } from '../geohash.ts'
import { type CellGrid, cellGrid, cellsAround, type GridKind, geohashPointBox, placeOfCell } from './cell-grid.ts'
import { halfOpenHolds } from './half-open-box.ts'
import { tileBounds, tileOf } from './tile.ts'

const boxAt = (grid: CellGrid, column: number, row: number) =>
  grid.boxOf({ firstColumn: column, lastColumn: column, firstRow: row, lastRow: row })

/** Returns the double the given number of steps away. */
function neighbour(value: number, steps: number): number {
  if (value === 0) return steps * Number.MIN_VALUE
  const bytes = new DataView(new ArrayBuffer(8))
  bytes.setFloat64(0, value)
  bytes.setBigInt64(0, bytes.getBigInt64(0) + BigInt(value < 0 ? -steps : steps))
  return bytes.getFloat64(0)
}

describe('boxes', () => {
  test('inner edges are those of the cells', () => {
    expect(boxAt(cellGrid('geohash', 1), 4, 2)).toEqual({ west: 0, east: 45, held: 0, open: 45 })
    const { west, east, held, open } = boxAt(cellGrid('geotile', 3), 5, 2)
    const bounds = tileBounds(3, 5, 2)
    expect([west, east]).toEqual([bounds.west, bounds.east])
    expect(Math.abs(held - bounds.north)).toBeLessThan(1e-12)
    expect(Math.abs(open - bounds.south)).toBeLessThan(1e-12)
    expect(boxAt(cellGrid('geotile', 3), 4, 4).held).toBe(0)
  })

  test('outer edges leave nothing of the world out', () => {
    const places = [
      [180, 90],
      [-180, -90],
      [180, -90],
      [-180, 90],
    ] as const
    for (const kind of ['geohash', 'geotile'] as const) {
      const grid = cellGrid(kind, 2)
      for (const [lon, lat] of places) {
        expect(halfOpenHolds(boxAt(grid, grid.columnOf(lon), grid.rowOf(lat)), lon, lat)).toBe(true)
      }
    }
  })
})

describe('places', () => {
  const level = (kind: GridKind): fc.Arbitrary<number> =>
    kind === 'geohash' ? fc.integer({ min: 1, max: 12 }) : fc.integer({ min: 0, max: 29 })
  const share = fc.double({ min: 0, max: 1, noNaN: true })

  test.each(['geohash', 'geotile'] as const)('a place lies in the box of its %s column and row', (kind) => {
    fc.assert(
      fc.property(level(kind), share, share, fc.integer({ min: -3, max: 3 }), (l, across, up, steps) => {
        const grid = cellGrid(kind, l)
        const near = boxAt(grid, grid.columnOf(across * 360 - 180), grid.rowOf(up * 180 - 90))
        for (const [x, y] of [
          [near.west, near.held],
          [near.east, near.open],
        ] as const) {
          const lon = Math.max(-180, Math.min(180, neighbour(x, steps)))
          const lat = Math.max(-90, Math.min(90, neighbour(y, steps)))
          expect(halfOpenHolds(boxAt(grid, grid.columnOf(lon), grid.rowOf(lat)), lon, lat)).toBe(true)
        }
      }),
      { numRuns: 2000 },
    )
  })

  test('rows of tiles are those of points, up to the last digit of a latitude', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 29 }), share, fc.integer({ min: -4, max: 4 }), (z, up, steps) => {
        const grid = cellGrid('geotile', z)
        const row = Math.min(Math.floor(up * 2 ** z), 2 ** z - 1)
        // The equator is exact here, but not for points.
        fc.pre(2 * row !== 2 ** z)
        const lat = neighbour(Math.min(boxAt(grid, 0, row).held, 90), row === 0 ? 0 : steps)
        expect(grid.rowOf(lat)).toBe(tileOf(0, lat, z).y)
      }),
      { numRuns: 5000 },
    )
  })

  test('the box of the points of a geohash is what geohashOf says, to the last digit', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), share, share, fc.integer({ min: -2, max: 2 }), (l, x, y, steps) => {
        const hash = geohashOf(x * 360 - 180, y * 180 - 90, l)
        const box = geohashPointBox(hash)
        const bounds = geohashBounds(hash)
        const corners = [
          [box.west, box.held],
          [box.east, box.open],
          [bounds?.west ?? 0, bounds?.south ?? 0],
        ] as const
        for (const [cx, cy] of corners) {
          const lon = Math.max(-180, Math.min(180, neighbour(cx, steps)))
          const lat = Math.max(-90, Math.min(90, neighbour(cy, steps)))
          expect(halfOpenHolds(box, lon, lat)).toBe(geohashOf(lon, lat, l) === hash)
        }
      }),
      { numRuns: 3000 },
    )
  })
})

describe('cells around a cell', () => {
  const around = (kind: GridKind, level: number, cell: Parameters<typeof cellsAround>[1]) => {
    const { firstColumn, lastColumn, firstRow, lastRow } = cellsAround(cellGrid(kind, level), cell)
    return [firstColumn, lastColumn, firstRow, lastRow]
  }

  test('of the same grid: itself, its parent, or its children', () => {
    const tile = { kind: 'tile', z: 3, x: 5, y: 2 } as const
    expect(around('geotile', 3, tile)).toEqual([5, 5, 2, 2])
    expect(around('geotile', 2, tile)).toEqual([2, 2, 1, 1])
    expect(around('geotile', 5, tile)).toEqual([20, 23, 8, 11])
    expect(around('geotile', 2, { kind: 'tile', z: 0, x: 0, y: 0 })).toEqual([0, 3, 0, 3])
    expect(around('geohash', 1, { kind: 'geohash', hash: 's' })).toEqual([4, 4, 2, 2])
    expect(around('geohash', 2, { kind: 'geohash', hash: 's' })).toEqual([16, 19, 16, 23])
    expect(around('geohash', 1, { kind: 'geohash', hash: 'spb' })).toEqual([4, 4, 2, 2])
  })

  test('of the other grid: sets that share no more than an edge share it when both own it', () => {
    // The equator belongs to the northern geohash and to the southern tile.
    expect(around('geotile', 1, { kind: 'geohash', hash: 's' })).toEqual([1, 1, 0, 1])
    expect(around('geotile', 1, { kind: 'geohash', hash: 'k' })).toEqual([1, 1, 1, 1])
    expect(around('geohash', 1, { kind: 'tile', z: 1, x: 1, y: 0 })).toEqual([4, 7, 2, 3])
    expect(around('geohash', 1, { kind: 'tile', z: 1, x: 1, y: 1 })).toEqual([4, 7, 0, 2])
  })

  test('are those that hold a place of it', () => {
    const share = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
    const kind = fc.constantFrom<GridKind>('geohash', 'geotile')
    fc.assert(
      fc.property(
        kind,
        fc.boolean(),
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 4 }),
        share,
        share,
        (k, ofTiles, l, m, x, y) => {
          const grid = cellGrid(k, l)
          const lon = x * 360 - 180
          const lat = y * 180 - 90
          const cell = ofTiles
            ? ({ kind: 'tile', z: m, ...tileOf(lon, lat, m) } as const)
            : ({ kind: 'geohash', hash: geohashOf(lon, lat, m) } as const)
          const range = cellsAround(grid, cell)
          const place = placeOfCell(cell)
          const box = place.grid.boxOf(place.range)
          const inner = [
            [box.west, box.held],
            [box.west, (box.held + box.open) / 2],
            [(box.west + box.east) / 2, box.held],
            [neighbour(box.east, -1), box.open + (box.held - box.open) * 1e-9],
          ] as const
          const columns = inner.map(([lon]) => grid.columnOf(lon))
          const rows = inner.map(([, lat]) => grid.rowOf(lat))
          expect(range).toEqual({
            firstColumn: Math.min(...columns),
            lastColumn: Math.max(...columns),
            firstRow: Math.min(...rows),
            lastRow: Math.max(...rows),
          })
        },
      ),
      { numRuns: 1000 },
    )
  })
})
