import type { Box } from '../../../../geo/area.ts'
import { boxHolds } from '../../../../geo/box.ts'
import type { Location } from '../../../../geo/polygon/region.ts'
import type { PointColumn, Points, ShapeColumn } from '../../segment/column.ts'
import type { RowTest } from '../row-test.ts'
import { blockDecision } from './geo-blocks.ts'
import { type Edges, keepEnclosed } from './geo-border.ts'
import { candidatesOf, coverRows, type RowSpan, spanAfter, type TileArea } from './key-ranges.ts'

/** What points have to lie in. */
interface PointArea {
  /** Closed boxes that together contain the area. Without `covers` they are the area. */
  readonly bounds: readonly Box[]
  /** Boxes in the area: points in them need no exact test. */
  readonly inner?: () => readonly Box[]
  readonly covers?: Covers
  /** The border of an area that is what it encloses. */
  readonly edges?: Edges | undefined
  /** 1 if all points of a box lie in the area, -1 if none does, 0 if unknown. */
  readonly locate: (box: Box) => Location
}

/** Tests the rows from `from` to `to`; `mask[0]` belongs to row `base`. */
type RangeTest = (from: number, to: number, mask: Uint8Array, base: number) => void

interface RangeTests {
  readonly fill: RangeTest
  readonly refine?: RangeTest
}

type Covers = (lon: number, lat: number) => boolean

/**
 * Compiles the test whether a point of a row, or the centroid of its shape, lies in an area. `isSorted`: the rows are
 * sorted by the keys of the column.
 */
export function compilePointTest(
  column: PointColumn | ShapeColumn,
  rows: number,
  isSorted: boolean,
  area: PointArea,
): RowTest {
  const starts = column.kind === 'point' ? column.starts : undefined
  // Centroids may lie outside the boxes of the envelopes.
  const decide = column.kind === 'point' ? blockDecision(column, rows, area.locate) : undefined
  const spans = isSorted && !starts ? coverRows(column, rows, tileArea(area)) : undefined
  // Spans leave only points near the border to be tested.
  const covers = area.covers && (spans ? area.covers : unlessIn(area.inner?.() ?? [], area.covers))
  const isNear = inAny(area.bounds)
  const { lon, lat } = column
  const matches = (at: number): boolean => {
    const x = lon[at] ?? Number.NaN
    const y = lat[at] ?? Number.NaN
    return isNear(x, y) && (covers === undefined || covers(x, y))
  }
  const holds = starts ? anyValue(starts, matches) : matches
  const tests: RangeTests = {
    fill: starts ? fillBy(holds) : singlePoints(column, area.bounds, covers),
    ...(covers ? { refine: refineBy(holds) } : {}),
  }
  const { fill, refine } = spans ? inSpans(spans, tests, column, covers) : tests
  return {
    ...(spans ? { candidates: candidatesOf(spans) } : {}),
    ...(decide ? { decide } : {}),
    fill: (from, to, mask) => fill(from, to, mask, from),
    ...(refine ? { refine: (from, to, mask) => refine(from, to, mask, from), isExpensive: true } : {}),
    holds,
  }
}

const tileArea = ({ locate, edges, covers }: PointArea): TileArea =>
  edges && covers ? { locate, border: { edges, covers } } : { locate }

const unlessIn =
  (inner: readonly Box[], covers: Covers): Covers =>
  (lon, lat) => {
    for (const box of inner) if (boxHolds(box, lon, lat)) return true
    return covers(lon, lat)
  }

function inAny(boxes: readonly Box[]): Covers {
  const [only] = boxes
  if (only && boxes.length === 1) return (lon, lat) => boxHolds(only, lon, lat)
  return (lon, lat) => boxes.some((box) => boxHolds(box, lon, lat))
}

const anyValue =
  (starts: Uint32Array, matches: (at: number) => boolean): ((row: number) => boolean) =>
  (row) => {
    const end = starts[row + 1] ?? 0
    for (let at = starts[row] ?? 0; at < end; at++) if (matches(at)) return true
    return false
  }

const fillBy =
  (holds: (row: number) => boolean): RangeTest =>
  (from, to, mask, base) => {
    for (let row = from; row < to; row++) mask[row - base] = holds(row) ? 1 : 0
  }

const refineBy =
  (holds: (row: number) => boolean): RangeTest =>
  (from, to, mask, base) => {
    for (let row = from; row < to; row++) if (mask[row - base] === 1 && !holds(row)) mask[row - base] = 0
  }

function singlePoints({ lon, lat }: Points, boxes: readonly Box[], covers: Covers | undefined): RangeTest {
  const [only] = boxes
  return (from, to, mask, base) => {
    if (only && boxes.length === 1) markBox(lon, lat, only, from, to, mask, base)
    else markBoxes(lon, lat, boxes, from, to, mask, base)
    if (!covers) return
    for (let row = from; row < to; row++) {
      if (mask[row - base] === 1 && !covers(lon[row] ?? 0, lat[row] ?? 0)) mask[row - base] = 0
    }
  }
}

function markBox(
  lon: Float64Array,
  lat: Float64Array,
  { west, south, east, north }: Box,
  from: number,
  to: number,
  mask: Uint8Array,
  base: number,
): void {
  for (let row = from; row < to; row++) {
    const x = lon[row] ?? 0
    const y = lat[row] ?? 0
    mask[row - base] = x >= west && x <= east && y >= south && y <= north ? 1 : 0
  }
}

function markBoxes(
  lon: Float64Array,
  lat: Float64Array,
  boxes: readonly Box[],
  from: number,
  to: number,
  mask: Uint8Array,
  base: number,
): void {
  mask.fill(0, from - base, to - base)
  for (const { west, south, east, north } of boxes) {
    for (let row = from; row < to; row++) {
      const x = lon[row] ?? 0
      const y = lat[row] ?? 0
      if (x >= west && x <= east && y >= south && y <= north) mask[row - base] = 1
    }
  }
}

/** Tests rows by the spans they lie in. */
function inSpans(
  spans: readonly RowSpan[],
  { fill, refine }: RangeTests,
  { lon, lat }: Points,
  covers: Covers | undefined,
): RangeTests {
  const walk =
    (border: RangeTest, isFill: boolean): RangeTest =>
    (from, to, mask, base) => {
      let row = from
      for (let i = spanAfter(spans, from); row < to; i++) {
        const span = spans[i]
        const start = Math.max(row, Math.min(to, span?.from ?? to))
        if (start > row) mask.fill(0, row - base, start - base)
        row = start
        if (!span || row === to) continue
        const end = Math.min(to, span.to)
        const { edges } = span
        if (isFill && (span.inside || edges)) mask.fill(1, row - base, end - base)
        if (edges && covers) keepEnclosed(lon, lat, edges, covers, row, end, mask, base)
        else if (!span.inside) border(row, end, mask, base)
        row = end
      }
    }
  return { fill: walk(fill, true), ...(refine ? { refine: walk(refine, false) } : {}) }
}
