import { plainDocument, rowsOfPieces } from '../parse-document.ts'
import { rowOfCells, type Table } from '../read/delimited/delimited-rows.ts'
import { CellSplitter } from '../read/delimited/split-cells.ts'
import type { Row } from '../row.ts'
import type { Piece } from '../split-lines.ts'
import type { Stretch } from './growing-input.ts'

/** How the lines of a followed input are read. */
export type LineFormat =
  | { readonly kind: 'ndjson' }
  /** `header`: the cells of the first line, which is repeated in each file. */
  | { readonly kind: 'csv'; readonly delimiter: string; readonly table: Table; readonly header?: readonly string[] }

/** Complete rows at the beginning of a stretch. */
export interface TakenRows {
  readonly rows: readonly Row[]
  readonly bytes: number
  /** Number of line ends in them. */
  readonly lines: number
}

const NEWLINE = 0x0a

/** Returns the complete rows of a stretch; at its end also one without a line end. */
export function takeRows(stretch: Stretch, format: LineFormat): TakenRows {
  const end = stretch.isEnd ? stretch.bytes.length : stretch.bytes.lastIndexOf(NEWLINE) + 1
  const whole = stretch.bytes.subarray(0, end)
  if (format.kind === 'ndjson') return { rows: readLines(whole), bytes: end, lines: countLines(whole) }
  const { rows, bytes } = readCells(whole, stretch, format)
  return { rows, bytes, lines: countLines(whole.subarray(0, bytes)) }
}

function readLines(whole: Buffer): readonly Row[] {
  const pieces: Piece[] = []
  let line = 1
  for (let start = 0; start < whole.length; line++) {
    const newline = whole.indexOf(NEWLINE, start)
    const end = newline < 0 ? whole.length : newline
    const bytes = whole.subarray(start, end)
    if (bytes.toString('latin1').trim() !== '') pieces.push({ line, bytes, tooLong: false })
    start = end + 1
  }
  return rowsOfPieces(pieces, plainDocument)
}

function readCells(
  whole: Buffer,
  { isEnd, isStart }: Stretch,
  { delimiter, table, header }: Extract<LineFormat, { kind: 'csv' }>,
): Pick<TakenRows, 'rows' | 'bytes'> {
  const splitter = new CellSplitter(delimiter)
  const found = [...splitter.push(whole.toString('utf8')), ...(isEnd ? splitter.end() : [])]
  const isHeader = (cells: readonly string[]): boolean =>
    header?.every((cell, i) => cell === withoutMark(cells[i])) === true
  const [first] = found
  const rows = isStart && first !== undefined && 'cells' in first && isHeader(first.cells) ? found.slice(1) : found
  return { rows: rows.map(rowOfCells(table)), bytes: whole.length - Buffer.byteLength(splitter.pending) }
}

/** The mark at the beginning of a file is part of its first cell. */
const withoutMark = (cell: string | undefined): string | undefined => cell?.replace(/^\uFEFF/, '')

function countLines(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) count += 1
  return count
}
