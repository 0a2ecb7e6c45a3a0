import { keyTile, tileShift } from '../../../geo/grid/morton-key.ts'
import { type Tile, tileOf } from '../../../geo/grid/tile.ts'
import type { AggregationLevel, AggregationPlan } from '../../../query/plan/aggregation-plan.ts'
import { inTurns, Turn } from '../../../turn.ts'
import type { AggregationResult } from '../../engine.ts'
import { POINT_RECORD, type RowFile } from '../files/row-file.ts'
import { countRows, firstWhere, type RowSpan } from '../files/row-spans.ts'
import type { IndexTable } from '../index/index-table.ts'
import { demandsPlaceOnly, findPlacedRows, type Piece, piecesOf } from '../shortcut/placed-rows.ts'
import { BucketNode, bucketList } from './bucket-tree.ts'

/** Maximum bytes of points to read. Above it the database is faster, since it uses all threads. */
const MOST_READ_BYTES = 16 * 1024 * 1024

/**
 * Returns the buckets of a plan that filters by place and counts tiles only. Rows of a tile are adjacent, so the end of
 * each run is found without reading most rows. Undefined if the row file cannot answer the plan, or if there are too
 * many tiles or rows.
 */
export async function countPlacedTiles(
  plan: AggregationPlan,
  tables: readonly IndexTable[],
): Promise<AggregationResult | undefined> {
  const [table] = tables
  const [level, ...inner] = plan.levels
  const rows = table?.files.rows
  const zoom = level && rows && inner.length === 0 ? tileZoom(level, rows) : undefined
  if (!table || !level || !rows || zoom === undefined) return undefined
  // Any other condition would have to be tested row by row, which is faster in the database.
  if (!demandsPlaceOnly(plan.predicate, table, rows.lists.placePath)) return undefined
  const placed = await findPlacedRows(plan.predicate, tables)
  const runs = placed && (await findRuns(placed.spans, rows, zoom, plan.limits.buckets))
  if (!runs) return undefined
  const root = new BucketNode('', undefined)
  for (const run of runs) root.newChild(run.tile).count = run.rows
  root.keep(level)
  return { total: countRows(placed.spans), ...bucketList(root, 1) }
}

/** Zoom of a level that only counts tiles, without metrics or tops. */
function tileZoom({ grouping, metrics, tops }: AggregationLevel, { lists }: RowFile): number | undefined {
  if (grouping.kind !== 'geotile' || metrics.length > 0 || tops.length > 0) return undefined
  return grouping.field.path === lists.placePath && grouping.field.type === 'GEO_POINT' ? grouping.level : undefined
}

/** Adjacent rows in one tile. */
interface TileRun {
  readonly tile: Tile
  rows: number
}

/** Returns the tiles of the rows, in row order. Undefined if there are more than `most`, or too many rows to read. */
async function findRuns(
  spans: readonly RowSpan[],
  rows: RowFile,
  zoom: number,
  most: number,
): Promise<readonly TileRun[] | undefined> {
  const { keys } = await rows.blocks()
  const pieces: { readonly tile?: Tile; readonly rows: number }[] = []
  const mixed: Piece[] = []
  await inTurns(piecesOf(spans), (piece) => {
    const tile = tileOfBlock(keys, piece.block, zoom)
    if (!tile) mixed.push(piece)
    pieces.push({ ...(tile && { tile }), rows: piece.end - piece.first })
  })
  if (countRows(mixed) * POINT_RECORD > MOST_READ_BYTES) return undefined
  const points = (await rows.points(mixed)).values()
  const runs: TileRun[] = []
  const turn = new Turn()
  for (const piece of pieces) {
    if (piece.tile) addRun(runs, piece.tile, piece.rows)
    else addPoints(runs, points.next().value ?? NO_POINTS, zoom)
    if (runs.length > most) return undefined
    if (turn.isOver) await turn.next()
  }
  return runs
}

const NO_POINTS = new Float64Array(0)

/** Returns the tile of all rows of a block if the first row of the next block is in the same tile. */
function tileOfBlock(keys: BigUint64Array, block: number, zoom: number): Tile | undefined {
  const [first, next] = [keys[block], keys[block + 1]]
  if (first === undefined || next === undefined) return undefined
  return (first ^ next) >> BigInt(tileShift(zoom)) === 0n ? keyTile(first, zoom) : undefined
}

function addPoints(runs: TileRun[], points: Float64Array, zoom: number): void {
  const tileAt = (row: number): Tile => tileOf(points[2 * row] ?? 0, points[2 * row + 1] ?? 0, zoom)
  for (let row = 0; 2 * row < points.length; ) {
    const tile = tileAt(row)
    const end = runEnd(row, points.length / 2, (other) => {
      const { x, y } = tileAt(other)
      return x === tile.x && y === tile.y
    })
    addRun(runs, tile, end - row)
    row = end
  }
}

/** Returns the end of the run that starts at `row`. Most runs are short, so the step size starts at 1 and doubles. */
function runEnd(row: number, rows: number, isIn: (row: number) => boolean): number {
  let step = 1
  while (row + step < rows && isIn(row + step)) step *= 2
  const known = row + (step >> 1)
  const most = Math.min(rows, row + step)
  return known + firstWhere(most - known, (i) => !isIn(known + i))
}

function addRun(runs: TileRun[], tile: Tile, rows: number): void {
  const last = runs.at(-1)
  if (last && last.tile.x === tile.x && last.tile.y === tile.y) last.rows += rows
  else runs.push({ tile, rows })
}
