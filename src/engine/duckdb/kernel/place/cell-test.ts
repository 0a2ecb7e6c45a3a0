import type { Box } from '../../../../geo/area.ts'
import { geohashPointBox, placeOfCell } from '../../../../geo/grid/cell-grid.ts'
import type { HalfOpenBox } from '../../../../geo/grid/half-open-box.ts'
import { meetsCell } from '../../../../geo/grid/shape-cells.ts'
import { insideBox, type Location } from '../../../../geo/polygon/region.ts'
import { boxesMeet } from '../../../../geo/ring.ts'
import type { CellPredicate } from '../../../../query/plan/predicate.ts'
import type { PointColumn, ShapeColumn } from '../../segment/column.ts'
import type { Part } from '../../segment/part.ts'
import type { RowTest } from '../row-test.ts'
import { compilePointTest } from './geo-points.ts'
import { tileRows, tileWords } from './key-ranges.ts'
import { compileShapeTest } from './shape-test.ts'

/** Compiles the test of a grid cell for the rows of a part. */
export function compileCellTest(p: CellPredicate, column: PointColumn | ShapeColumn, part: Part): RowTest {
  const { cell } = p
  const isSorted = part.sortedBy === p.field.path
  if (p.by === 'shape' && column.kind === 'shape') {
    const { grid, range } = placeOfCell(cell)
    const box = closedBox(grid.boxOf(range))
    const locate = locateIn(box)
    return compileShapeTest(column, part.rows, {
      bounds: [box],
      locate,
      locateEnvelope: locate,
      matches: meetsCell(cell),
    })
  }
  if (cell.kind === 'tile') return compileTile(cell, column, part.rows, isSorted)
  const box = closedBox(geohashPointBox(cell.hash))
  return compilePointTest(column, part.rows, isSorted, { bounds: [box], locate: locateIn(box) })
}

const locateIn =
  (box: Box) =>
  (other: Box): Location =>
    insideBox(other, box) ? 1 : boxesMeet(other, box) ? 0 : -1

interface TileCell {
  readonly z: number
  readonly x: number
  readonly y: number
}

/** The keys decide which points lie in a tile. */
function compileTile(
  { z, x, y }: TileCell,
  column: PointColumn | ShapeColumn,
  rows: number,
  isSorted: boolean,
): RowTest {
  const { high, low } = column
  const words = tileWords(z, x, y)
  const [firstHigh, lastHigh] = words.high
  const [firstLow, lastLow] = words.low
  // Either the tile has all lower words, or its keys share one upper word.
  const isIn = (at: number): boolean => {
    const h = high[at] ?? 0
    const l = low[at] ?? 0
    return h >= firstHigh && h <= lastHigh && l >= firstLow && l <= lastLow
  }
  const starts = column.kind === 'point' ? column.starts : undefined
  if (starts) {
    const holds = (row: number): boolean => {
      const end = starts[row + 1] ?? 0
      for (let at = starts[row] ?? 0; at < end; at++) if (isIn(at)) return true
      return false
    }
    return {
      fill: (from, to, mask) => {
        for (let row = from; row < to; row++) mask[row - from] = holds(row) ? 1 : 0
      },
      holds,
    }
  }
  return {
    ...(isSorted
      ? { candidates: { kind: 'ranges', ranges: [tileRows(column, rows, z, x, y)], exact: true } as const }
      : {}),
    fill: (from, to, mask) => {
      for (let row = from; row < to; row++) {
        const h = high[row] ?? 0
        const l = low[row] ?? 0
        mask[row - from] = h >= firstHigh && h <= lastHigh && l >= firstLow && l <= lastLow ? 1 : 0
      }
    },
    holds: isIn,
  }
}

/** Returns the closed box with the same doubles. */
function closedBox({ west, east, held, open }: HalfOpenBox): Box {
  return held < open
    ? { west, south: held, east: doubleBelow(east), north: doubleBelow(open) }
    : { west, south: -doubleBelow(-open), east: doubleBelow(east), north: held }
}

const double = new Float64Array(1)
const bits = new BigInt64Array(double.buffer)

/** Returns the greatest double less than `value`, which is finite. */
function doubleBelow(value: number): number {
  if (value === 0) return -Number.MIN_VALUE
  double[0] = value
  bits[0] = (bits[0] ?? 0n) + (value > 0 ? -1n : 1n)
  return double[0]
}
