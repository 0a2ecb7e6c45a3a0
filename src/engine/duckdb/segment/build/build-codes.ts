import type { FieldLayout } from '../../index/table-layout.ts'
import { BLOCK, type CodeColumn, type Codes, type RowsByCode } from '../column.ts'
import type { ColumnData } from '../segment-data.ts'
import { narrowed, sharedUint32s } from '../shared-arrays.ts'
import { mergeTerms } from './build-dictionary.ts'
import { arrangePositions, type ColumnSource, columnsOfSources, moveValues } from './build-positions.ts'
import { type BuildRows, DROPPED } from './build-rows.ts'

/** A column with more terms has `rowsByCode`. Below, a scan is about as fast as reading the rows. */
const FEW_TERMS = 64

/** Builds the column of a KEYWORD or IP. Undefined if no row has a value. */
export function buildCodes(field: FieldLayout, { sources, count }: BuildRows): ColumnData | undefined {
  const columns = columnsOfSources(sources, (part) => codeColumn(part.column(field)))
  const used = columns.map((source) => ({ dictionary: source.column.dictionary, isUsed: usedCodes(source) }))
  const { data: dictionary, codes: mapped } = mergeTerms(used)
  const size = dictionary.starts.length - 1
  if (size === 0) return undefined
  const positions = arrangePositions(columns, count, ({ codes }, row) => codes[row] !== 0)
  const values = new Uint32Array(positions.count)
  for (const [i, source] of columns.entries()) {
    const map = mapped[i] ?? new Uint32Array(1)
    const { codes } = source.column
    const read = (from: number, to: number, into: Uint32Array): void => {
      into.set(codes.subarray(from, to))
      for (let at = 0; at < to - from; at++) into[at] = map[into[at] ?? 0] ?? 0
    }
    moveValues(source, read, (length) => new Uint32Array(length), positions, values)
  }
  const { starts } = positions
  const { path, type } = field
  return {
    kind: 'code',
    path,
    type,
    codes: narrowed(values, size),
    dictionary,
    ...(starts === undefined ? {} : { starts }),
    ...(size > FEW_TERMS ? { rowsByCode: rowsByCode(values, starts, count, size) } : {}),
  }
}

const codeColumn = (column: { readonly kind: string } | undefined): CodeColumn | undefined =>
  column?.kind === 'code' ? (column as CodeColumn) : undefined

/** Returns which codes the kept rows have. */
function usedCodes({ column: { codes, starts, dictionary }, targets }: ColumnSource<CodeColumn>): Uint8Array {
  const isUsed = new Uint8Array(dictionary.size + 1)
  markUsed(codes, starts, targets, isUsed)
  return isUsed
}

/** Marks the codes of the kept rows, block by block. */
export function markUsed(
  codes: Codes,
  starts: Uint32Array | undefined,
  targets: Uint32Array,
  isUsed: Uint8Array,
): void {
  let block = new Uint32Array(BLOCK)
  for (let from = 0; from < targets.length; from += BLOCK) {
    const to = Math.min(targets.length, from + BLOCK)
    const first = starts === undefined ? from : (starts[from] ?? 0)
    const last = starts === undefined ? to : (starts[to] ?? 0)
    if (block.length < last - first) block = new Uint32Array(last - first)
    block.set(codes.subarray(first, last))
    for (let row = from; row < to; row++) {
      if (targets[row] === DROPPED) continue
      const end = starts === undefined ? row + 1 : (starts[row + 1] ?? 0)
      for (let at = starts === undefined ? row : (starts[row] ?? 0); at < end; at++) isUsed[block[at - first] ?? 0] = 1
    }
  }
}

function rowsByCode(codes: Uint32Array, starts: Uint32Array | undefined, count: number, size: number): RowsByCode {
  const ends = sharedUint32s(size + 2)
  /** The last row of each code + 1: a row can have a code twice. */
  const last = new Uint32Array(size + 1)
  const endOf = (row: number): number => (starts === undefined ? row + 1 : (starts[row + 1] ?? 0))
  for (let row = 0, at = 0; row < count; row++) {
    for (const end = endOf(row); at < end; at++) {
      const code = codes[at] ?? 0
      if (code === 0 || last[code] === row + 1) continue
      last[code] = row + 1
      ends[code + 1] = (ends[code + 1] ?? 0) + 1
    }
  }
  for (let code = 1; code < ends.length; code++) ends[code] = (ends[code] ?? 0) + (ends[code - 1] ?? 0)
  const rows = sharedUint32s(ends[size + 1] ?? 0)
  const next = ends.slice()
  last.fill(0)
  for (let row = 0, at = 0; row < count; row++) {
    for (const end = endOf(row); at < end; at++) {
      const code = codes[at] ?? 0
      if (code === 0 || last[code] === row + 1) continue
      last[code] = row + 1
      const to = next[code] ?? 0
      next[code] = to + 1
      rows[to] = row
    }
  }
  return { rows, starts: ends }
}
