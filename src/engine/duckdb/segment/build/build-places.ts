import type { FieldLayout } from '../../index/table-layout.ts'
import { BLOCK, type BlockBoxes, NO_KEY, type PointColumn, type Points, type ShapeColumn } from '../column.ts'
import type { ColumnData } from '../segment-data.ts'
import { sharedFloat64s, sharedUint8s, sharedUint32s } from '../shared-arrays.ts'
import { arrangePositions, type ColumnSource, columnsOfSources, moveValues, type Positions } from './build-positions.ts'
import { type BuildRows, DROPPED } from './build-rows.ts'

/** Builds the column of a GEO_POINT. Undefined if no row has a value. */
export function buildPoints(field: FieldLayout, { sources, count }: BuildRows): ColumnData | undefined {
  const columns = columnsOfSources(sources, (part) => placeColumn<PointColumn>(part.column(field), 'point'))
  const positions = arrangePositions(columns, count, ({ high }, row) => high[row] !== NO_KEY)
  const points = movePoints(columns, positions)
  if (points === undefined) return undefined
  const { starts } = positions
  return {
    kind: 'point',
    path: field.path,
    type: field.type,
    ...points,
    ...(starts === undefined ? {} : { starts }),
    blockBoxes: boxBlocks(count, starts, points.lon, points.lat, points.lon, points.lat),
  }
}

/** Builds the column of a GEO_SHAPE. Undefined if no row has a value. */
export function buildShapes(field: FieldLayout, { sources, count }: BuildRows): ColumnData | undefined {
  const columns = columnsOfSources(sources, (part) => placeColumn<ShapeColumn>(part.column(field), 'shape'))
  const positions = { count }
  const points = movePoints(columns, positions)
  if (points === undefined) return undefined
  const west = moveDoubles(columns, positions, (c) => c.west)
  const south = moveDoubles(columns, positions, (c) => c.south)
  const east = moveDoubles(columns, positions, (c) => c.east)
  const north = moveDoubles(columns, positions, (c) => c.north)
  return {
    kind: 'shape',
    path: field.path,
    type: field.type,
    ...points,
    ...{ west, south, east, north },
    ...moveShapes(columns, count),
    blockBoxes: boxBlocks(count, undefined, west, south, east, north),
  }
}

const placeColumn = <C extends PointColumn | ShapeColumn>(
  column: { readonly kind: string } | undefined,
  kind: C['kind'],
): C | undefined => (column?.kind === kind ? (column as C) : undefined)

type Sources<C> = readonly ColumnSource<C & { readonly starts?: Uint32Array }>[]

/** Returns undefined if there are none. */
function movePoints<C extends Points>(columns: Sources<C>, positions: Positions): Points | undefined {
  const high = moveIntegers(columns, positions, (c) => c.high, NO_KEY)
  if (high.every((key) => key === NO_KEY)) return undefined
  return {
    lon: moveDoubles(columns, positions, (c) => c.lon),
    lat: moveDoubles(columns, positions, (c) => c.lat),
    high,
    low: moveIntegers(columns, positions, (c) => c.low, 0),
  }
}

function moveDoubles<C extends Points>(
  columns: Sources<C>,
  positions: Positions,
  valuesOf: (column: C) => Float64Array,
): Float64Array {
  const moved = sharedFloat64s(positions.count).fill(Number.NaN)
  for (const source of columns) {
    const values = valuesOf(source.column)
    const read = (from: number, to: number, into: Float64Array): void => into.set(values.subarray(from, to))
    moveValues(source, read, (length) => new Float64Array(length), positions, moved)
  }
  return moved
}

function moveIntegers<C extends Points>(
  columns: Sources<C>,
  positions: Positions,
  valuesOf: (column: C) => Uint32Array,
  none: number,
): Uint32Array {
  const moved = sharedUint32s(positions.count).fill(none)
  for (const source of columns) {
    const values = valuesOf(source.column)
    const read = (from: number, to: number, into: Uint32Array): void => into.set(values.subarray(from, to))
    moveValues(source, read, (length) => new Uint32Array(length), positions, moved)
  }
  return moved
}

function moveShapes(columns: Sources<ShapeColumn>, rows: number): Pick<ShapeColumn, 'wkb' | 'wkbStarts'> {
  const starts = sharedFloat64s(rows + 1)
  for (const { column, targets } of columns) {
    for (let row = 0; row < targets.length; row++) {
      const target = targets[row] ?? DROPPED
      if (target !== DROPPED) starts[target + 1] = (column.wkbStarts[row + 1] ?? 0) - (column.wkbStarts[row] ?? 0)
    }
  }
  for (let row = 0; row < rows; row++) starts[row + 1] = (starts[row] ?? 0) + (starts[row + 1] ?? 0)
  const wkb = sharedUint8s(starts[rows] ?? 0)
  for (const { column, targets } of columns) {
    for (let row = 0; row < targets.length; row++) {
      const target = targets[row] ?? DROPPED
      if (target === DROPPED || column.wkbStarts[row] === column.wkbStarts[row + 1]) continue
      wkb.set(column.wkb.subarray(column.wkbStarts[row], column.wkbStarts[row + 1]), starts[target])
    }
  }
  return { wkb, wkbStarts: starts }
}

function boxBlocks(
  rows: number,
  starts: Uint32Array | undefined,
  west: Float64Array,
  south: Float64Array,
  east: Float64Array,
  north: Float64Array,
): BlockBoxes {
  const boxes = sharedFloat64s(4 * Math.ceil(rows / BLOCK))
  for (let from = 0; from < rows; from += BLOCK) {
    const to = Math.min(rows, from + BLOCK)
    const box = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY]
    let [w = 0, s = 0, e = 0, n = 0] = box
    const end = starts === undefined ? to : (starts[to] ?? 0)
    for (let at = starts === undefined ? from : (starts[from] ?? 0); at < end; at++) {
      // Comparisons with NaN are false.
      if ((west[at] ?? 0) < w) w = west[at] ?? 0
      if ((south[at] ?? 0) < s) s = south[at] ?? 0
      if ((east[at] ?? 0) > e) e = east[at] ?? 0
      if ((north[at] ?? 0) > n) n = north[at] ?? 0
    }
    boxes.set([w, s, e, n], (from / BLOCK) * 4)
  }
  return boxes
}
