import type { JsonObject } from '../../model/json/document.ts'
import { openParquet, type ParquetFile } from '../read/columnar/parquet-rows.ts'
import { isBroken, type Row } from '../row.ts'

/** Reads single rows of a file, by their positions from 0. */
export interface RowPicker extends Pick<ParquetFile, 'crs'> {
  /** Returns the documents at ascending positions. */
  pick(positions: readonly number[]): Promise<ReadonlyMap<number, JsonObject>>
}

/** Rows that are not farther apart are read together. */
const GAP = 64

/** From this many rows of a block on, the whole block is read and kept: exports read one after the other. */
const MANY = 256
const BLOCK = 20_000

interface Block {
  readonly number: number
  readonly rows: Promise<readonly Row[]>
}

/** Picks rows with the reader that loads files. Slow for rows that are far apart: it decodes all rows of their pages. */
export async function pickFromFile(path: string): Promise<RowPicker> {
  const file = await openParquet(path)
  let kept: Block | undefined
  const block = (number: number): Promise<readonly Row[]> => {
    if (kept?.number === number) return kept.rows
    const start = number * BLOCK
    const rows = file.read(start, Math.min(start + BLOCK, file.rows))
    kept = { number, rows }
    rows.catch(() => {
      kept = undefined
    })
    return rows
  }
  return {
    ...(file.crs === undefined ? {} : { crs: file.crs }),
    pick: async (positions) => {
      const found = new Map<number, JsonObject>()
      const pass = (rows: readonly Row[], start: number, wanted: readonly number[]): void => {
        for (const position of wanted) {
          const row = rows[position - start]
          if (row !== undefined && !isBroken(row)) found.set(position, row.document)
        }
      }
      for (const [number, wanted] of Map.groupBy(positions, (position) => Math.floor(position / BLOCK))) {
        if (wanted.length >= MANY) pass(await block(number), number * BLOCK, wanted)
        else
          for (const run of runsOf(wanted)) pass(await file.read(run[0] ?? 0, (run.at(-1) ?? 0) + 1), run[0] ?? 0, run)
      }
      return found
    },
  }
}

/** Splits ascending positions where they are far apart. */
function runsOf(positions: readonly number[]): readonly (readonly number[])[] {
  const runs: number[][] = []
  for (const position of positions) {
    const last = runs.at(-1)
    if (last !== undefined && position - (last.at(-1) ?? 0) <= GAP) last.push(position)
    else runs.push([position])
  }
  return runs
}
