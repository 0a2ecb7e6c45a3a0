import type { FieldType } from '../../../../model/field-type.ts'
import { splitValues } from '../../index/several-values.ts'
import { addToHash, HASH_START } from '../byte-hash.ts'
import { type Column, VALUE_START } from '../column.ts'
import {
  copyNumbers,
  hasValues,
  type IncomingColumn,
  type IncomingTexts,
  isValid,
  textsOf,
  valueAt,
} from '../incoming-column.ts'
import { columnAt, type IncomingField, severalOf } from '../incoming-rows.ts'
import { grown, makeFloat64s, makeUint32s, startsOf } from './growing-array.ts'
import { GrowingDictionary } from './growing-dictionary.ts'
import { PointTail, ShapeTail } from './tail-columns-geo.ts'

/**
 * A column that grows. Rows are always written consecutively from some row on; later rows are overwritten. Arrays are
 * replaced when they grow or change their form, so that views keep theirs.
 */
export interface TailColumn {
  /** Writes `count` rows from `at` on; without values if `field` is undefined. */
  write(field: IncomingField | undefined, at: number, count: number): void
  view(): Column
  /** Estimated memory. */
  readonly bytes: number
}

/** Returns the column of a field whose first `rows` rows have no value. Undefined for types without columns. */
export function makeTailColumn(type: FieldType, rows: number): TailColumn | undefined {
  switch (type) {
    case 'KEYWORD':
    case 'IP':
      return new CodeTail(type, rows)
    case 'TEXT':
      return new TextTail(type, rows)
    case 'GEO_POINT':
      return new PointTail(type, rows)
    case 'GEO_SHAPE':
      return new ShapeTail(type, rows)
    case 'OBJECT':
    case 'NESTED':
    case 'UNKNOWN':
      return undefined
    default:
      return new NumberTail(type, rows)
  }
}

/** Values that are one number each: codes or numbers. */
abstract class ScalarTail<T extends Uint32Array | Float64Array> {
  protected values: T
  protected starts: Uint32Array | undefined
  readonly #make: (length: number) => T
  readonly #none: number

  constructor(rows: number, none: number, make: (length: number) => T) {
    this.#make = make
    this.#none = none
    this.values = make(rows)
    this.values.fill(none)
  }

  /** Writes the value of each row of a column to `to`, from `at` on; `none` for rows without one. */
  protected abstract encode(column: IncomingColumn, count: number, to: T, at: number): void
  protected abstract encodePrinted(value: string): number

  write(field: IncomingField | undefined, at: number, count: number): void {
    const several = severalOf(field)
    if (this.starts === undefined && hasValues(several, count)) this.#allowSeveral(at)
    if (this.starts === undefined) {
      this.values = grown(this.values, at + count, this.#make)
      this.encode(columnAt(field, 0), count, this.values, at)
    } else this.#writeSeveral(columnAt(field, 0), several, this.starts, at, count)
  }

  #writeSeveral(
    single: IncomingColumn,
    several: IncomingColumn,
    earlier: Uint32Array,
    at: number,
    count: number,
  ): void {
    const starts = grown(earlier, at + count + 1, makeUint32s)
    this.starts = starts
    const values = this.#make(count)
    this.encode(single, count, values, 0)
    let end = starts[at] ?? 0
    const add = (value: number): void => {
      this.values = grown(this.values, end + 1, this.#make)
      this.values[end++] = value
    }
    for (let i = 0; i < count; i++) {
      const all = valueAt(several, i)
      const value = values[i]
      if (all !== null) for (const printed of splitValues(String(all))) add(this.encodePrinted(printed))
      else if (value !== undefined && !Object.is(value, this.#none)) add(value)
      starts[at + i + 1] = end
    }
  }

  #allowSeveral(rows: number): void {
    const none = this.#none
    const { values } = this
    const isValue = (value: number | undefined): boolean => !Object.is(value, none)
    this.starts = startsOf(rows, (row) => isValue(values[row]))
    const kept = this.#make(values.length)
    kept.set(values.subarray(0, rows).filter(isValue))
    this.values = kept
  }

  get bytes(): number {
    return this.values.byteLength + (this.starts?.byteLength ?? 0)
  }
}

class CodeTail extends ScalarTail<Uint32Array> implements TailColumn {
  readonly #type: FieldType
  readonly #dictionary = new GrowingDictionary()

  constructor(type: FieldType, rows: number) {
    super(rows, 0, makeUint32s)
    this.#type = type
  }

  protected override encode(column: IncomingColumn, count: number, to: Uint32Array, at: number): void {
    const { valid, bytes, starts, lengths } = textsOf(column, count)
    for (let i = 0; i < count; i++) {
      const from = starts[i] ?? 0
      to[at + i] = isValid(valid, i) ? this.#dictionary.addBytes(bytes, from, from + (lengths[i] ?? 0)) : 0
    }
  }

  protected override encodePrinted(value: string): number {
    return this.#dictionary.add(value)
  }

  view(): Column {
    const dictionary = this.#dictionary.view()
    return { kind: 'code', type: this.#type, codes: this.values, dictionary, ...several(this.starts) }
  }

  override get bytes(): number {
    return super.bytes + this.#dictionary.bytes
  }
}

class NumberTail extends ScalarTail<Float64Array> implements TailColumn {
  readonly #type: FieldType
  #isInexact = false

  constructor(type: FieldType, rows: number) {
    super(rows, Number.NaN, makeFloat64s)
    this.#type = type
  }

  protected override encode(column: IncomingColumn, count: number, to: Float64Array, at: number): void {
    copyNumbers(column, count, to, at)
    if (this.#type !== 'LONG' && this.#type !== 'FLOAT') return
    for (let i = at; i < at + count; i++) {
      const value = to[i] ?? 0
      if (!Number.isNaN(value)) to[i] = this.#checked(value)
    }
  }

  protected override encodePrinted(value: string): number {
    return this.#checked(this.#type === 'BOOLEAN' ? Number(value === 'true') : Number(value))
  }

  #checked(value: number): number {
    if (this.#type === 'LONG' && !Number.isSafeInteger(value)) this.#isInexact = true
    return this.#type === 'FLOAT' ? Math.fround(value) : value
  }

  view(): Column {
    const inexact = this.#isInexact ? { inexact: true as const } : {}
    return { kind: 'number', type: this.#type, values: this.values, ...inexact, ...several(this.starts) }
  }
}

const several = (starts: Uint32Array | undefined): { readonly starts?: Uint32Array } =>
  starts === undefined ? {} : { starts }

const BLANK = 0x20
const LINE_FEED = 0x0a

class TextTail implements TailColumn {
  readonly #type: FieldType
  readonly #dictionary = new GrowingDictionary()
  #tokens: Uint32Array = new Uint32Array()
  #starts: Uint32Array

  constructor(type: FieldType, rows: number) {
    this.#type = type
    this.#starts = new Uint32Array(rows + 1)
  }

  write(field: IncomingField | undefined, at: number, count: number): void {
    this.#starts = grown(this.#starts, at + count + 1, makeUint32s)
    const texts = textsOf(columnAt(field, 0), count)
    let end = this.#starts[at] ?? 0
    for (let i = 0; i < count; i++) {
      if (isValid(texts.valid, i)) end = this.#writeText(texts, i, end)
      this.#starts[at + i + 1] = end
    }
  }

  /** Tokens are between blanks, values between line feeds. */
  #writeText({ bytes, starts, lengths }: IncomingTexts, i: number, first: number): number {
    const from = starts[i] ?? 0
    const to = from + (lengths[i] ?? 0)
    // A byte is at most one token or one value.
    const tokens = grown(this.#tokens, first + to - from + 1, makeUint32s)
    this.#tokens = tokens
    let end = first
    tokens[end++] = VALUE_START
    let start = from
    let hash = HASH_START
    for (let p = from; p <= to; p++) {
      const byte = p < to ? (bytes[p] ?? 0) : BLANK
      if (byte !== BLANK && byte !== LINE_FEED) {
        hash = addToHash(hash, byte)
        continue
      }
      if (p > start) tokens[end++] = this.#dictionary.addBytes(bytes, start, p, hash)
      if (byte === LINE_FEED) tokens[end++] = VALUE_START
      start = p + 1
      hash = HASH_START
    }
    return end
  }

  view(): Column {
    const dictionary = this.#dictionary.view()
    return { kind: 'text', type: this.#type, tokens: this.#tokens, starts: this.#starts, dictionary }
  }

  get bytes(): number {
    return this.#tokens.byteLength + this.#starts.byteLength + this.#dictionary.bytes
  }
}
