import { type PreparedArea, prepareArea } from '../../../geo/area/prepared-area.ts'
import { tileKeyRange } from '../../../geo/grid/morton-key.ts'
import { and, type CellPredicate, type GeoPredicate, type Predicate } from '../../../query/plan/predicate.ts'
import { inTurns } from '../../../turn.ts'
import { coverAreas, type KeyRange } from '../condition/key-cover.ts'
import { BLOCK, type RowFile } from '../files/row-file.ts'
import { countRows, intersectSpans, type RowSpan, RowSpans } from '../files/row-spans.ts'
import type { IndexTable } from '../index/index-table.ts'
import { canMatch } from './row-match.ts'

/** Rows whose place matches a predicate. */
export interface PlacedRows {
  readonly spans: readonly RowSpan[]
  /** Other conditions, on dates and ranks only. */
  readonly rest: Predicate
}

/** Maximum number of points tested one by one, in turns. With more, the statement of the database is faster. */
const MOST_TESTED = 2_000_000
/** Number of points held in memory. */
const TESTED_AT_ONCE = 32_768

/** Finds the rows of a predicate that filters by place. Undefined if the row file cannot answer it. */
export async function findPlacedRows(
  predicate: Predicate,
  [table, ...others]: readonly IndexTable[],
): Promise<PlacedRows | undefined> {
  const { rows } = table?.files ?? {}
  if (!table?.tellsPlaces || !rows || others.length > 0) return undefined
  const { places, rest } = splitMembers(predicate, table, rows.lists.placePath)
  if (places.length === 0 || !rest.every((member) => canMatch(member, table))) return undefined
  const demands: Demand[] = []
  let spans: readonly RowSpan[] = [{ first: 0, end: rows.lists.rows }]
  for (const place of places) {
    if (place.kind === 'areas') demands.push(place.areas)
    const ranges = place.kind === 'areas' ? coverAreas(place.areas) : [tileKeyRange(place.z, place.x, place.y)]
    spans = intersectSpans(spans, await spansOf(ranges, rows))
  }
  const found = demands.length > 0 ? await rowsInAreas(spans, demands, rows) : spans
  return found && { spans: found, rest: and(rest) }
}

/** True if the predicate filters by place only. */
export const demandsPlaceOnly = (predicate: Predicate, table: IndexTable, path: string): boolean =>
  splitMembers(predicate, table, path).rest.length === 0

/** A point must lie in at least one of the areas. */
type Demand = readonly PreparedArea[]

type Place = { readonly kind: 'areas'; readonly areas: Demand } | ({ readonly kind: 'tile' } & TileCell)

type TileCell = Extract<CellPredicate['cell'], { readonly kind: 'tile' }>

function splitMembers(
  predicate: Predicate,
  table: IndexTable,
  path: string,
): { places: readonly Place[]; rest: readonly Predicate[] } {
  const places: Place[] = []
  const rest: Predicate[] = []
  for (const member of predicate.kind === 'and' ? predicate.members : [predicate]) {
    const place = placeOf(member, table, path)
    if (place) places.push(place)
    else rest.push(member)
  }
  return { places, rest }
}

function placeOf(p: Predicate, table: IndexTable, path: string): Place | undefined {
  const isIn = ({ field }: GeoPredicate | CellPredicate): boolean =>
    field.path === path && table.field(field) !== undefined
  if (p.kind === 'cell') return isIn(p) && p.by === 'point' && p.cell.kind === 'tile' ? p.cell : undefined
  const areas: PreparedArea[] = []
  for (const member of p.kind === 'or' ? p.members : [p]) {
    if (member.kind !== 'geo' || !isIn(member)) return undefined
    areas.push(prepareArea(member.area, 'many'))
  }
  return { kind: 'areas', areas }
}

async function spansOf(ranges: readonly KeyRange[], rows: RowFile): Promise<readonly RowSpan[]> {
  const spans = new RowSpans()
  for (const { first, last } of ranges) spans.add(await rows.firstFrom(first), await rows.firstFrom(last + 1n))
  return spans.spans
}

/** Rows of one block. */
export interface Piece extends RowSpan {
  readonly block: number
}

/**
 * The box decides whether a block is inside or outside. The rows of other blocks are tested one by one, unless there
 * are too many.
 */
async function rowsInAreas(
  spans: readonly RowSpan[],
  demands: readonly Demand[],
  rows: RowFile,
): Promise<readonly RowSpan[] | undefined> {
  const { boxes } = await rows.blocks()
  const near: Piece[] = []
  const mixed: Piece[] = []
  await inTurns(piecesOf(spans), (piece) => {
    const location = locateBlock(demands, boxes, piece.block)
    if (location >= 0) near.push(piece)
    if (location === 0) mixed.push(piece)
  })
  if (countRows(mixed) > MOST_TESTED) return undefined
  const isMixed = new Set(mixed)
  const inside = new RowSpans()
  let ahead: Piece[] = []
  let waiting = 0
  const test = async (): Promise<void> => {
    const some = ahead
    ahead = []
    waiting = 0
    const points = (await rows.points(some.filter((piece) => isMixed.has(piece)))).values()
    await inTurns(some, (piece) => {
      if (isMixed.has(piece)) addInside(inside, piece.first, points.next().value ?? NO_POINTS, demands)
      else inside.add(piece.first, piece.end)
    })
  }
  for (const piece of near) {
    ahead.push(piece)
    if (isMixed.has(piece)) waiting += piece.end - piece.first
    if (waiting >= TESTED_AT_ONCE) await test()
  }
  await test()
  return inside.spans
}

const NO_POINTS = new Float64Array(0)

export function* piecesOf(spans: readonly RowSpan[]): Iterable<Piece> {
  for (const { first, end } of spans) {
    for (let next = first; next < end; ) {
      const block = Math.floor(next / BLOCK)
      const piece = { block, first: next, end: Math.min(end, (block + 1) * BLOCK) }
      yield piece
      next = piece.end
    }
  }
}

/** Returns 1 if the whole block is inside, -1 if all of it is outside, 0 if the box does not decide. */
function locateBlock(demands: readonly Demand[], boxes: Float64Array, block: number): number {
  const at = 4 * block
  const box = { west: boxes[at] ?? 0, south: boxes[at + 1] ?? 0, east: boxes[at + 2] ?? 0, north: boxes[at + 3] ?? 0 }
  let location = 1
  for (const areas of demands) location = Math.min(location, Math.max(...areas.map((area) => area.locateBox(box))))
  return location
}

function addInside(inside: RowSpans, first: number, points: Float64Array, demands: readonly Demand[]): void {
  for (let i = 0; 2 * i < points.length; i++) {
    const [lon, lat] = [points[2 * i] ?? 0, points[2 * i + 1] ?? 0]
    const isInside = demands.every((areas) => areas.some((area) => area.coversPoint(lon, lat)))
    if (isInside) inside.add(first + i, first + i + 1)
  }
}
