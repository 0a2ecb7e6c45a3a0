import { type PreparedArea, prepareArea } from '../../../geo/area/prepared-area.ts'
import type { Box } from '../../../geo/area.ts'
import { type Cell, cellBounds } from '../../../geo/grid/cell.ts'
import { tileKeyRange } from '../../../geo/grid/morton-key.ts'
import { tileOf } from '../../../geo/grid/tile.ts'
import type { Predicate } from '../../../query/plan/predicate.ts'
import type { IndexDefinition } from '../index/index-definition.ts'
import type { IndexTable } from '../index/index-table.ts'
import { mostRowsBetween } from '../index/key-marks.ts'

/** Inclusive range of Morton keys. */
export interface KeyRange {
  readonly first: bigint
  readonly last: bigint
}

const DEEPEST_ZOOM = 29

/** Up to this many rows between two ranges are scanned rather than querying the ranges separately. */
const MOST_BETWEEN = 100_000

/**
 * Returns disjoint, sorted key ranges that contain every row the predicate can match. Undefined if it does not restrict
 * the place. Rows are stored in key order, and DuckDB skips row groups for one range but not for an OR of several: a
 * query has one part per range.
 */
export function coverPredicate(predicate: Predicate, table: IndexTable): readonly KeyRange[] | undefined {
  const clustering = table.clusteringField
  // With several points, only the first determines the position of a row.
  if (!clustering || clustering.several) return undefined
  const members = predicate.kind === 'and' ? predicate.members : [predicate]
  const covers = members.flatMap((m) => {
    if ((m.kind !== 'geo' && m.kind !== 'cell') || table.field(m.field) !== clustering) return []
    if (m.kind === 'cell') return m.by === 'point' ? [coverCell(m.cell)] : []
    return clustering.type === 'GEO_POINT' ? [coverAreas([prepareArea(m.area)])] : []
  })
  const narrowest = covers.sort((a, b) => Number(width(a) - width(b)))[0]
  return narrowest && joinNear(narrowest, table.definition)
}

/**
 * Joins ranges with few rows between them: scanning these costs less than another part of the query. In a table that
 * was never arranged, rows are in any order and every part would scan all of them, so all ranges are joined.
 */
export function joinNear(
  ranges: readonly KeyRange[],
  { keyMarks, arrangedSeq }: Pick<IndexDefinition, 'keyMarks' | 'arrangedSeq'>,
): readonly KeyRange[] {
  const isNear = (before: KeyRange, next: KeyRange): boolean => {
    if (arrangedSeq === 0) return true
    return keyMarks !== undefined && mostRowsBetween(keyMarks, before.last + 1n, next.first - 1n) <= MOST_BETWEEN
  }
  const joined: KeyRange[] = []
  for (const range of ranges) {
    const before = joined.at(-1)
    if (before && isNear(before, range)) joined[joined.length - 1] = { first: before.first, last: range.last }
    else joined.push(range)
  }
  return joined
}

/** Covers the points of any of the areas. */
export const coverAreas = (areas: readonly PreparedArea[]): readonly KeyRange[] =>
  merge(areas.flatMap(({ bounds }) => bounds.flatMap(coverBox)))

const coverCell = (cell: Cell): readonly KeyRange[] =>
  cell.kind === 'tile' ? [tileKeyRange(cell.z, cell.x, cell.y)] : merge(coverBox(cellBounds(cell)))

/** Covers a box with at most four tiles, at the deepest zoom where it spans at most two in each direction. */
function coverBox(box: Box): readonly KeyRange[] {
  const northWest = tileOf(box.west, box.north, DEEPEST_ZOOM)
  const southEast = tileOf(box.east, box.south, DEEPEST_ZOOM)
  const spans = (up: number, axis: 'x' | 'y'): number =>
    Math.floor(southEast[axis] / 2 ** up) - Math.floor(northWest[axis] / 2 ** up)
  let up = 0
  while (spans(up, 'x') > 1 || spans(up, 'y') > 1) up++
  const ranges: KeyRange[] = []
  for (let x = Math.floor(northWest.x / 2 ** up); x <= Math.floor(southEast.x / 2 ** up); x++) {
    for (let y = Math.floor(northWest.y / 2 ** up); y <= Math.floor(southEast.y / 2 ** up); y++) {
      ranges.push(tileKeyRange(DEEPEST_ZOOM - up, x, y))
    }
  }
  return ranges
}

function merge(ranges: readonly KeyRange[]): readonly KeyRange[] {
  const sorted = ranges.toSorted((a, b) => (a.first < b.first ? -1 : 1))
  const merged: KeyRange[] = []
  for (const range of sorted) {
    const before = merged.at(-1)
    if (before && range.first <= before.last + 1n) {
      merged[merged.length - 1] = { first: before.first, last: range.last > before.last ? range.last : before.last }
    } else merged.push(range)
  }
  return merged
}

const width = (ranges: readonly KeyRange[]): bigint => ranges.reduce((sum, r) => sum + (r.last - r.first), 0n)
