import type { DuckDBValue } from '@duckdb/node-api'
import type { FieldType } from '../../../model/field-type.ts'
import type { Scalar } from '../../../query/plan/predicate.ts'
import { isInteger } from '../../../query/schema/field.ts'
import { splitValues } from '../index/several-values.ts'
import type { FieldLayout } from '../index/table-layout.ts'
import {
  type CodeColumn,
  type Codes,
  type Column,
  type NumberColumn,
  type TextColumn,
  VALUE_START,
} from '../segment/column.ts'
import type { Dictionary } from '../segment/dictionary.ts'
import { valueAt } from '../segment/incoming-column.ts'
import { columnAt, type IncomingField, severalOf } from '../segment/incoming-rows.ts'
import { ExtendedDictionary } from './extended-dictionary.ts'

/** New values of a field in some rows of a part: those of `rows[i]` are at index `from[i]` of the values. */
interface ColumnEdit {
  readonly field: Pick<FieldLayout, 'path' | 'type'>
  readonly rows: readonly number[]
  readonly from: readonly number[]
  readonly values: IncomingField
}

const noTerms: Dictionary = { size: 0, sorted: true, origin: {}, term: () => '', codeOf: () => 0, firstFrom: () => 1 }

/**
 * Returns a column with the edited values. The form is that of a tail: numbers are not packed, dictionaries are not
 * sorted, and nothing is derived from the values. Undefined for geometries, which are not edited this way.
 */
export function editColumn(before: Column | undefined, partRows: number, edit: ColumnEdit): Column | undefined {
  const { type } = edit.field
  switch (type) {
    case 'GEO_POINT':
    case 'GEO_SHAPE':
      return undefined
    case 'KEYWORD':
    case 'IP':
      return editCodes(before?.kind === 'code' ? before : undefined, partRows, edit)
    case 'TEXT':
      return editTexts(before?.kind === 'text' ? before : undefined, partRows, edit)
    default:
      return editNumbers(before?.kind === 'number' ? before : undefined, partRows, edit)
  }
}

function editCodes(before: CodeColumn | undefined, partRows: number, edit: ColumnEdit): CodeColumn {
  const dictionary = new ExtendedDictionary(before?.dictionary ?? noTerms)
  const lists = listsOf(edit).map((list) => [...new Set(list.map((value) => dictionary.add(String(value))))])
  const { type } = edit.field
  if (before?.starts === undefined && lists.every(({ length }) => length <= 1)) {
    const codes = new Uint32Array(partRows)
    if (before) codes.set(before.codes.subarray(0, partRows))
    for (const [i, row] of edit.rows.entries()) codes[row] = lists[i]?.[0] ?? 0
    return { kind: 'code', type, codes, dictionary }
  }
  const single = (row: number): number => before?.codes[row] ?? 0
  const spans = before && spansOf(before, (row) => single(row) !== 0)
  const { starts, end, copy } = layOut(partRows, spans, edit.rows, lists)
  const codes = new Uint32Array(end)
  copy(before?.codes ?? new Uint32Array(0), codes)
  return { kind: 'code', type, codes, starts, dictionary }
}

function editNumbers(before: NumberColumn | undefined, partRows: number, edit: ColumnEdit): NumberColumn {
  const { type } = edit.field
  const lists = listsOf(edit)
  const isInexact = before?.inexact === true || lists.flat().some((v) => typeof v === 'bigint' && !isSafe(v))
  const numbers = lists.map((list) => list.map(Number))
  const old = before
    ? unpacked(before, before.starts?.[partRows] ?? partRows)
    : new Float64Array(partRows).fill(Number.NaN)
  const made = { kind: 'number', type, ...(isInexact && { inexact: true as const }) } as const
  if (before?.starts === undefined && numbers.every(({ length }) => length <= 1)) {
    for (const [i, row] of edit.rows.entries()) old[row] = numbers[i]?.[0] ?? Number.NaN
    return { ...made, values: old }
  }
  const spans = spansOf(before ?? {}, (row) => !Number.isNaN(old[row]))
  const { starts, end, copy } = layOut(partRows, spans, edit.rows, numbers)
  const values = new Float64Array(end)
  copy(old, values)
  return { ...made, values, starts }
}

const isSafe = (value: bigint): boolean => BigInt(Number(value)) === value && Number.isSafeInteger(Number(value))

function unpacked({ values, packing }: NumberColumn, count: number): Float64Array<ArrayBuffer> {
  const numbers = new Float64Array(count)
  numbers.set(values.subarray(0, count))
  if (packing) for (let i = 0; i < count; i++) numbers[i] = unpack(numbers[i] ?? 0, packing)
  return numbers
}

const unpack = (n: number, { base, step }: NonNullable<NumberColumn['packing']>): number =>
  n === 0 ? Number.NaN : base + (n - 1) * step

function editTexts(before: TextColumn | undefined, partRows: number, edit: ColumnEdit): TextColumn {
  const dictionary = new ExtendedDictionary(before?.dictionary ?? noTerms)
  const lists = edit.from.map((at) => {
    const text = valueAt(columnAt(edit.values, 0), at)
    if (typeof text !== 'string') return []
    return text.split('\n').flatMap((value) => {
      const tokens = value.split(' ').filter((token) => token !== '')
      return [VALUE_START, ...tokens.map((token) => dictionary.add(token))]
    })
  })
  const spans = before && spansOf(before, () => false)
  const { starts, end, copy } = layOut(partRows, spans, edit.rows, lists)
  const tokens = new Uint32Array(end)
  copy(before?.tokens ?? new Uint32Array(0), tokens)
  return { kind: 'text', type: edit.field.type, tokens, starts, dictionary }
}

/** The values of each edited row. */
function listsOf({ field, from, values }: ColumnEdit): readonly (readonly Scalar[])[] {
  return from.map((at) => {
    const several = valueAt(severalOf(values), at)
    if (typeof several === 'string') return splitValues(several).map((printed) => parseValue(field.type, printed))
    const single = valueAt(columnAt(values, 0), at)
    return single === null ? [] : [single as Exclude<DuckDBValue, null> as Scalar]
  })
}

function parseValue(type: FieldType, printed: string): Scalar {
  if (type === 'KEYWORD' || type === 'IP') return printed
  if (type === 'BOOLEAN') return printed === 'true'
  return isInteger(type) ? BigInt(printed) : Number(printed)
}

/** Where the values of a row are. */
interface Spans {
  readonly start: (row: number) => number
  readonly end: (row: number) => number
}

const spansOf = ({ starts }: { readonly starts?: Uint32Array }, hasOne: (row: number) => boolean): Spans =>
  starts
    ? { start: (row) => starts[row] ?? 0, end: (row) => starts[row + 1] ?? 0 }
    : { start: (row) => row, end: (row) => (hasOne(row) ? row + 1 : row) }

interface LaidOut {
  readonly starts: Uint32Array
  readonly end: number
  readonly copy: <A extends Codes | Float64Array>(from: Codes | Float64Array, to: A) => void
}

/** Lays out the values of all rows: those of edited rows from `lists`, the others as before. */
function layOut(
  partRows: number,
  before: Spans | undefined,
  edited: readonly number[],
  lists: readonly (readonly number[])[],
): LaidOut {
  const listOf = new Map(edited.map((row, i) => [row, lists[i] ?? []]))
  const starts = new Uint32Array(partRows + 1)
  let end = 0
  for (let row = 0; row < partRows; row++) {
    starts[row] = end
    end += listOf.get(row)?.length ?? (before ? before.end(row) - before.start(row) : 0)
  }
  starts[partRows] = end
  const copy: LaidOut['copy'] = (from, to) => {
    for (let row = 0; row < partRows; row++) {
      const list = listOf.get(row)
      let at = starts[row] ?? 0
      if (list) for (const value of list) to[at++] = value
      else if (before) for (let i = before.start(row); i < before.end(row); i++) to[at++] = from[i] ?? 0
    }
  }
  return { starts, end, copy }
}
