import type { Box } from '../../../../geo/area.ts'
import type { Location } from '../../../../geo/polygon/region.ts'
import { BLOCK, type PointColumn, type ShapeColumn } from '../../segment/column.ts'
import type { RowTest } from '../row-test.ts'

type GeoColumn = PointColumn | ShapeColumn

const UNKNOWN = 0
const COMPLETE = 1
const INCOMPLETE = 2

/** Whether all rows of a block have a value, as far as known. Columns with block boxes do not change. */
const completeness = new WeakMap<GeoColumn, Uint8Array>()

/** Returns a test of blocks by their boxes. `locate` returns 1 if everything in a box matches, -1 if nothing does. */
export function blockDecision(
  column: GeoColumn,
  rows: number,
  locate: (box: Box) => Location,
): NonNullable<RowTest['decide']> | undefined {
  const boxes = column.blockBoxes
  if (!boxes) return undefined
  return (block) => {
    const west = boxes[4 * block] ?? Number.NaN
    const south = boxes[4 * block + 1] ?? Number.NaN
    const east = boxes[4 * block + 2] ?? Number.NaN
    const north = boxes[4 * block + 3] ?? Number.NaN
    if (Number.isNaN(west)) return 'some'
    if (west > east) return 'none'
    const location = locate({ west, south, east, north })
    if (location < 0) return 'none'
    return location > 0 && isComplete(column, block, rows) ? 'all' : 'some'
  }
}

function isComplete(column: GeoColumn, block: number, rows: number): boolean {
  const known = completeness.get(column) ?? new Uint8Array(Math.ceil(rows / BLOCK))
  if (known.length === 0) return false
  completeness.set(column, known)
  if (known[block] === UNKNOWN) {
    known[block] = haveValues(column, block * BLOCK, Math.min(rows, (block + 1) * BLOCK)) ? COMPLETE : INCOMPLETE
  }
  return known[block] === COMPLETE
}

function haveValues(column: GeoColumn, from: number, to: number): boolean {
  const starts = column.kind === 'point' ? column.starts : undefined
  if (starts) {
    for (let row = from; row < to; row++) if (starts[row] === starts[row + 1]) return false
    return true
  }
  const values = column.kind === 'point' ? column.lon : column.west
  for (let row = from; row < to; row++) if (Number.isNaN(values[row] ?? Number.NaN)) return false
  return true
}
