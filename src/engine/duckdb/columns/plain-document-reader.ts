import { mortonKey } from '../../../geo/grid/morton-key.ts'
import { wrapLongitude } from '../../../geo/polygon/longitude-cut.ts'
import type { Json } from '../../../model/json/document.ts'
import { holdsLargeInteger } from '../../../model/json/exact-json.ts'
import { isNumber } from '../../../query/schema/field.ts'
import { readStoredValue } from '../../../query/value/stored-value.ts'
import { type ColumnBuffer, DoubleBuffer, LongBuffer, TextBuffer } from './column-buffer.ts'
import { readField, UnreadableValue } from './document-columns.ts'
import type { DocumentLeaf, DocumentNode } from './document-tree.ts'
import { endOfNumber, endOfPlainString, endOfSpace, endOfValue, numberIn } from './json-bytes.ts'
import { addPlainTokens } from './plain-tokens.ts'
import type { StringHeap } from './string-heap.ts'

const QUOTE = 0x22
const COMMA = 0x2c
const OPEN = 0x7b
const CLOSE = 0x7d
const NULL = 0x6e

/** Returned instead of an offset: the whole document must be parsed and walked. */
const UNUSUAL = -1

interface Key {
  readonly bytes: Uint8Array
  readonly node: Keys | undefined
  readonly leaf: DocumentLeaf | undefined
  /** Number of the last document that had the key. A duplicate key in one document is unusual. */
  document: number
}

interface Keys {
  readonly keys: readonly Key[]
  readonly byName: ReadonlyMap<string, number>
  /** True if keys missing in the mapping are ignored. */
  readonly closed: boolean
}

/**
 * Reads documents of a request body directly into columns. Documents of a bulk load are usually alike, with one value
 * per field, so no objects are created and texts are not decoded. Anything unusual is left to the general path, which
 * alone decides what to reject.
 */
export class PlainDocumentReader {
  readonly #body: Buffer
  readonly #root: Keys
  readonly #columns: readonly ColumnBuffer[]
  readonly #heap: StringHeap
  #row = 0
  #document = 0

  /** `heap` must start with the bytes of `body`. */
  constructor(body: Buffer, root: DocumentNode, columns: readonly ColumnBuffer[], heap: StringHeap) {
    this.#body = body
    this.#root = keysOf(root)
    this.#columns = columns
    this.#heap = heap
  }

  /**
   * Sets the columns from the valid JSON object at `start`. Returns false if the general path must read it; some
   * columns may be set then.
   */
  read(start: number, row: number): boolean {
    this.#row = row
    this.#document++
    try {
      return this.#readObject(start, this.#root) !== UNUSUAL
    } catch (error) {
      if (error instanceof UnreadableValue) return false
      throw error
    }
  }

  /** Reads the members of the object at `start`. Returns its end offset. */
  #readObject(start: number, node: Keys): number {
    const body = this.#body
    let at = endOfSpace(body, start + 1)
    // Documents of a bulk load have their keys in the same order: guess the key after the previous one.
    let expected = 0
    while (body[at] !== CLOSE) {
      if (body[at] === COMMA) at = endOfSpace(body, at + 1)
      const found = this.#findKey(at + 1, node, expected)
      if (found === UNUSUAL) return UNUSUAL
      const key = node.keys[found]
      const value = endOfSpace(body, endOfSpace(body, endOfPlainString(body, at + 1) + 1) + 1)
      if (key === undefined) {
        at = endOfValue(body, value)
      } else {
        if (key.document === this.#document) return UNUSUAL
        key.document = this.#document
        expected = found + 1
        at = this.#readMember(value, key)
        if (at === UNUSUAL) return UNUSUAL
      }
      at = endOfSpace(body, at)
    }
    return at + 1
  }

  /** Returns the index of the key at `start`, or the number of keys if its value is ignored. */
  #findKey(start: number, { keys, byName, closed }: Keys, expected: number): number {
    const guess = keys[expected]
    if (guess !== undefined && this.#isAt(start, guess.bytes)) return expected
    const end = endOfPlainString(this.#body, start)
    if (this.#body[end] !== QUOTE) return UNUSUAL
    const name = this.#body.toString('utf8', start, end)
    const found = byName.get(name)
    if (found !== undefined) return found
    return closed && !name.includes('.') ? keys.length : UNUSUAL
  }

  #isAt(start: number, bytes: Uint8Array): boolean {
    for (let i = 0; i < bytes.length; i++) if (this.#body[start + i] !== bytes[i]) return false
    return this.#body[start + bytes.length] === QUOTE
  }

  #readMember(at: number, { leaf, node }: Key): number {
    const first = this.#body[at]
    if (first === NULL) return at + 4
    if (leaf) return this.#readLeaf(at, leaf)
    if (!node) return endOfValue(this.#body, at)
    return first === OPEN ? this.#readObject(at, node) : UNUSUAL
  }

  #readLeaf(at: number, leaf: DocumentLeaf): number {
    const first = this.#body[at]
    const column = this.#columns[leaf.firstColumn]
    const { type } = leaf.field
    if (first === QUOTE && column instanceof TextBuffer && (type === 'KEYWORD' || type === 'TEXT')) {
      const end = endOfPlainString(this.#body, at + 1)
      if (this.#body[end] !== QUOTE) return this.#readAny(at, leaf)
      if (type === 'TEXT') return this.#readText(at, end, column, leaf)
      column.setPlace(this.#row, at + 1, end)
      return end + 1
    }
    if (type === 'DATE' || isNumber(type)) return this.#readNumber(at, leaf)
    if (type === 'GEO_POINT' && first === OPEN) return this.#readPoint(at, leaf)
    return this.#readAny(at, leaf)
  }

  #readText(at: number, end: number, column: TextBuffer, leaf: DocumentLeaf): number {
    const start = this.#heap.end
    if (!addPlainTokens(this.#body, at + 1, end, this.#heap)) return this.#readAny(at, leaf)
    column.setPlace(this.#row, start, this.#heap.end)
    return end + 1
  }

  #readNumber(at: number, leaf: DocumentLeaf): number {
    const end = endOfNumber(this.#body, at)
    const number = end === at ? undefined : numberIn(this.#body, at, end)
    if (number === undefined) return this.#readAny(at, leaf)
    const value = readStoredValue(leaf.field, number)
    if (value === undefined) return UNUSUAL
    const column = this.#columns[leaf.firstColumn]
    const quick = typeof value === 'number' && (column instanceof DoubleBuffer || column instanceof LongBuffer)
    if (quick) column.setNumber(this.#row, value)
    else column?.set(this.#row, value)
    return end
  }

  /** Reads `{"lat":1,"lon":2}`, with the two members in either order and no others. */
  #readPoint(start: number, leaf: DocumentLeaf): number {
    const body = this.#body
    let at = start
    let lon: number | undefined
    let lat: number | undefined
    for (let member = 0; member < 2; member++) {
      at = endOfSpace(body, at + 1)
      const name = this.#isAt(at + 1, LON) ? LON : this.#isAt(at + 1, LAT) ? LAT : undefined
      if (name === undefined) return this.#readAny(start, leaf)
      const value = endOfSpace(body, endOfSpace(body, at + 5) + 1)
      const end = endOfNumber(body, value)
      const number = end === value ? undefined : numberIn(body, value, end)
      if (name === LON) lon = number
      else lat = number
      at = endOfSpace(body, end)
      if (number === undefined || body[at] !== (member === 0 ? COMMA : CLOSE)) return this.#readAny(start, leaf)
    }
    if (lon === undefined || lat === undefined || Math.abs(lon) > 360 || Math.abs(lat) > 90)
      return this.#readAny(start, leaf)
    const x = wrapLongitude(lon) + 0
    this.#set(leaf.firstColumn, x)
    this.#set(leaf.firstColumn + 1, lat + 0)
    this.#columns[leaf.firstColumn + 2]?.set(this.#row, mortonKey(x, lat + 0))
    return at + 1
  }

  #set(column: number, value: number): void {
    const buffer = this.#columns[column]
    if (buffer instanceof DoubleBuffer) buffer.setNumber(this.#row, value)
  }

  /** Reads any value of one field with the functions of the general path. */
  #readAny(at: number, leaf: DocumentLeaf): number {
    const end = endOfValue(this.#body, at)
    const raw: Json = JSON.parse(this.#body.toString('utf8', at, end))
    if (holdsLargeInteger(raw)) return UNUSUAL
    const { values, field, firstColumn } = leaf
    if (!readField(field, raw, values)) return end
    if (values.several !== undefined) return UNUSUAL
    for (let i = 0; i < values.single.length; i++) {
      this.#columns[firstColumn + i]?.set(this.#row, values.single[i] ?? null)
    }
    return end
  }
}

const LON = Buffer.from('lon')
const LAT = Buffer.from('lat')

function keysOf({ children, dynamic }: DocumentNode): Keys {
  const keys = [...children].map(([name, child]): Key => {
    const node = child.opaque || child.leaf ? undefined : keysOf(child)
    return { bytes: new Uint8Array(Buffer.from(name)), node, leaf: child.leaf, document: 0 }
  })
  return { keys, byName: new Map([...children.keys()].map((name, i) => [name, i])), closed: dynamic === false }
}
