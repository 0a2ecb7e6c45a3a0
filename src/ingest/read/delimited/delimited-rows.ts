import { rankLatitude, rankLongitude } from '../../../mapping/field-names.ts'
import type { Json } from '../../../model/json/document.ts'
import { brokenRow, type Row } from '../../row.ts'
import type { Input } from '../../source/open-input.ts'
import { decodeHead, TextReader } from '../../source/text-encoding.ts'
import { nameColumns, notesOfNames } from '../shared/column-names.ts'
import type { Reading, ReadOptions } from '../shared/reading.ts'
import { type CellType, readCell, typeOfCells } from './cell-types.ts'
import { headingsOf, lacksHeader } from './missing-header.ts'
import { type CellRow, CellSplitter } from './split-cells.ts'

/** Columns of a delimited text. */
export interface Table {
  readonly columns: readonly string[]
  readonly types: readonly CellType[]
}

const SAMPLE = 2_000

/**
 * Rows of a CSV or TSV file. The type of a column (number, boolean, JSON, text) is inferred from the
 * first rows; an empty cell is a missing value.
 */
export function readDelimited(input: Pick<Input, 'chunks' | 'head'>, options: ReadOptions): Reading {
  const head = decodeHead(input.head, options.encoding)
  const stated = /^sep=(.)\r?\n/.exec(head)?.[1]
  const delimiter = options.delimiter ?? stated ?? findDelimiter(head)
  const reader = new TextReader(input.head, options.encoding)
  const notes: string[] = []
  const { header } = options
  const reading = {
    delimiter,
    reader,
    notes,
    skipsFirst: stated !== undefined,
    ...(header === undefined ? {} : { header }),
  }
  return { rows: rowsOf(input.chunks, reading), notes }
}

interface TableReading {
  readonly delimiter: string
  readonly reader: TextReader
  /** Receives what was assumed, before the first rows are returned. */
  readonly notes: string[]
  /** The first line states the delimiter. */
  readonly skipsFirst: boolean
  /** Whether the next line has the names of the columns, if that is stated. */
  readonly header?: boolean
}

async function* rowsOf(
  chunks: AsyncIterable<Buffer>,
  { delimiter, reader, notes, skipsFirst, header }: TableReading,
): AsyncGenerator<readonly Row[], void, undefined> {
  const splitter = new CellSplitter(delimiter)
  let table: Table | undefined
  let waiting: CellRow[] = []
  let skips = skipsFirst
  const receive = (rows: readonly CellRow[], isEnd: boolean): readonly Row[] => {
    for (const row of rows) {
      if (skips) skips = false
      else waiting.push(row)
    }
    if (table === undefined && waiting.length <= SAMPLE && !isEnd) return []
    if (table === undefined) {
      const found = findColumns(waiting, header)
      if (found === undefined) return []
      notes.push(...found.notes)
      waiting = [...found.rows]
      const { columns } = found
      table = { columns, types: typesOf(columns, waiting.slice(0, SAMPLE), delimiter) }
      notes.push(...notesOf(table, reader.notable))
    }
    const ready = waiting.map(rowOfCells(table))
    waiting = []
    return ready
  }
  for await (const chunk of chunks) {
    const ready = receive(splitter.push(reader.read(chunk)), false)
    if (ready.length > 0) yield ready
  }
  const last = receive([...splitter.push(reader.end()), ...splitter.end()], true)
  if (last.length > 0) yield last
}

/** Returns how the rows of a text that begins a file are read; `header` if its first line has the names. */
export function describeTable(
  text: string,
  options: ReadOptions,
): { readonly delimiter: string; readonly table: Table; readonly header?: readonly string[] } | undefined {
  const delimiter = options.delimiter ?? findDelimiter(text)
  const splitter = new CellSplitter(delimiter)
  const rows = [...splitter.push(text), ...splitter.end()].slice(0, SAMPLE)
  const found = findColumns(rows, options.header)
  const first = rows.find((row) => 'cells' in row)
  if (found === undefined || found.rows.length === 0 || first === undefined || !('cells' in first)) return undefined
  const { columns } = found
  const table = { columns, types: typesOf(columns, found.rows, delimiter) }
  return { delimiter, table, ...(found.rows.length < rows.length ? { header: first.cells } : {}) }
}

interface FoundColumns {
  readonly columns: readonly string[]
  readonly notes: readonly string[]
  /** The rows after the header. */
  readonly rows: readonly CellRow[]
}

/** Returns the names of the columns; undefined without any row. */
function findColumns(rows: readonly CellRow[], stated: boolean | undefined): FoundColumns | undefined {
  const at = rows.findIndex((row) => 'cells' in row)
  const first = rows[at]
  if (first === undefined || !('cells' in first)) return undefined
  const { cells } = first
  const others = rows
    .slice(at + 1)
    .flatMap((row) => ('cells' in row && row.cells.length === cells.length ? [row.cells] : []))
  if (stated ?? !lacksHeader(cells, others)) {
    const columns = nameColumns(cells)
    return { columns, notes: notesOfNames(cells, columns), rows: rows.filter((row) => row !== first) }
  }
  const columns = nameColumns(headingsOf([cells, ...others]))
  const note = `The first line has no names: the columns are ${columns.join(', ')}; --header states that it has.`
  return { columns, notes: [note], rows }
}

const DELIMITERS = [',', ';', '\t', '|']

/** Returns the candidate that splits the first line into most columns. */
function findDelimiter(head: string): string {
  const [line = ''] = head.split(/\r?\n/, 1)
  const unquoted = line.replace(/"(?:[^"]|"")*"/g, '')
  const counts = DELIMITERS.map((delimiter) => unquoted.split(delimiter).length)
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ','
}

function typesOf(columns: readonly string[], sample: readonly CellRow[], delimiter: string): readonly CellType[] {
  const whole = sample.flatMap((row) => ('cells' in row && row.cells.length >= columns.length ? [row.cells] : []))
  return columns.map((name, at) => {
    const cells = whole.map((row) => row[at] ?? '')
    const isNumeric = Number.isFinite(rankLongitude(name)) || Number.isFinite(rankLatitude(name))
    return typeOfCells(cells, { name, isNumeric, delimiter })
  })
}

function notesOf({ columns, types }: Table, encoding: string | undefined): readonly string[] {
  const named = (type: CellType): readonly string[] => columns.filter((_, at) => types[at] === type)
  const commas = named('decimalComma')
  const groups = named('thousands')
  const years = named('shortYear')
  return [
    ...(encoding === undefined ? [] : [`Reading the text as ${encoding}; --encoding states another.`]),
    ...(commas.length === 0 ? [] : [`Numbers with a decimal comma: ${commas.join(', ')}.`]),
    ...(years.length === 0 ? [] : [`Years with two digits, of which 50 to 99 are 1950 to 1999: ${years.join(', ')}.`]),
    ...(groups.length === 0 ? [] : [`Numbers with a separator of thousands: ${groups.join(', ')}.`]),
  ]
}

/** Returns a function that turns cells into a document. */
export const rowOfCells =
  ({ columns, types }: Table) =>
  (row: CellRow): Row => {
    const { line } = row
    if ('reason' in row) return brokenRow(line, row.reason, row.text)
    const { cells } = row
    // an empty cell behind the last column comes from a delimiter at the end of the line
    const isLong = cells.length > columns.length && cells.slice(columns.length).some((cell) => cell.trim() !== '')
    if (cells.length < columns.length || isLong) {
      return brokenRow(line, `has ${cells.length} cells, but the header has ${columns.length}`, cells.join(','))
    }
    const members: [string, Json][] = []
    for (const [at, name] of columns.entries()) {
      const value = readCell(types[at] ?? 'text', cells[at] ?? '')
      if (value !== undefined) members.push([name, value])
    }
    return { line, document: Object.fromEntries(members) }
  }
