import { clusteringField, type FieldLayout, type TableLayout } from '../../index/table-layout.ts'
import { BLOCK, NO_KEY, type PointColumn, type ShapeColumn } from '../column.ts'
import type { Part } from '../part.ts'
import { sortedPositions } from './build-order.ts'

/** Target of rows that are dropped. */
export const DROPPED = 0xffffffff

/** The rows of some parts and their places in a new segment. */
export interface BuildRows {
  readonly sources: readonly SourcePart[]
  /** Number of rows of the segment. */
  readonly count: number
  /** The field whose Morton keys the segment is sorted by, if one of its rows has a value. */
  readonly cluster: FieldLayout | undefined
}

/** Where the rows of some parts go. */
export interface ArrangedRows extends Omit<BuildRows, 'sources'> {
  /** By part; see SourcePart. */
  readonly targets: readonly Uint32Array[]
}

export interface SourcePart {
  readonly part: Part
  /** The row in the segment by the row in the part, or DROPPED. */
  readonly targets: Uint32Array
}

/** Sorts the live rows of parts. */
export function arrangeRows(parts: readonly Part[], layout: TableLayout): ArrangedRows {
  const targets = parts.map(({ rows }) => new Uint32Array(rows).fill(DROPPED))
  const live = parts.map(liveRows)
  const count = live.reduce((sum, rows) => sum + rows.length, 0)
  const field = clusteringField(layout)
  const columns = parts.map((part) => field && placesOf(part, field))
  if (columns.every((column) => column === undefined)) {
    let target = 0
    for (const [p, own] of targets.entries()) for (const row of live[p] ?? []) own[row] = target++
    return { targets, count, cluster: undefined }
  }
  const high = new Uint32Array(count).fill(NO_KEY)
  const low = new Uint32Array(count)
  // Which row of which part a key belongs to.
  const from = new Uint32Array(count)
  const starts: number[] = []
  let end = 0
  for (const [p, rows] of live.entries()) {
    starts.push(end)
    from.set(rows, end)
    const column = columns[p]
    if (column) readKeys(column, rows, high.subarray(end), low.subarray(end))
    end += rows.length
  }
  placeRows(targets, starts, from, sortedPositions([high, low]))
  return { targets, count, cluster: field }
}

function placesOf(part: Part, field: FieldLayout): PointColumn | ShapeColumn | undefined {
  const column = part.column(field)
  return column?.kind === 'point' || column?.kind === 'shape' ? column : undefined
}

/** Ascending. */
function liveRows({ rows, live }: Part): Uint32Array {
  const found = new Uint32Array(rows - live.dead)
  const mask = new Uint8Array(BLOCK)
  let end = 0
  for (let from = 0; from < rows; from += BLOCK) {
    const to = Math.min(rows, from + BLOCK)
    mask.fill(1)
    live.clearDead(from, to, mask)
    for (let row = from; row < to; row++) if (mask[row - from] === 1) found[end++] = row
  }
  return found
}

/** Reads the keys of the first points of rows. */
function readKeys(column: PointColumn | ShapeColumn, rows: Uint32Array, high: Uint32Array, low: Uint32Array): void {
  const starts = column.kind === 'point' ? column.starts : undefined
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] ?? 0
    const at = starts === undefined ? row : (starts[row] ?? 0)
    if (starts !== undefined && starts[row + 1] === at) continue
    high[i] = column.high[at] ?? NO_KEY
    low[i] = column.low[at] ?? 0
  }
}

function placeRows(
  targets: readonly Uint32Array[],
  starts: readonly number[],
  from: Uint32Array,
  order: Uint32Array,
): void {
  const inverse = new Uint32Array(order.length)
  for (let target = 0; target < order.length; target++) inverse[order[target] ?? 0] = target
  for (const [p, own] of targets.entries()) {
    const end = starts[p + 1] ?? order.length
    for (let i = starts[p] ?? 0; i < end; i++) own[from[i] ?? 0] = inverse[i] ?? 0
  }
}
