import type { Json } from '../../../model/json/document.ts'
import type { Row } from '../../row.ts'
import { InputFault } from '../../source/input-fault.ts'
import { openZip, type ZipMember } from '../../source/unzip.ts'
import { nameColumns, notesOfNames } from '../shared/column-names.ts'
import { chooseLayer } from '../shared/layer.ts'
import type { Reading, ReadOptions } from '../shared/reading.ts'
import { isDateFormat, printSerialDate } from './spreadsheet-date.ts'
import { parseXml, type XmlHandler } from './xml-events.ts'

/** Rows of one sheet of an Excel workbook (ECMA-376). The first row with several cells has the names of the columns. */
export async function readXlsx(file: string, name: string, { layer }: ReadOptions): Promise<Reading> {
  const zip = await openZip(file, name)
  const workbook = await readWorkbook(zip.members, name)
  if (workbook === undefined) {
    zip.close()
    throw new InputFault(`${name} cannot be loaded: this is a zip archive or an Office file without a table.`)
  }
  const { chosen, notes } = chooseLayer([...workbook.sheets.keys()], layer, name, 'sheet')
  const sheet = workbook.sheets.get(chosen)
  const told = [...notes]
  async function* rows(): AsyncGenerator<readonly Row[], void, undefined> {
    try {
      if (sheet !== undefined && workbook !== undefined) yield* rowsOfSheet(sheet, workbook, name, told)
    } finally {
      zip.close()
    }
  }
  return { rows: rows(), notes: told }
}

interface Workbook {
  readonly sheets: ReadonlyMap<string, ZipMember>
  readonly texts: readonly string[]
  /** For each cell style, whether it shows a date. */
  readonly dateStyles: readonly boolean[]
  readonly from1904: boolean
}

async function readWorkbook(members: readonly ZipMember[], name: string): Promise<Workbook | undefined> {
  const find = (path: string) => members.find((member) => member.name === path)
  const book = find('xl/workbook.xml')
  if (book === undefined) return undefined
  const targets = new Map<string, string>()
  await visit(find('xl/_rels/workbook.xml.rels'), name, (tag, { Id = '', Target = '' }) => {
    if (tag === 'Relationship') targets.set(Id, Target.startsWith('/') ? Target.slice(1) : `xl/${Target}`)
  })
  const sheets = new Map<string, ZipMember>()
  let from1904 = false
  await visit(book, name, (tag, attributes) => {
    if (tag === 'workbookPr') from1904 = attributes.date1904 === '1' || attributes.date1904 === 'true'
    if (tag !== 'sheet') return
    const member = find(targets.get(attributes.id ?? '') ?? '')
    if (member !== undefined && attributes.name !== undefined) sheets.set(attributes.name, member)
  })
  const texts = await readTexts(find('xl/sharedStrings.xml'), name)
  return { sheets, texts, dateStyles: await readDateStyles(find('xl/styles.xml'), name), from1904 }
}

type Visit = XmlHandler['open']

/** Calls `open` and `close` for each element of a member; does nothing if it is missing. */
async function visit(
  member: ZipMember | undefined,
  name: string,
  open: Visit,
  close: XmlHandler['close'] = () => undefined,
): Promise<void> {
  if (member === undefined) return
  for await (const _ of parseXml(await member.open(), name, { open, close })) {
    // everything is in the handlers
  }
}

const MOST_TEXT = 1024 * 1024 * 1024

async function readTexts(member: ZipMember | undefined, name: string): Promise<readonly string[]> {
  const texts: string[] = []
  let parts = ''
  let phonetic = false
  let size = 0
  await visit(
    member,
    name,
    (tag) => {
      if (tag === 'si') parts = ''
      if (tag === 'rPh') phonetic = true
    },
    (tag, text) => {
      if (tag === 'rPh') phonetic = false
      if (tag === 't' && !phonetic) parts += text
      if (tag !== 'si') return
      size += parts.length
      if (size > MOST_TEXT) throw new InputFault(`${name} has too much text for a workbook: save it as CSV.`)
      texts.push(parts)
    },
  )
  return texts
}

async function readDateStyles(member: ZipMember | undefined, name: string): Promise<readonly boolean[]> {
  const formats = new Map<number, string>()
  const styles: number[] = []
  let inStyles = false
  await visit(
    member,
    name,
    (tag, { numFmtId, formatCode }) => {
      if (tag === 'numFmt') formats.set(Number(numFmtId), formatCode ?? '')
      if (tag === 'cellXfs') inStyles = true
      if (tag === 'xf' && inStyles) styles.push(Number(numFmtId ?? 0))
    },
    (tag) => {
      if (tag === 'cellXfs') inStyles = false
    },
  )
  return styles.map((id) => isDateFormat(id, formats.get(id)))
}

async function* rowsOfSheet(
  sheet: ZipMember,
  workbook: Workbook,
  name: string,
  notes: string[],
): AsyncGenerator<readonly Row[], void, undefined> {
  const reader = new SheetReader(workbook)
  let columns: readonly string[] | undefined
  for await (const _ of parseXml(await sheet.open(), name, reader)) {
    const rows: Row[] = []
    for (const { line, cells } of reader.take()) {
      if (columns !== undefined) rows.push({ line, document: documentOf(columns, cells) })
      else if (cells.size > 1 || (cells.size === 1 && line > 1)) {
        const width = Math.max(...cells.keys()) + 1
        const headings = Array.from({ length: width }, (_cell, at) => String(cells.get(at) ?? ''))
        columns = nameColumns(headings)
        notes.push(...notesOfNames(headings, columns))
      }
    }
    if (rows.length > 0) yield rows
  }
}

const documentOf = (columns: readonly string[], cells: ReadonlyMap<number, Json>) =>
  Object.fromEntries([...cells].map(([at, value]): [string, Json] => [columns[at] ?? `column_${at + 1}`, value]))

interface SheetRow {
  readonly line: number
  readonly cells: ReadonlyMap<number, Json>
}

/** Collects the rows of a sheet that have a value. */
class SheetReader implements XmlHandler {
  readonly #workbook: Workbook
  #rows: SheetRow[] = []
  #cells = new Map<number, Json>()
  #line = 0
  #column = -1
  #kind = ''
  #style = 0
  #inline = ''

  constructor(workbook: Workbook) {
    this.#workbook = workbook
  }

  take(): readonly SheetRow[] {
    const rows = this.#rows
    this.#rows = []
    return rows
  }

  open(tag: string, { r, t = 'n', s = '0' }: Readonly<Record<string, string>>): void {
    if (tag === 'row') {
      this.#line = r === undefined ? this.#line + 1 : Number(r)
      this.#column = -1
      this.#cells = new Map()
    } else if (tag === 'c') {
      this.#column = r === undefined ? this.#column + 1 : columnOf(r)
      this.#kind = t
      this.#style = Number(s)
      this.#inline = ''
    }
  }

  close(tag: string, text: string): void {
    if (tag === 'v') this.#keep(this.#cellOf(text))
    else if (tag === 't' && this.#kind === 'inlineStr') this.#inline += text
    else if (tag === 'c' && this.#kind === 'inlineStr') this.#keep(this.#inline)
    else if (tag === 'row' && this.#cells.size > 0) this.#rows.push({ line: this.#line, cells: this.#cells })
  }

  #keep(value: Json | undefined): void {
    if (value !== undefined && value !== '') this.#cells.set(this.#column, value)
  }

  #cellOf(text: string): Json | undefined {
    const { texts, dateStyles, from1904 } = this.#workbook
    switch (this.#kind) {
      case 's':
        return texts[Number(text)]
      case 'b':
        return text === '1'
      case 'e':
        return undefined
      case 'str':
      case 'd':
        return text
      default: {
        const number = Number(text)
        if (!Number.isFinite(number)) return text
        return dateStyles[this.#style] === true ? printSerialDate(number, from1904) : number
      }
    }
  }
}

/** Column of a cell reference: `A1` is 0, `AB7` is 27. */
function columnOf(reference: string): number {
  let column = 0
  for (const letter of reference.replace(/\d.*$/, '')) column = column * 26 + letter.charCodeAt(0) - 64
  return column - 1
}
