import type { OpenedFile, OpenedFiles, RowReader } from '../../engine/engine.ts'
import { Turn } from '../../turn.ts'
import { parseCoordinateSystem } from '../crs/coordinate-system.ts'
import { shapeDocument } from '../plan/document-shape.ts'
import { openParquet, type ParquetFile } from '../read/parquet-rows.ts'
import { type DocumentRow, isBroken, type Row } from '../row.ts'
import type { OpenedReading } from './describe-files.ts'

/** Rows that are not farther apart are read together. */
const GAP = 64

/** From this many rows of a block on, the whole block is read and kept: exports read one after the other. */
const MANY = 256
const BLOCK = 20_000
const KEPT_BLOCKS = 2

interface PlacedFile {
  readonly file: OpenedFile
  /** Number of the last row of the file before. */
  readonly before: number
}

/** Wanted rows of one file, as positions from 0, ascending. */
interface Run {
  readonly start: number
  readonly end: number
}

/** Reads documents from Parquet files, as they were read when the files were opened. */
export function openRows({ files, reading }: OpenedFiles): RowReader {
  // Written by `describeFiles`.
  const { shape, crs: stated } = reading as unknown as OpenedReading
  const crs = stated === undefined ? undefined : parseCoordinateSystem(stated)
  const parquet = new Map<OpenedFile, Promise<ParquetFile>>()
  const blocks = new Map<string, Promise<readonly Row[]>>()
  const placed = placeFiles(files)

  const open = (file: OpenedFile): Promise<ParquetFile> => {
    const known = parquet.get(file)
    if (known !== undefined) return known
    const opening = openParquet(file.path)
    parquet.set(file, opening)
    opening.catch(() => parquet.delete(file))
    return opening
  }

  const readBlock = (file: OpenedFile, { rows, read }: ParquetFile, start: number): Promise<readonly Row[]> => {
    const key = `${start} ${file.path}`
    const block = blocks.get(key) ?? read(start, Math.min(start + BLOCK, rows))
    blocks.delete(key)
    blocks.set(key, block)
    block.catch(() => blocks.delete(key))
    for (const oldest of blocks.keys()) {
      if (blocks.size <= KEPT_BLOCKS) break
      blocks.delete(oldest)
    }
    return block
  }

  /** Calls `take` with the rows of a file at the wanted positions. */
  const readFile = async (
    file: OpenedFile,
    positions: readonly number[],
    take: (position: number, row: DocumentRow) => void,
  ): Promise<ParquetFile> => {
    const opened = await open(file)
    const pass = (rows: readonly Row[], start: number, wanted: readonly number[]): void => {
      for (const position of wanted) {
        const row = rows[position - start]
        if (row !== undefined && !isBroken(row)) take(position, row)
      }
    }
    for (const [number, wanted] of Map.groupBy(positions, (position) => Math.floor(position / BLOCK))) {
      const start = number * BLOCK
      if (wanted.length >= MANY || blocks.has(`${start} ${file.path}`)) {
        pass(await readBlock(file, opened, start), start, wanted)
        continue
      }
      for (const run of runsOf(wanted)) {
        const own = wanted.filter((position) => position >= run.start && position < run.end)
        pass(await opened.read(run.start, run.end), run.start, own)
      }
    }
    return opened
  }

  return {
    read: async (rows) => {
      const texts = new Map<number, string>()
      const turn = new Turn()
      for (const { file, before } of placed) {
        const own = rows.filter((row) => row > before && row <= before + file.rows).map((row) => row - before - 1)
        if (own.length === 0) continue
        const found: [number, DocumentRow][] = []
        const positions = [...new Set(own)].sort((a, b) => a - b)
        const opened = await readFile(file, positions, (position, row) => found.push([before + position + 1, row]))
        for (const [number, { document }] of found) {
          const shaped = shapeDocument(document, number, shape, crs ?? opened.crs)
          if (typeof shaped !== 'string') texts.set(number, JSON.stringify(shaped))
          if (turn.isOver) await turn.next()
        }
      }
      return rows.map((row) => {
        const text = texts.get(row)
        if (text === undefined) throw new Error(`row ${row} of the opened files is no document`)
        return text
      })
    },
  }
}

function placeFiles(files: readonly OpenedFile[]): readonly PlacedFile[] {
  let before = 0
  return files.map((file) => {
    const placed = { file, before }
    before += file.rows
    return placed
  })
}

function runsOf(positions: readonly number[]): readonly Run[] {
  const runs: Run[] = []
  for (const position of positions) {
    const last = runs.at(-1)
    if (last !== undefined && position < last.end + GAP)
      runs[runs.length - 1] = { start: last.start, end: position + 1 }
    else runs.push({ start: position, end: position + 1 })
  }
  return runs
}
