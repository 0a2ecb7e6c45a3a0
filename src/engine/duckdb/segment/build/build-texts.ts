import type { FieldLayout } from '../../index/table-layout.ts'
import { type TextColumn, VALUE_START } from '../column.ts'
import { buildPostings } from '../postings.ts'
import type { ColumnData } from '../segment-data.ts'
import { narrowed } from '../shared-arrays.ts'
import { markUsed } from './build-codes.ts'
import { mergeTerms } from './build-dictionary.ts'
import { arrangeStarts, type ColumnSource, columnsOfSources, moveValues } from './build-positions.ts'
import type { BuildRows } from './build-rows.ts'

/** Builds the column of a TEXT. Undefined if no row has a value. */
export function buildTexts(field: FieldLayout, { sources, count }: BuildRows): ColumnData | undefined {
  const columns = columnsOfSources(sources, (part) => textColumn(part.column(field)))
  const starts = arrangeStarts(columns, count, () => false)
  const length = starts[count] ?? 0
  if (length === 0) return undefined
  const used = columns.map((source) => ({ dictionary: source.column.dictionary, isUsed: usedTokens(source) }))
  const { data: dictionary, codes: mapped } = mergeTerms(used)
  const size = dictionary.starts.length - 1
  const tokens = new Uint32Array(length)
  for (const [i, source] of columns.entries()) {
    const map = mapped[i] ?? new Uint32Array(1)
    const earlier = source.column.tokens
    const read = (from: number, to: number, into: Uint32Array): void => {
      into.set(earlier.subarray(from, to))
      for (let at = 0; at < to - from; at++) into[at] = map[into[at] ?? VALUE_START] ?? VALUE_START
    }
    moveValues(source, read, (n) => new Uint32Array(n), { starts, count: length }, tokens)
  }
  return {
    kind: 'text',
    path: field.path,
    type: field.type,
    tokens: narrowed(tokens, size),
    starts,
    dictionary,
    postings: buildPostings(tokens, starts, count, size),
  }
}

const textColumn = (column: { readonly kind: string } | undefined): TextColumn | undefined =>
  column?.kind === 'text' ? (column as TextColumn) : undefined

function usedTokens({ column: { tokens, starts, dictionary }, targets }: ColumnSource<TextColumn>): Uint8Array {
  const isUsed = new Uint8Array(dictionary.size + 1)
  markUsed(tokens, starts, targets, isUsed)
  return isUsed
}
