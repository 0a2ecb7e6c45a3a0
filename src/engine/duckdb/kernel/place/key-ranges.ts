import type { Box } from '../../../../geo/area.ts'
import { tileKeyRange } from '../../../../geo/grid/morton-key.ts'
import { tileBounds } from '../../../../geo/grid/tile.ts'
import type { Location } from '../../../../geo/polygon/region.ts'
import { LOW_BITS, type Points } from '../../segment/column.ts'
import type { Candidates, RowRange } from '../row-test.ts'
import { type Edges, edgesEast, someEdgeIn } from './geo-border.ts'

type Keys = Pick<Points, 'high' | 'low'>

/** Rows of one or several tiles. `inside`: all of them match; otherwise some may. */
export interface RowSpan {
  readonly from: number
  readonly to: number
  readonly inside: boolean
  /** Edges of the area that decide the points of a span that is not inside. */
  readonly edges?: Edges
}

/** The area of a cover. */
export interface TileArea {
  /** 1 if all points of a box match, -1 if none does, 0 if unknown. */
  readonly locate: (box: Box) => Location
  /** The border, if the area is what it encloses. It decides more boxes than `locate`. */
  readonly border?: { readonly edges: Edges; readonly covers: (lon: number, lat: number) => boolean }
}

const DEEPEST_ZOOM = 29
/** Zoom of the tiles whose keys are the upper words. */
const HIGH_ZOOM = 14
const LOWEST_BITS = 2 ** LOW_BITS - 1

/** Testing this many rows costs about as much as visiting another tile. */
const FEW_ROWS = 192
/** A ray that may meet more edges than this costs more than a look into the index of the area. */
const MOST_EDGES = 64
/** Guards against areas with a border almost everywhere. */
const MOST_TILES = 8192
/** Gaps of fewer rows between two ranges are not worth another range. */
const SHORT_GAP = 128
/** Degrees. Larger than any rounding error between the key of a point and the bounds of its tile. */
const PAD = 1e-9

/** Returns the rows with keys of a tile of zoom 0 to 29, if rows are sorted by key. */
export function tileRows(keys: Keys, rows: number, z: number, x: number, y: number): RowRange {
  const { first, last } = tileKeyRange(z, x, y)
  const from = firstFrom(keys, 0, rows, highOf(first), lowOf(first))
  return [from, firstFrom(keys, from, rows, highOf(last + 1n), lowOf(last + 1n))]
}

const highOf = (key: bigint): number => Number(key >> BigInt(LOW_BITS))
const lowOf = (key: bigint): number => Number(key & BigInt(LOWEST_BITS))

/** Returns the upper and lower words of the first and last key of a tile. */
export function tileWords(
  z: number,
  x: number,
  y: number,
): { readonly high: readonly [number, number]; readonly low: readonly [number, number] } {
  const { first, last } = tileKeyRange(z, x, y)
  return { high: [highOf(first), highOf(last)], low: [lowOf(first), lowOf(last)] }
}

/** Returns the first row from `from` to `to` whose key is not less than a key, or `to`. */
function firstFrom({ high, low }: Keys, from: number, to: number, keyHigh: number, keyLow: number): number {
  let before = from
  let end = to
  while (before < end) {
    const middle = (before + end) >>> 1
    const h = high[middle] ?? 0
    if (h < keyHigh || (h === keyHigh && (low[middle] ?? 0) < keyLow)) before = middle + 1
    else end = middle
  }
  return before
}

/**
 * Returns the rows of points that may lie in an area: tiles are quartered until they lie inside or outside or have few
 * rows. Rows are sorted by key.
 */
export function coverRows(keys: Keys, rows: number, { locate, border }: TileArea): readonly RowSpan[] {
  const spans: RowSpan[] = []
  let tiles = 0

  const add = (from: number, to: number, inside: boolean, edges: Edges | undefined): void => {
    const last = spans.at(-1)
    if (last && last.to === from && last.inside === inside && !last.edges && !edges) {
      spans[spans.length - 1] = { from: last.from, to, inside }
    } else spans.push({ from, to, inside, ...(edges ? { edges } : {}) })
  }

  const visit = (
    z: number,
    x: number,
    y: number,
    high: number,
    low: number,
    from: number,
    to: number,
    edgesAround: Edges | undefined,
  ): void => {
    if (from === to) return
    tiles++
    const box = boxOfTile(z, x, y)
    const edges = edgesAround && edgesEast(edgesAround, box)
    const location = edges && border ? locateByEdges(edges, box, border.covers) : locate(box)
    if (location < 0) return
    if (location > 0 || z === DEEPEST_ZOOM || to - from <= FEW_ROWS || tiles > MOST_TILES) {
      const decides = location === 0 && edges !== undefined && edges.length <= 4 * MOST_EDGES
      add(from, to, location > 0, decides ? edges : undefined)
      return
    }
    const highStep = z < HIGH_ZOOM ? 4 ** (HIGH_ZOOM - z - 1) : 0
    const lowStep = z < HIGH_ZOOM ? 0 : 4 ** (DEEPEST_ZOOM - z - 1)
    let start = from
    for (let child = 0; child < 4; child++) {
      const end =
        child === 3 ? to : firstFrom(keys, start, to, high + (child + 1) * highStep, low + (child + 1) * lowStep)
      visit(
        z + 1,
        2 * x + (child & 1),
        2 * y + (child >> 1),
        high + child * highStep,
        low + child * lowStep,
        start,
        end,
        edges,
      )
      start = end
    }
  }
  // Rows without a key come last.
  visit(0, 0, 0, 0, 0, 0, firstFrom(keys, 0, rows, 4 ** HIGH_ZOOM, 0), border?.edges)
  return spans
}

/** A box that meets no edge is decided by any of its points. */
function locateByEdges(edges: Edges, box: Box, covers: (lon: number, lat: number) => boolean): Location {
  if (someEdgeIn(edges, box)) return 0
  return covers((box.west + box.east) / 2, (box.south + box.north) / 2) ? 1 : -1
}

/** Returns a box that surely contains the points of a tile. Latitudes beyond the projection belong to the outer rows. */
function boxOfTile(z: number, x: number, y: number): Box {
  const { west, south, east, north } = tileBounds(z, x, y)
  return {
    west: Math.max(west - PAD, -180),
    south: y === 2 ** z - 1 ? -90 : south - PAD,
    east: Math.min(east + PAD, 180),
    north: y === 0 ? 90 : north + PAD,
  }
}

/** Joins spans to ranges of rows. Rows in gaps between spans do not match. */
export function candidatesOf(spans: readonly RowSpan[]): Candidates {
  const exact = spans.every(({ inside }) => inside)
  const gap = exact ? 0 : SHORT_GAP
  const ranges: RowRange[] = []
  for (const { from, to } of spans) {
    const last = ranges.at(-1)
    if (last && from - last[1] <= gap) ranges[ranges.length - 1] = [last[0], to]
    else ranges.push([from, to])
  }
  return { kind: 'ranges', ranges, exact }
}

/** Returns the index of the first span that ends after a row. */
export function spanAfter(spans: readonly RowSpan[], row: number): number {
  let before = 0
  let end = spans.length
  while (before < end) {
    const middle = (before + end) >>> 1
    if ((spans[middle]?.to ?? 0) <= row) before = middle + 1
    else end = middle
  }
  return before
}
