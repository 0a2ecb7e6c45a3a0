import type { OpenedFile, OpenedFiles, RowReader } from '../../engine/engine.ts'
import { Turn } from '../../turn.ts'
import { parseCoordinateSystem } from '../crs/coordinate-system.ts'
import { shapeDocument } from '../plan/document-shape.ts'
import { pickWithDatabase } from './database-picker.ts'
import type { OpenedReading } from './describe-files.ts'
import { pickFromFile, type RowPicker } from './row-picker.ts'

interface PlacedFile {
  readonly file: OpenedFile
  /** Number of the last row of the file before. */
  readonly before: number
}

/** Reads documents from Parquet files, as they were read when the files were opened. */
export function openRows({ files, reading }: OpenedFiles): RowReader {
  // Written by `describeFiles`.
  const { shape, crs: stated } = reading as unknown as OpenedReading
  const crs = stated === undefined ? undefined : parseCoordinateSystem(stated)
  const pickers = new Map<OpenedFile, Promise<RowPicker>>()
  const placed = placeFiles(files)

  const open = (file: OpenedFile): Promise<RowPicker> => {
    const known = pickers.get(file)
    if (known !== undefined) return known
    const opening = pickWithDatabase(file.path).then((picker) => picker ?? pickFromFile(file.path))
    pickers.set(file, opening)
    opening.catch(() => pickers.delete(file))
    return opening
  }

  return {
    read: async (rows) => {
      const texts = new Map<number, string>()
      const turn = new Turn()
      for (const { file, before } of placed) {
        const own = rows.filter((row) => row > before && row <= before + file.rows).map((row) => row - before - 1)
        if (own.length === 0) continue
        const picker = await open(file)
        const found = await picker.pick([...new Set(own)].sort((a, b) => a - b))
        for (const [position, document] of found) {
          const number = before + position + 1
          const shaped = shapeDocument(document, number, shape, crs ?? picker.crs)
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
