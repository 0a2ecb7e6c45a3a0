import type { FieldLayout } from '../../index/table-layout.ts'
import { BLOCK, type Codes, type NumberBlocks, type NumberColumn, type Packing } from '../column.ts'
import type { ColumnData } from '../segment-data.ts'
import { sharedCodes, sharedFloat64s, sharedUint8s, sharedUint32s } from '../shared-arrays.ts'
import { sortedPositions } from './build-order.ts'
import { arrangePositions, columnsOfSources, moveValues } from './build-positions.ts'
import type { BuildRows } from './build-rows.ts'

/** Builds the column of a number, DATE or BOOLEAN. `ordered`: with `order`. Undefined if no row has a value. */
export function buildNumbers(
  field: FieldLayout,
  { sources, count }: BuildRows,
  ordered: boolean,
): ColumnData | undefined {
  const columns = columnsOfSources(sources, (part) => numberColumn(part.column(field)))
  const positions = arrangePositions(columns, count, hasNumber)
  const values = sharedFloat64s(positions.count).fill(Number.NaN)
  for (const source of columns) {
    const read = (from: number, to: number, into: Float64Array): void => readNumbers(source.column, from, to, into)
    moveValues(source, read, (length) => new Float64Array(length), positions, values)
  }
  const summary = summarise(values)
  if (summary.isEmpty) return undefined
  const isInexact = !summary.isSafe && columns.some(({ column }) => column.inexact)
  const packing = packingOf(values, summary)
  const { starts } = positions
  return {
    kind: 'number',
    path: field.path,
    type: field.type,
    ...(packing === undefined ? { values } : { values: pack(values, packing, summary.max), packing }),
    ...(isInexact ? { inexact: true as const } : {}),
    ...(starts === undefined ? {} : { starts }),
    blocks: summariseBlocks(values, starts, count),
    ...(ordered && starts === undefined && summary.isSafe ? { order: orderOf(values) } : {}),
  }
}

const numberColumn = (column: { readonly kind: string } | undefined): NumberColumn | undefined =>
  column?.kind === 'number' ? (column as NumberColumn) : undefined

function hasNumber({ values, packing }: NumberColumn, row: number): boolean {
  const value = values[row] ?? 0
  return packing === undefined ? !Number.isNaN(value) : value !== 0
}

/** Copies values from a position to another (excluded) as doubles. */
export function readNumbers({ values, packing }: NumberColumn, from: number, to: number, into: Float64Array): void {
  into.set(values.subarray(from, to))
  if (packing === undefined) return
  const { base, step } = packing
  for (let i = 0; i < to - from; i++) {
    const stored = into[i] ?? 0
    into[i] = stored === 0 ? Number.NaN : base + (stored - 1) * step
  }
}

interface Summary {
  readonly isEmpty: boolean
  /** True if all values are integers that a double holds exactly, together with its neighbours. */
  readonly isSafe: boolean
  readonly min: number
  readonly max: number
}

function summarise(values: Float64Array): Summary {
  let isSafe = true
  let min = Number.POSITIVE_INFINITY
  let max = Number.NEGATIVE_INFINITY
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? 0
    if (Number.isNaN(value)) continue
    if (value < min) min = value
    if (value > max) max = value
    // -0 has no packed form.
    if (isSafe && (!Number.isSafeInteger(value) || Object.is(value, -0))) isSafe = false
  }
  return { isEmpty: min > max, isSafe, min, max }
}

/** Upper bound of (max - min) / step, so that all stored integers fit into 32 bits. */
const MOST_STEPS = 2 ** 32 - 3

function packingOf(values: Float64Array, { isSafe, min, max }: Summary): Packing | undefined {
  if (!isSafe || max - min > Number.MAX_SAFE_INTEGER) return undefined
  if (min === max) return { base: min, step: 1 }
  let step = 0
  let previous = Number.NaN
  for (let i = 0; i < values.length && step !== 1; i++) {
    const value = values[i] ?? 0
    if (Number.isNaN(value) || value === previous) continue
    previous = value
    if (step !== 0 && (value - min) % step === 0) continue
    step = greatestDivisor(step, value - min)
    if (step !== 0 && (max - min) / step > MOST_STEPS) return undefined
  }
  return { base: min, step }
}

function greatestDivisor(a: number, b: number): number {
  let [x, y] = [a, b]
  while (y !== 0) [x, y] = [y, x % y]
  return x
}

function pack(values: Float64Array, { base, step }: Packing, max: number): Codes {
  const stored = sharedCodes(values.length, (max - base) / step + 1)
  const block = new Float64Array(BLOCK)
  for (let from = 0; from < values.length; from += BLOCK) {
    const length = Math.min(BLOCK, values.length - from)
    for (let i = 0; i < length; i++) {
      const value = values[from + i] ?? 0
      block[i] = Number.isNaN(value) ? 0 : (value - base) / step + 1
    }
    stored.set(block.subarray(0, length), from)
  }
  return stored
}

function summariseBlocks(values: Float64Array, starts: Uint32Array | undefined, rows: number): NumberBlocks {
  const length = Math.ceil(rows / BLOCK)
  const blocks = { min: sharedFloat64s(length), max: sharedFloat64s(length), complete: sharedUint8s(length) }
  for (let block = 0; block < length; block++) {
    const from = block * BLOCK
    const to = Math.min(rows, from + BLOCK)
    let min = Number.POSITIVE_INFINITY
    let max = Number.NEGATIVE_INFINITY
    let isComplete = true
    const last = starts === undefined ? to : (starts[to] ?? 0)
    for (let at = starts === undefined ? from : (starts[from] ?? 0); at < last; at++) {
      const value = values[at] ?? 0
      if (value < min) min = value
      if (value > max) max = value
      if (Number.isNaN(value)) isComplete = false
    }
    if (starts !== undefined)
      for (let row = from; row < to; row++) if (starts[row] === starts[row + 1]) isComplete = false
    blocks.min[block] = min > max ? Number.NaN : min
    blocks.max[block] = min > max ? Number.NaN : max
    blocks.complete[block] = isComplete ? 1 : 0
  }
  return blocks
}

/** Rows with a value, by value, then row. The values are integers. */
function orderOf(values: Float64Array): Uint32Array {
  let count = 0
  for (let row = 0; row < values.length; row++) if (!Number.isNaN(values[row])) count++
  const rows = new Uint32Array(count)
  const high = new Uint32Array(count)
  const low = new Uint32Array(count)
  let end = 0
  for (let row = 0; row < values.length; row++) {
    const value = values[row] ?? 0
    if (Number.isNaN(value)) continue
    const upper = Math.floor(value / 2 ** 32)
    rows[end] = row
    // Safe integers have 53 bits and a sign.
    high[end] = upper + 2 ** 21
    low[end] = value - upper * 2 ** 32
    end++
  }
  const sorted = sortedPositions([high, low])
  const order = sharedUint32s(count)
  for (let i = 0; i < count; i++) order[i] = rows[sorted[i] ?? 0] ?? 0
  return order
}
