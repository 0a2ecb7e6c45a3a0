import type { Turn } from '../../../turn.ts'
import type { SourceMoves } from '../files/source-moves.ts'
import type { Extents, Part } from '../segment/part.ts'

const ROWS_BETWEEN_LOOKS = 1024

/** Returns the extents of a part after some sources were written again: those of `rows[i]` are at index `places[i]`. */
export function editedExtents(
  { rows: count, extents }: Part,
  rows: readonly number[],
  places: readonly number[],
  at: ArrayLike<number>,
  sizes: ArrayLike<number>,
): Extents {
  const next = { at: extents.at.slice(0, count), size: extents.size.slice(0, count) }
  for (const [i, row] of rows.entries()) {
    next.at[row] = at[places[i] ?? 0] ?? 0
    next.size[row] = sizes[places[i] ?? 0] ?? 0
  }
  return next
}

/** Returns the extents of a part after the sources of its live rows were copied to another file. */
export async function relocatedExtents(part: Part, moves: SourceMoves, turn: Turn): Promise<Extents> {
  const { rows, live, extents } = part
  const at = new Float64Array(rows)
  for (let row = 0; row < rows; row++) {
    if (live.isLive(row)) at[row] = moves.newOffset(extents.at[row] ?? 0)
    if (row % ROWS_BETWEEN_LOOKS === 0 && turn.isOver) await turn.next()
  }
  return { at, size: extents.size.slice(0, rows) }
}
