import { pipeline, Readable } from 'node:stream'
import { type CsvError, type InfoRecord, parse } from 'csv-parse'
import type { Json } from '../model/document.ts'
import { type CellType, readCell, typeOfCells } from './cell-types.ts'
import { brokenRow, type Row } from './row.ts'

export interface DelimitedOptions {
  /** One character; found from the first line when absent. */
  readonly delimiter?: string
}

interface TableRecord {
  readonly line: number
  readonly cells: readonly string[]
}

interface Table {
  readonly columns: readonly string[]
  readonly types: readonly CellType[]
}

const SAMPLE = 2_000
const BATCH = 1_000
const LARGEST_RECORD = 10 * 1024 * 1024

/**
 * Rows of a CSV or TSV file with a header line. Numbers, booleans and JSON cells are told by the first rows of a column;
 * an empty cell is no value.
 */
export async function* readDelimited(
  chunks: AsyncIterable<Buffer>,
  head: Buffer,
  options: DelimitedOptions,
): AsyncGenerator<readonly Row[], void, undefined> {
  const broken: Row[] = []
  const records = readRecords(chunks, options.delimiter ?? findDelimiter(head), broken)
  const header = await records.next()
  if (header.done === true) return
  const columns = nameColumns(header.value.cells)
  let table: Table | undefined
  let waiting: TableRecord[] = []
  for await (const record of records) {
    waiting.push(record)
    if (waiting.length < (table === undefined ? SAMPLE : BATCH)) continue
    table ??= describe(columns, waiting)
    yield [...waiting.map(toRow(table)), ...broken.splice(0)]
    waiting = []
  }
  table ??= describe(columns, waiting)
  if (waiting.length + broken.length > 0) yield [...waiting.map(toRow(table)), ...broken]
}

async function* readRecords(
  chunks: AsyncIterable<Buffer>,
  delimiter: string,
  broken: Row[],
): AsyncGenerator<TableRecord, void, undefined> {
  const parser = parse({
    delimiter,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    max_record_size: LARGEST_RECORD,
    on_skip: (error: CsvError | undefined) => {
      const at = error === undefined || typeof error.lines !== 'number' ? 0 : error.lines
      broken.push(brokenRow(at, `is not a row of cells (${error?.message ?? 'unknown fault'})`, ''))
      return undefined
    },
  })
  // the iteration below meets the error too; the callback only keeps it from being raised a second time
  pipeline(Readable.from(chunks), parser, () => undefined)
  for await (const each of parser) {
    const { record, info }: { record: readonly string[]; info: InfoRecord } = each
    const newlines = record.reduce((sum, cell) => sum + (cell.includes('\n') ? cell.split('\n').length - 1 : 0), 0)
    yield { line: info.lines - newlines, cells: record }
  }
}

const DELIMITERS = [',', ';', '\t', '|']

/** The candidate that cuts the first line into most columns. */
export function findDelimiter(head: Buffer): string {
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

function describe(columns: readonly string[], sample: readonly TableRecord[]): Table {
  return { columns, types: columns.map((_, at) => typeOfCells(sample.map((record) => record.cells[at] ?? ''))) }
}

const toRow =
  (table: Table) =>
  ({ line, cells }: TableRecord): Row => {
    const { columns, types } = table
    if (cells.length !== columns.length) {
      return brokenRow(line, `has ${cells.length} cells where the header has ${columns.length}`, cells.join(','))
    }
    const members: [string, Json][] = []
    for (const [at, name] of columns.entries()) {
      const value = readCell(types[at] ?? 'text', cells[at] ?? '')
      if (value !== undefined) members.push([name, value])
    }
    return { line, document: Object.fromEntries(members) }
  }
