import { tileKeyRange } from '../../geo/morton-key.ts'
import { type PreparedArea, prepareArea } from '../../geo/prepared-area.ts'
import { and, type CellPredicate, type GeoPredicate, type Predicate } from '../../query/predicate.ts'
import { inTurns } from '../../turn.ts'
import type { IndexTable } from './index-table.ts'
import { coverArea, type KeyRange } from './key-cover.ts'
import { BLOCK, type RowFile } from './row-file.ts'
import { canMatch } from './row-match.ts'
import { countRows, intersectSpans, type RowSpan, RowSpans } from './row-spans.ts'

/** The rows whose place is as a predicate demands. */
export interface PlacedRows {
  readonly spans: readonly RowSpan[]
  /** What must hold beside that; dates and ranks tell it. */
  readonly rest: Predicate
}

/** Points that are tested one by one; beyond that the database, which uses all threads, is sooner done. */
const MOST_TESTED = 200_000

/** Finds the rows of a predicate that demands a place; undefined where the file of rows does not tell them. */
export async function findPlacedRows(
  predicate: Predicate,
  [table, ...others]: readonly IndexTable[],
): Promise<PlacedRows | undefined> {
  const { rows } = table?.files ?? {}
  if (!table?.tellsPlaces || !rows || others.length > 0) return undefined
  const { places, rest } = splitMembers(predicate, table, rows.lists.placePath)
  if (places.length === 0 || !rest.every((member) => canMatch(member, table))) return undefined
  const areas: PreparedArea[] = []
  let spans: readonly RowSpan[] = [{ first: 0, end: rows.lists.rows }]
  for (const place of places) {
    const area = place.kind === 'geo' ? prepareArea(place.area, 'many') : undefined
    if (area) areas.push(area)
    spans = intersectSpans(spans, await spansOf(area ? coverArea(area) : tileRanges(place), rows))
  }
  const found = areas.length > 0 ? await rowsInAreas(spans, areas, rows) : spans
  return found && { spans: found, rest: and(rest) }
}

/** A place is all that a predicate demands. */
export const demandsPlaceOnly = (predicate: Predicate, table: IndexTable, path: string): boolean =>
  splitMembers(predicate, table, path).rest.length === 0

type PlacePredicate = GeoPredicate | CellPredicate

function splitMembers(
  predicate: Predicate,
  table: IndexTable,
  path: string,
): { places: readonly PlacePredicate[]; rest: readonly Predicate[] } {
  const places: PlacePredicate[] = []
  const rest: Predicate[] = []
  for (const member of predicate.kind === 'and' ? predicate.members : [predicate]) {
    if (isPlace(member, table, path)) places.push(member)
    else rest.push(member)
  }
  return { places, rest }
}

function isPlace(p: Predicate, table: IndexTable, path: string): p is PlacePredicate {
  if (p.kind !== 'geo' && p.kind !== 'cell') return false
  if (p.field.path !== path || !table.field(p.field)) return false
  return p.kind === 'geo' || (p.by === 'point' && p.cell.kind === 'tile')
}

const tileRanges = (place: PlacePredicate): readonly KeyRange[] =>
  place.kind === 'cell' && place.cell.kind === 'tile' ? [tileKeyRange(place.cell.z, place.cell.x, place.cell.y)] : []

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
 * Of blocks the box tells whether they are inside or outside; the rows of the others are tested one by one, unless they
 * are too many.
 */
async function rowsInAreas(
  spans: readonly RowSpan[],
  areas: readonly PreparedArea[],
  rows: RowFile,
): Promise<readonly RowSpan[] | undefined> {
  const { boxes } = await rows.blocks()
  const near: Piece[] = []
  const mixed: Piece[] = []
  await inTurns(piecesOf(spans), (piece) => {
    const location = locateBlock(areas, boxes, piece.block)
    if (location >= 0) near.push(piece)
    if (location === 0) mixed.push(piece)
  })
  if (countRows(mixed) > MOST_TESTED) return undefined
  const points = new Map((await rows.points(mixed)).map((found, i) => [mixed[i], found]))
  const inside = new RowSpans()
  await inTurns(near, (piece) => {
    const own = points.get(piece)
    if (own) addInside(inside, piece.first, own, areas)
    else inside.add(piece.first, piece.end)
  })
  return inside.spans
}

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

/** 1 when the whole block is inside all areas, -1 when it is outside one, 0 when its box does not tell. */
function locateBlock(areas: readonly PreparedArea[], boxes: Float64Array, block: number): number {
  const at = 4 * block
  const box = { west: boxes[at] ?? 0, south: boxes[at + 1] ?? 0, east: boxes[at + 2] ?? 0, north: boxes[at + 3] ?? 0 }
  let location = 1
  for (const area of areas) location = Math.min(location, area.locateBox(box))
  return location
}

function addInside(inside: RowSpans, first: number, points: Float64Array, areas: readonly PreparedArea[]): void {
  for (let i = 0; 2 * i < points.length; i++) {
    const [lon, lat] = [points[2 * i] ?? 0, points[2 * i + 1] ?? 0]
    if (areas.every((area) => area.coversPoint(lon, lat))) inside.add(first + i, first + i + 1)
  }
}
