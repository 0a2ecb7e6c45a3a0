import type { FuzzyPredicate, PhrasePredicate } from '../../../../query/plan/predicate.ts'
import { BLOCK, type Postings, type TextColumn } from '../../segment/column.ts'
import type { Part } from '../../segment/part.ts'
import type { RowTest } from '../row-test.ts'
import { intersectRows, positionFrom, postingsCount, readPostings, unitePostings } from './postings-reader.ts'
import { codesFrom, codesNear } from './text-codes.ts'
import { type CodedPhrase, PhraseReader } from './text-phrase.ts'

/** Reading the tokens of a row costs about as much as decoding this many postings. */
const READING = 32
/** Rows this near to each other are read together, with those between them. */
const NEAR = 2

/** Up to this many rows are tested at once, so that the others need no look. */
const FEW_ROWS = 16_384

/** Compiles a term or a phrase for the rows of a part. */
export function compilePhraseTest(p: PhrasePredicate, column: TextColumn, part: Part): RowTest {
  const { dictionary, postings } = column
  const lastToken = p.tokens.length - 1
  const ends = p.lastIsPrefix ? codesFrom(dictionary, p.tokens[lastToken] ?? '') : undefined
  const codes = p.tokens.map((token, i) => (ends && i === lastToken ? 0 : dictionary.codeOf(token)))
  const whole = ends ? codes.slice(0, -1) : codes
  if (whole.includes(0) || ends?.length === 0) return noRow
  const last = (): Pick<CodedPhrase, 'last'> => (ends ? { last: flagsOf(ends, dictionary.size) } : {})
  if (!postings) return phraseTest(column, { codes, ...last(), slop: p.slop })
  if (codes.length === 1) return rowsTest(unitePostings(postings, ends ?? codes, part.rows))
  const rows = commonRows(postings, whole, ends, part.rows)
  const phrase = { codes, ...last(), slop: p.slop }
  return rows.length <= FEW_ROWS ? rowsTest(withPhrase(column, phrase, rows)) : phraseTest(column, phrase, rows)
}

function withPhrase(column: TextColumn, phrase: CodedPhrase, rows: Uint32Array): Uint32Array {
  const reader = new PhraseReader(column, phrase)
  return rows.filter((row) => {
    reader.load(row, row + 1)
    return reader.holds(row)
  })
}

/** Compiles a test for tokens near a word. */
export const compileFuzzyTextTest = (p: FuzzyPredicate, column: TextColumn, part: Part): RowTest =>
  anyCodeTest(codesNear(column.dictionary, p.word, p.edits), column, part)

/** Compiles a test for any of some tokens, which takes one look at each row however many they are. */
export function compileAnyWordTest(tokens: readonly string[], column: TextColumn, part: Part): RowTest {
  const codes = new Set(tokens.map((token) => column.dictionary.codeOf(token)).filter((code) => code > 0))
  return anyCodeTest(
    [...codes].sort((a, b) => a - b),
    column,
    part,
  )
}

function anyCodeTest(codes: readonly number[], column: TextColumn, part: Part): RowTest {
  if (codes.length === 0) return noRow
  if (column.postings) return rowsTest(unitePostings(column.postings, codes, part.rows))
  return phraseTest(column, { codes: [0], last: flagsOf(codes, column.dictionary.size), slop: 0 })
}

function flagsOf(codes: ArrayLike<number>, size: number): Uint8Array {
  const flags = new Uint8Array(size + 1)
  for (let i = 0; i < codes.length; i++) flags[codes[i] ?? 0] = 1
  return flags
}

/** Returns rows that have the tokens of a phrase, or most of them if that is cheaper to test row by row. */
function commonRows(
  postings: Postings,
  whole: readonly number[],
  ends: ArrayLike<number> | undefined,
  rows: number,
): Uint32Array {
  const lists = [...new Set(whole)].map((code) => ({
    count: postings.counts[code] ?? 0,
    read: () => readPostings(postings, code),
  }))
  if (ends) lists.push({ count: postingsCount(postings, ends), read: () => unitePostings(postings, ends, rows) })
  lists.sort((a, b) => a.count - b.count)
  let common: Uint32Array | undefined
  for (const { count, read } of lists) {
    if (common && common.length * READING < count) break
    common = common ? intersectRows(common, read(), rows) : read()
  }
  return common ?? new Uint32Array(0)
}

const noRow: RowTest = rowsTest(new Uint32Array(0))

/** A test that exactly the given rows pass. */
function rowsTest(rows: Uint32Array): RowTest {
  return {
    candidates: { kind: 'rows', rows, exact: true },
    count: rows.length,
    fill: (from, to, mask) => markRows(rows, from, to, mask),
    holds: (row) => rows[positionFrom(rows, row)] === row,
    select: (some, list) => selectCommon(some, rows, list),
  }
}

/** Selects the rows of an ascending list. Of ascending rows, the next position is near the last one. */
function selectCommon(some: Uint32Array, rows: Uint32Array, list: Uint32Array): number {
  let count = 0
  let at = 0
  let last = 0
  for (let i = 0; i < some.length; i++) {
    const row = some[i] ?? 0
    if (row < last) at = 0
    last = row
    let step = 1
    while (at + step < rows.length && (rows[at + step] ?? 0) < row) step *= 2
    at = positionFrom(rows, row, at, Math.min(rows.length, at + step))
    if (rows[at] === row) list[count++] = row
  }
  return count
}

function markRows(rows: Uint32Array, from: number, to: number, mask: Uint8Array): void {
  mask.fill(0, 0, to - from)
  for (let i = positionFrom(rows, from); i < rows.length; i++) {
    const row = rows[i] ?? 0
    if (row >= to) return
    mask[row - from] = 1
  }
}

/** Tests the tokens of each row, or of those given only. */
function phraseTest(column: TextColumn, phrase: CodedPhrase, rows?: Uint32Array): RowTest {
  const reader = new PhraseReader(column, phrase)
  const holds = (row: number): boolean => {
    reader.load(row, row + 1)
    return reader.holds(row)
  }
  const refine = (from: number, to: number, mask: Uint8Array): void => {
    for (let row = from; row < to; ) {
      if (mask[row - from] === 0) {
        const next = mask.indexOf(1, row - from)
        if (next < 0 || next >= to - from) break
        row = from + next
      }
      const end = endOfRun(mask, row - from, to - from) + from
      reader.load(row, end)
      for (; row < end; row++) if (mask[row - from] === 1 && !reader.holds(row)) mask[row - from] = 0
    }
    reader.release()
  }
  const all = new Uint8Array(BLOCK)
  return {
    ...(rows ? { candidates: { kind: 'rows', rows, exact: false } as const } : {}),
    fill: (from, to, mask) => {
      if (rows) markRows(rows, from, to, mask)
      else mask.fill(1, 0, to - from)
      refine(from, to, mask)
    },
    refine: (from, to, mask) => {
      if (rows) {
        markRows(rows, from, to, all)
        for (let i = 0; i < to - from; i++) mask[i] = (mask[i] ?? 0) & (all[i] ?? 0)
      }
      refine(from, to, mask)
    },
    holds: (row) => (rows === undefined || rows[positionFrom(rows, row)] === row) && holds(row),
    isExpensive: true,
  }
}

/** Returns the end of the wanted rows that are near each other. */
function endOfRun(mask: Uint8Array, start: number, length: number): number {
  let end = start + 1
  for (let i = end; i < length && i - end < NEAR; i++) if (mask[i] === 1) end = i + 1
  return end
}
