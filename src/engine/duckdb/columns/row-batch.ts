import { type DuckDBConnection, DuckDBDataChunk } from '@duckdb/node-api'
import type { Json, JsonObject } from '../../../model/json/document.ts'
import { holdsLargeInteger, withExactIntegers } from '../../../model/json/exact-json.ts'
import type { Mapping } from '../../../model/mapping.ts'
import { Turn } from '../../../turn.ts'
import { type BodyDocument, BodyDocumentWrite } from '../../body-document.ts'
import { columnsOf, type FieldLayout, listColumnOf, type TableLayout } from '../index/table-layout.ts'
import { type IncomingColumn, numbersOf, plainValues } from '../segment/incoming-column.ts'
import type { IncomingField, IncomingRows } from '../segment/incoming-rows.ts'
import { CHUNK_ROWS, type ColumnBuffer, LongBuffer, makeBuffer, SmallBuffer, TextBuffer } from './column-buffer.ts'
import { readField, UnreadableValue } from './document-columns.ts'
import { buildTree, type DocumentLeaf, type DocumentNode } from './document-tree.ts'
import { PlainDocumentReader } from './plain-document-reader.ts'
import { type ReadRows, storedColumns } from './row-reading.ts'
import { SourceTexts } from './source-texts.ts'
import { StringHeap } from './string-heap.ts'

/** A document to store, with its JSON text as sent if available. */
export interface SourceDocument {
  readonly source: JsonObject
  readonly text?: string
  /** Stored instead of the text. */
  readonly fileRow?: number
}

/** Rows of a batch, ready for a table of the layout passed to `settle`. */
export interface SettledRows {
  /** Bytes of all sources, for the source file. */
  readonly sources: Buffer
  readonly appendTo: (connection: DuckDBConnection, table: string) => Promise<void>
  /** The same rows for a tail. */
  readonly incoming: () => IncomingRows
}

/** The documents of one write, column by column, in the form the appender needs. */
export class RowBatch {
  readonly #root: DocumentNode
  readonly #capacity: number
  readonly #body: Buffer | undefined
  readonly #heap: StringHeap
  /** By position in the table. */
  readonly #columns: readonly ColumnBuffer[]
  readonly #numbers: LongBuffer
  readonly #ids: TextBuffer
  readonly #places: LongBuffer
  readonly #sizes: SmallBuffer
  readonly #sources: SourceTexts
  /** Rows read by the worker thread. */
  readonly #elsewhere: ReadRows | undefined
  /** List columns of the fields with several values in a document, by path. */
  readonly #lists = new Map<string, ColumnBuffer>()
  readonly #plain: PlainDocumentReader | undefined
  readonly #removed = new Set<number>()
  #rows = 0
  readonly #touched: DocumentLeaf[] = []
  /** Documents with keys that are missing in the mapping, where it is dynamic. */
  readonly unmapped: JsonObject[] = []
  #sawUnmapped = false
  #isSettled = false

  /**
   * For at most `capacity` documents. Documents in `body` are read from there, unless the worker thread already `read`
   * them. In that case they must all be added in the same order.
   */
  constructor(mapping: Mapping, layout: TableLayout, capacity: number, body?: Buffer, read?: ReadRows) {
    const { root, copies } = buildTree(mapping, layout)
    this.#root = root
    this.#capacity = capacity
    this.#body = body
    this.#elsewhere = read
    this.#heap = read ? StringHeap.around(read.bytes, read.end) : StringHeap.of(body)
    this.#numbers = new LongBuffer(capacity)
    this.#ids = new TextBuffer(capacity, this.#heap, false)
    this.#places = new LongBuffer(capacity)
    this.#sizes = new SmallBuffer(capacity, (n) => new Int32Array(n))
    this.#sources = new SourceTexts(capacity, this.#heap)
    const stored = storedColumns(layout, capacity, this.#heap, read?.columns)
    this.#columns = [this.#numbers, this.#ids, this.#places, this.#sizes, ...stored]
    if (body && !copies && !read) this.#plain = new PlainDocumentReader(body, root, this.#columns, this.#heap)
  }

  /** Paths that need a list column because a document has several values. */
  get several(): ReadonlySet<string> {
    return new Set(this.#lists.keys())
  }

  /** Adds a row and returns its index. Throws UnreadableValue if the document does not fit the mapping. */
  add(id: string, document: SourceDocument): number {
    const row = this.#rows
    const inBody = document instanceof BodyDocumentWrite ? document.document : undefined
    try {
      if (!inBody || !this.#addPlain(inBody, row)) this.#addParsed(document, row)
    } catch (error) {
      if (this.#elsewhere) this.#leaveOut(row)
      throw error
    }
    this.#ids.set(row, id)
    this.#rows++
    return row
  }

  #addPlain({ body, start, end }: BodyDocument, row: number): boolean {
    if (body !== this.#body || !this.#readPlain(start, row)) return false
    this.#sources.setPlace(row, start, end)
    return true
  }

  #readPlain(start: number, row: number): boolean {
    if (this.#elsewhere) return this.#elsewhere.isRead[row] === 1
    if (!this.#plain) return false
    const isRead = this.#plain.read(start, row)
    if (!isRead) for (const column of this.#columns) column.clear(row)
    return isRead
  }

  /** Keeps an empty row for a rejected document, because the rows after it were read for the documents after it. */
  #leaveOut(row: number): void {
    this.#removed.add(row)
    this.#rows++
  }

  #addParsed(document: SourceDocument, row: number): void {
    const { source, fileRow } = document
    const text = document.text ?? JSON.stringify(source)
    this.#sawUnmapped = false
    try {
      this.#read(source, text)
      this.#sources.set(row, fileRow === undefined ? text : String(fileRow))
      for (const leaf of this.#touched) if (leaf.present) this.#store(leaf, row)
      if (this.#sawUnmapped) this.unmapped.push(source)
    } finally {
      this.#forgetValues()
    }
  }

  /** Returns the JSON of a row. Only valid before `settle`. */
  textOf(row: number): string {
    return this.#sources.text(row)
  }

  /** Removes a row because a later operation of the same write replaced or deleted the document. */
  remove(row: number): void {
    this.#removed.add(row)
  }

  /** True if the rows have moved to their final positions. */
  get isSettled(): boolean {
    return this.#isSettled
  }

  /** Bytes of the sources of all rows, removed ones included. */
  get sourceBytes(): number {
    return this.#sources.bytes
  }

  /** Number of remaining rows. */
  get size(): number {
    return this.#rows - this.#removed.size
  }

  /**
   * Compacts the remaining rows, assigns each its row number by its index among them, and joins their sources. The
   * returned bytes belong at offset `firstAt` of the source file.
   */
  settle(layout: TableLayout, numberOf: (row: number) => number, firstAt: number): SettledRows {
    this.#isSettled = true
    const columns = this.#columnsOf(layout)
    this.#closeGaps(columns)
    for (let row = 0; row < this.#rows; row++) this.#numbers.setNumber(row, numberOf(row))
    const sources = this.#sources.join(this.#rows, firstAt, this.#places, this.#sizes)
    return {
      sources,
      appendTo: (connection, table) => this.#append(connection, table, columns),
      incoming: () => this.#incoming(layout, columns),
    }
  }

  #incoming({ columns: described, fields }: TableLayout, columns: readonly ColumnBuffer[]): IncomingRows {
    const byName = new Map(described.map(({ name }, i) => [name, columns[i]]))
    const valuesOf = (name: string): IncomingColumn => byName.get(name)?.incoming(this.#rows) ?? plainValues([])
    const incoming = fields.map((field): [string, IncomingField] => {
      const list = this.#lists.has(field.path) ? listColumnOf(field) : undefined
      const single = columnsOf(field.type, field.column).map(({ name }) => valuesOf(name))
      return [field.path, { columns: single, ...(list && { several: valuesOf(list.name) }) }]
    })
    return {
      count: this.#rows,
      firstSeq: this.#rows === 0 ? 0 : Number(this.#numbers.get(0)),
      ids: this.#ids.incoming(this.#rows),
      at: numbersOf(this.#places.incoming(), this.#rows).values,
      sizes: numbersOf(this.#sizes.incoming(), this.#rows).values,
      fields: new Map(incoming),
    }
  }

  async #append(connection: DuckDBConnection, table: string, columns: readonly ColumnBuffer[]): Promise<void> {
    const heap = this.#heap.share()
    const appender = await connection.createAppender(table)
    const turn = new Turn()
    try {
      const types = Array.from({ length: appender.columnCount }, (_, i) => appender.columnType(i))
      for (let first = 0; first < this.#rows; first += CHUNK_ROWS) {
        const count = Math.min(CHUNK_ROWS, this.#rows - first)
        const chunk = DuckDBDataChunk.create(types, count)
        for (let i = 0; i < columns.length; i++) columns[i]?.write(chunk, i, first, count, heap)
        appender.appendDataChunk(chunk)
        if (turn.isOver) await turn.next()
      }
      appender.flushSync()
    } finally {
      appender.closeSync()
      // Only now: until the flush, texts of the chunks point into it.
      heap.chunk.reset()
    }
  }

  /** The columns in the order of `layout`, which has all columns of this batch and possibly more. */
  #columnsOf(layout: TableLayout): readonly ColumnBuffer[] {
    const lists = new Map<string, ColumnBuffer>()
    for (const field of layout.fields) {
      const list = this.#lists.get(field.path)
      const name = listColumnOf(field)?.name
      if (list && name !== undefined) lists.set(name, list)
    }
    return layout.columns.map(
      ({ name, sqlType }, i) => lists.get(name) ?? this.#columns[i] ?? makeBuffer(sqlType, this.#capacity, this.#heap),
    )
  }

  #closeGaps(columns: readonly ColumnBuffer[]): void {
    if (this.#removed.size === 0) return
    let to = 0
    for (let row = 0; row < this.#rows; row++) {
      if (this.#removed.has(row)) continue
      if (to < row) {
        for (const column of columns) column.move(row, to)
        this.#sources.move(row, to)
      }
      to++
    }
    this.#rows = to
    this.#removed.clear()
  }

  /** Reads everything before storing anything, so that a rejected document leaves nothing behind. */
  #read(source: JsonObject, text: string): void {
    this.#walk(source, this.#root)
    if (this.#touched.some((leaf) => holdsLargeInteger(leaf.raw))) {
      this.#forgetValues()
      this.#walk(withExactIntegers(text), this.#root)
    }
    for (const leaf of this.#touched) {
      leaf.present = leaf.raw !== undefined && readField(leaf.field, leaf.raw, leaf.values)
    }
  }

  #forgetValues(): void {
    for (const leaf of this.#touched) leaf.raw = undefined
    this.#touched.length = 0
  }

  #store({ field, firstColumn, values: { single, several } }: DocumentLeaf, row: number): void {
    for (let i = 0; i < single.length; i++) this.#columns[firstColumn + i]?.set(row, single[i] ?? null)
    if (several === undefined) return
    let list = this.#lists.get(field.path)
    if (!list) {
      list = makeBuffer(listColumnOf(field)?.sqlType ?? '', this.#capacity, this.#heap)
      this.#lists.set(field.path, list)
    }
    list.set(row, several)
  }

  #walk(object: JsonObject, node: DocumentNode): void {
    for (const key in object) {
      const value = object[key]
      if (value === null || value === undefined) continue
      const child = node.children.get(key)
      if (child) this.#visit(value, child)
      else this.#visitUnknown(key, value, node)
    }
  }

  #visit(value: Json, node: DocumentNode): void {
    if (node.opaque) return
    if (node.leaf) {
      this.#collect(node.leaf, value)
    } else if (Array.isArray(value)) {
      for (const item of value) if (item !== null) this.#visit(item, node)
    } else if (typeof value === 'object' && value !== null) {
      this.#walk(value as JsonObject, node)
    } else {
      throw new UnreadableValue(
        `object mapping for [${node.path}] tried to parse as object, but found a concrete value`,
      )
    }
  }

  /** A source key that contains dots names the same path as nested objects do. */
  #visitUnknown(key: string, value: Json, node: DocumentNode): void {
    if (key.includes('.')) {
      const [head = '', ...rest] = key.split('.')
      const child = node.children.get(head)
      if (child && !child.leaf) {
        this.#visit({ [rest.join('.')]: value }, child)
        return
      }
    }
    if (node.dynamic === 'strict') {
      throw new UnreadableValue(
        `mapping set to strict, dynamic introduction of [${key}] within [${node.path || '_doc'}] is not allowed`,
      )
    }
    if (node.dynamic === true) this.#sawUnmapped = true
  }

  #collect(leaf: DocumentLeaf, value: Json): void {
    if (leaf.raw === undefined) {
      leaf.raw = value
      this.#touched.push(leaf)
    } else {
      // Several objects of an array have a value each, or the field is a target of copy_to.
      leaf.raw = [...asSeveral(leaf.raw, leaf.field), ...asSeveral(value, leaf.field)]
    }
    for (const target of leaf.copyTo) this.#collect(target, value)
  }
}

/** An array of numbers is one point, not several values. */
function asSeveral(value: Json, field: FieldLayout): readonly Json[] {
  const onePoint = field.type === 'GEO_POINT' && Array.isArray(value) && typeof value[0] === 'number'
  return Array.isArray(value) && !onePoint ? value : [value]
}
