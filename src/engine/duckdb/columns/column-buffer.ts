import { DuckDBBlobValue, type DuckDBDataChunk, type DuckDBValue } from '@duckdb/node-api'
import { type IncomingColumn, plainValues } from '../segment/incoming-column.ts'
import { ColumnVector, ENTRY_BYTES, INLINE } from './column-vector.ts'
import type { SharedHeap, StringHeap } from './string-heap.ts'

/** DuckDB's vector size: the largest chunk an appender accepts. */
export const CHUNK_ROWS = 2048

type Part = ArrayBufferView<ArrayBuffer>
export type Parts = readonly Part[]

/** Values of one column of a batch, in the memory layout of DuckDB. Rows never set are NULL. */
export abstract class ColumnBuffer {
  readonly #valid: Uint8Array<ArrayBuffer>

  constructor(capacity: number, valid: Part | undefined) {
    // DuckDB reads validity in words of 64 rows.
    this.#valid = (valid as Uint8Array<ArrayBuffer>) ?? new Uint8Array(Math.ceil(capacity / 64) * 8)
  }

  /** Arrays the buffer consists of. They allow another thread to recreate it. */
  get parts(): Parts {
    return [this.#valid, ...this.values]
  }

  protected abstract get values(): Parts

  abstract set(row: number, value: DuckDBValue): void

  /** Returns the value of a row, null if it has none. Integers up to 2^53 are numbers. */
  get(row: number): DuckDBValue {
    return this.isSet(row) ? this.valueAt(row) : null
  }

  protected abstract valueAt(row: number): DuckDBValue

  /** Returns the first `count` rows for a tail, which reads them before the buffer changes. */
  incoming(count: number): IncomingColumn {
    return plainValues(Array.from({ length: count }, (_, row) => this.get(row)))
  }

  protected get valid(): Uint8Array {
    return this.#valid
  }

  /** Copies `count` rows starting at `first`, a multiple of the chunk size, to a column of the chunk. */
  write(chunk: DuckDBDataChunk, column: number, first: number, count: number, heap: SharedHeap): void {
    const vector = new ColumnVector(chunk, column)
    this.writeValues(vector, first, count, heap)
    vector.copyValidity(this.#valid.subarray(first >> 3, (first >> 3) + Math.ceil(count / 64) * 8))
  }

  protected abstract writeValues(vector: ColumnVector, first: number, count: number, heap: SharedHeap): void

  /** Moves the value of a row to an earlier row. */
  move(from: number, to: number): void {
    if (this.isSet(from)) {
      this.moveValue(from, to)
      this.mark(to)
    } else this.clear(to)
  }

  protected abstract moveValue(from: number, to: number): void

  clear(row: number): void {
    this.#valid[row >> 3] = (this.#valid[row >> 3] ?? 0) & ~(1 << (row & 7))
  }

  protected mark(row: number): void {
    this.#valid[row >> 3] = (this.#valid[row >> 3] ?? 0) | (1 << (row & 7))
  }

  protected isSet(row: number): boolean {
    return ((this.#valid[row >> 3] ?? 0) & (1 << (row & 7))) !== 0
  }
}

type Numbers =
  | Float32Array<ArrayBuffer>
  | Int32Array<ArrayBuffer>
  | Int16Array<ArrayBuffer>
  | Int8Array<ArrayBuffer>
  | Uint8Array<ArrayBuffer>

function copyValues(
  vector: ColumnVector,
  values: Numbers | Float64Array<ArrayBuffer> | BigInt64Array<ArrayBuffer>,
  first: number,
  count: number,
) {
  const size = values.BYTES_PER_ELEMENT
  vector.copyValues(values, first * size, count * size)
}

export class DoubleBuffer extends ColumnBuffer {
  readonly #values: Float64Array<ArrayBuffer>

  constructor(capacity: number, [valid, values]: Parts = []) {
    super(capacity, valid)
    this.#values = (values as Float64Array<ArrayBuffer>) ?? new Float64Array(capacity)
  }

  protected get values(): Parts {
    return [this.#values]
  }

  set(row: number, value: DuckDBValue): void {
    this.setNumber(row, Number(value))
  }

  setNumber(row: number, value: number): void {
    this.#values[row] = value
    this.mark(row)
  }

  protected valueAt(row: number): number {
    return this.#values[row] ?? 0
  }

  override incoming(): IncomingColumn {
    return { kind: 'numbers', valid: this.valid, values: this.#values }
  }

  protected moveValue(from: number, to: number): void {
    this.#values[to] = this.#values[from] ?? 0
  }

  protected writeValues(vector: ColumnVector, first: number, count: number): void {
    copyValues(vector, this.#values, first, count)
  }
}

/** Upper halves of integers up to 2^53. */
const SAFE_HIGH = 2 ** 21

/** Signed and unsigned 64-bit integers. */
export class LongBuffer extends ColumnBuffer {
  readonly #values: BigInt64Array<ArrayBuffer>
  readonly #halves: Int32Array

  constructor(capacity: number, [valid, values]: Parts = []) {
    super(capacity, valid)
    this.#values = (values as BigInt64Array<ArrayBuffer>) ?? new BigInt64Array(capacity)
    this.#halves = new Int32Array(this.#values.buffer)
  }

  protected get values(): Parts {
    return [this.#values]
  }

  set(row: number, value: DuckDBValue): void {
    this.#values[row] = BigInt.asIntN(64, BigInt(value as bigint | number))
    this.mark(row)
  }

  /** Sets an integer up to 2^53 without creating a bigint. Every platform of DuckDB is little-endian. */
  setNumber(row: number, value: number): void {
    this.#halves[2 * row] = value
    this.#halves[2 * row + 1] = Math.floor(value / 2 ** 32)
    this.mark(row)
  }

  protected valueAt(row: number): number | bigint {
    const high = this.#halves[2 * row + 1] ?? 0
    if (high >= -SAFE_HIGH && high < SAFE_HIGH) return high * 2 ** 32 + ((this.#halves[2 * row] ?? 0) >>> 0)
    return this.#values[row] ?? 0n
  }

  override incoming(): IncomingColumn {
    return { kind: 'longs', valid: this.valid, halves: new Uint32Array(this.#values.buffer) }
  }

  protected moveValue(from: number, to: number): void {
    this.#values[to] = this.#values[from] ?? 0n
  }

  protected writeValues(vector: ColumnVector, first: number, count: number): void {
    copyValues(vector, this.#values, first, count)
  }
}

/** Numbers of fewer bits, and booleans as 0 and 1. */
export class SmallBuffer extends ColumnBuffer {
  readonly #values: Numbers

  /** `makeValues` is called only if no parts are given. */
  constructor(capacity: number, makeValues: (capacity: number) => Numbers, [valid, values]: Parts = []) {
    super(capacity, valid)
    this.#values = (values as Numbers) ?? makeValues(capacity)
  }

  protected get values(): Parts {
    return [this.#values]
  }

  set(row: number, value: DuckDBValue): void {
    this.#values[row] = Number(value)
    this.mark(row)
  }

  protected valueAt(row: number): number {
    return this.#values[row] ?? 0
  }

  override incoming(): IncomingColumn {
    return { kind: 'numbers', valid: this.valid, values: this.#values }
  }

  protected moveValue(from: number, to: number): void {
    this.#values[to] = this.#values[from] ?? 0
  }

  protected writeValues(vector: ColumnVector, first: number, count: number): void {
    copyValues(vector, this.#values, first, count)
  }
}

/** Texts and blobs, stored as extents in the heap of the batch. */
export class TextBuffer extends ColumnBuffer {
  readonly #heap: StringHeap
  readonly #isBlob: boolean
  readonly #starts: Uint32Array<ArrayBuffer>
  readonly #lengths: Uint32Array<ArrayBuffer>

  /** `isBlob`: the values are bytes, not texts. */
  constructor(capacity: number, heap: StringHeap, isBlob: boolean, [valid, starts, lengths]: Parts = []) {
    super(capacity, valid)
    this.#heap = heap
    this.#isBlob = isBlob
    this.#starts = (starts as Uint32Array<ArrayBuffer>) ?? new Uint32Array(capacity)
    this.#lengths = (lengths as Uint32Array<ArrayBuffer>) ?? new Uint32Array(capacity)
  }

  protected get values(): Parts {
    return [this.#starts, this.#lengths]
  }

  set(row: number, value: DuckDBValue): void {
    const start = this.#heap.end
    if (value instanceof DuckDBBlobValue) this.#heap.addBytes(value.bytes)
    else this.#heap.add(String(value))
    this.setPlace(row, start, this.#heap.end)
  }

  setPlace(row: number, start: number, end: number): void {
    this.#starts[row] = start
    this.#lengths[row] = end - start
    this.mark(row)
  }

  protected valueAt(row: number): DuckDBValue {
    const start = this.#starts[row] ?? 0
    const end = start + (this.#lengths[row] ?? 0)
    const { bytes } = this.#heap
    return this.#isBlob ? new DuckDBBlobValue(bytes.subarray(start, end)) : bytes.toString('utf8', start, end)
  }

  override incoming(count: number): IncomingColumn {
    if (this.#isBlob) return super.incoming(count)
    const { bytes } = this.#heap
    return { kind: 'texts', valid: this.valid, bytes, starts: this.#starts, lengths: this.#lengths }
  }

  protected moveValue(from: number, to: number): void {
    this.#starts[to] = this.#starts[from] ?? 0
    this.#lengths[to] = this.#lengths[from] ?? 0
  }

  protected writeValues(vector: ColumnVector, first: number, count: number, heap: SharedHeap): void {
    for (let i = 0; i < count; i++) {
      const length = this.isSet(first + i) ? (this.#lengths[first + i] ?? 0) : 0
      writeEntry(i, heap, this.#starts[first + i] ?? 0, length)
    }
    vector.copyValues(entries, 0, count * ENTRY_BYTES)
  }
}

/** Shared by all columns: it is copied to the vector immediately. */
const entries = new Uint8Array(new ArrayBuffer(CHUNK_ROWS * ENTRY_BYTES))
const words = new Uint32Array(entries.buffer)

function writeEntry(i: number, { bytes, address }: SharedHeap, start: number, length: number): void {
  const word = i * 4
  const at = i * ENTRY_BYTES + 4
  words[word] = length
  if (length > INLINE) {
    for (let b = 0; b < 4; b++) entries[at + b] = bytes[start + b] ?? 0
    const pointer = address + start
    words[word + 2] = pointer
    words[word + 3] = Math.floor(pointer / 2 ** 32)
    return
  }
  // Unused bytes must be zero: DuckDB compares entries as a whole.
  words[word + 1] = 0
  words[word + 2] = 0
  words[word + 3] = 0
  for (let b = 0; b < length; b++) entries[at + b] = bytes[start + b] ?? 0
}

/** Lists are rare and vary in structure, so the driver writes them. */
class ListBuffer extends ColumnBuffer {
  readonly #values: DuckDBValue[] = []

  constructor(capacity: number) {
    super(capacity, undefined)
  }

  /** Lists are not passed to other threads. */
  protected get values(): Parts {
    return []
  }

  set(row: number, value: DuckDBValue): void {
    this.#values[row] = value
    this.mark(row)
  }

  override write(chunk: DuckDBDataChunk, column: number, first: number, count: number): void {
    const vector = chunk.getColumnVector(column)
    for (let i = 0; i < count; i++) vector.setItem(i, this.isSet(first + i) ? (this.#values[first + i] ?? null) : null)
    vector.flush()
  }

  protected writeValues(): void {}

  protected valueAt(row: number): DuckDBValue {
    return this.#values[row] ?? null
  }

  protected moveValue(from: number, to: number): void {
    this.#values[to] = this.#values[from] ?? null
  }
}

/** `parts`: those of a buffer with the same type and capacity, whose values are then reused. */
export function makeBuffer(sqlType: string, capacity: number, heap: StringHeap, parts?: Parts): ColumnBuffer {
  switch (sqlType) {
    case 'VARCHAR':
    case 'BLOB':
      return new TextBuffer(capacity, heap, sqlType === 'BLOB', parts)
    case 'DOUBLE':
      return new DoubleBuffer(capacity, parts)
    case 'BIGINT':
    case 'UBIGINT':
      return new LongBuffer(capacity, parts)
    case 'FLOAT':
      return new SmallBuffer(capacity, (n) => new Float32Array(n), parts)
    case 'INTEGER':
    case 'UINTEGER':
      return new SmallBuffer(capacity, (n) => new Int32Array(n), parts)
    case 'SMALLINT':
      return new SmallBuffer(capacity, (n) => new Int16Array(n), parts)
    case 'TINYINT':
      return new SmallBuffer(capacity, (n) => new Int8Array(n), parts)
    case 'BOOLEAN':
      return new SmallBuffer(capacity, (n) => new Uint8Array(n), parts)
    default:
      return new ListBuffer(capacity)
  }
}
