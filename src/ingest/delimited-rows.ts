import { isUtf8 } from 'node:buffer'
import { StringDecoder } from 'node:string_decoder'
import { rankLatitude, rankLongitude } from '../mapping/field-names.ts'
import type { Json } from '../model/json/document.ts'
import { type CellType, readCell, typeOfCells } from './cell-types.ts'
import { InputFault } from './open-input.ts'
import { brokenRow, type Row } from './row.ts'
import { type CellRow, CellSplitter } from './split-cells.ts'

export interface DelimitedOptions {
  /** One character; detected from the first line when absent. */
  readonly delimiter?: string
}

interface Table {
  readonly columns: readonly string[]
  readonly types: readonly CellType[]
}

const SAMPLE = 2_000

/**
 * Rows of a CSV or TSV file with a header line. The type of a column (number, boolean, JSON, text) is inferred from the
 * first rows; an empty cell is a missing value.
 */
export async function* readDelimited(
  chunks: AsyncIterable<Buffer>,
  head: Buffer,
  options: DelimitedOptions,
): AsyncGenerator<readonly Row[], void, undefined> {
  if (!isUtf8(wholeCharacters(head))) {
    throw new InputFault('The file is not UTF-8 text: convert it first, for example with "iconv -f latin1 -t utf-8".')
  }
  const splitter = new CellSplitter(options.delimiter ?? findDelimiter(head))
  const decoder = new StringDecoder('utf8')
  let columns: readonly string[] | undefined
  let table: Table | undefined
  let waiting: CellRow[] = []
  const receive = (rows: readonly CellRow[], isEnd: boolean): readonly Row[] => {
    for (const row of rows) {
      if (columns === undefined && 'cells' in row) columns = nameColumns(row.cells)
      else waiting.push(row)
    }
    if (columns === undefined || (table === undefined && waiting.length < SAMPLE && !isEnd)) return []
    table ??= { columns, types: typesOf(columns, waiting.slice(0, SAMPLE)) }
    const ready = waiting.map(toRow(table))
    waiting = []
    return ready
  }
  for await (const chunk of chunks) {
    const ready = receive(splitter.push(decoder.write(chunk)), false)
    if (ready.length > 0) yield ready
  }
  const last = receive([...splitter.push(decoder.end()), ...splitter.end()], true)
  if (last.length > 0) yield last
}

/** Drops a last character that may be incomplete. */
function wholeCharacters(bytes: Buffer): Buffer {
  let end = bytes.length
  while (end > 0 && bytes.length - end < 4 && ((bytes[end - 1] ?? 0) & 0x80) !== 0) end -= 1
  return bytes.subarray(0, end)
}

const DELIMITERS = [',', ';', '\t', '|']

/** Returns the candidate that splits the first line into most columns. */
function findDelimiter(head: Buffer): string {
  const [line = ''] = head.toString('utf8').split(/\r?\n/, 1)
  const unquoted = line.replace(/"(?:[^"]|"")*"/g, '')
  const counts = DELIMITERS.map((delimiter) => unquoted.split(delimiter).length)
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ','
}

function nameColumns(cells: readonly string[]): readonly string[] {
  const used = new Set<string>()
  return cells.map((cell, index) => {
    const wanted = cell.trim() === '' ? `column_${index + 1}` : cell.trim()
    let name = wanted
    for (let n = 2; used.has(name); n++) name = `${wanted}_${n}`
    used.add(name)
    return name
  })
}

function typesOf(columns: readonly string[], sample: readonly CellRow[]): readonly CellType[] {
  const whole = sample.flatMap((row) => ('cells' in row && row.cells.length === columns.length ? [row.cells] : []))
  return columns.map((name, at) => {
    const cells = whole.map((row) => row[at] ?? '')
    return typeOfCells(cells, Number.isFinite(rankLongitude(name)) || Number.isFinite(rankLatitude(name)))
  })
}

const toRow =
  ({ columns, types }: Table) =>
  (row: CellRow): Row => {
    const { line } = row
    if ('reason' in row) return brokenRow(line, row.reason, row.text)
    const { cells } = row
    if (cells.length !== columns.length) {
      return brokenRow(line, `has ${cells.length} cells, but the header has ${columns.length}`, cells.join(','))
    }
    const members: [string, Json][] = []
    for (const [at, name] of columns.entries()) {
      const value = readCell(types[at] ?? 'text', cells[at] ?? '')
      if (value !== undefined) members.push([name, value])
    }
    return { line, document: Object.fromEntries(members) }
  }
