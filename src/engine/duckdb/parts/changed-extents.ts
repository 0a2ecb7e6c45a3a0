import { sortedPositions } from '../segment/build-order.ts'
import type { Extents, Part } from '../segment/part.ts'

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
/** Returns the extents after the sources of live rows were copied one after the other, in the order of their offsets. */
export function relocatedExtents(parts: readonly Part[]): readonly Extents[] {
  const count = parts.reduce((sum, { rows, live }) => sum + rows - live.dead, 0)
  const words = [new Uint32Array(count), new Uint32Array(count)] as const
  const from = { part: new Uint32Array(count), row: new Uint32Array(count) }
  let n = 0
  for (const [p, { rows, live, extents }] of parts.entries()) {
    for (let row = 0; row < rows; row++) {
      if (!live.isLive(row)) continue
      const at = extents.at[row] ?? 0
      words[0][n] = Math.floor(at / 2 ** 32)
      words[1][n] = at % 2 ** 32
      from.part[n] = p
      from.row[n++] = row
    }
  }
  const moved = parts.map(({ rows, extents }) => ({ at: new Float64Array(rows), size: extents.size.slice(0, rows) }))
  let end = 0
  for (const i of sortedPositions(words)) {
    const row = from.row[i] ?? 0
    const own = moved[from.part[i] ?? 0]
    if (!own) continue
    own.at[row] = end
    end += own.size[row] ?? 0
  }
  return moved
}
