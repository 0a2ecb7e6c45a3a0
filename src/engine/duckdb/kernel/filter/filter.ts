import type { PhrasePredicate, Predicate } from '../../../../query/plan/predicate.ts'
import { BLOCK } from '../../segment/column.ts'
import type { Part } from '../../segment/part.ts'
import { compileCellTest } from '../place/cell-test.ts'
import { compileGeoTest } from '../place/geo-test.ts'
import type { RowBatch } from '../row-batch.ts'
import type { Exceptions, RowRange, RowTest } from '../row-test.ts'
import { compileAnyWordTest, compileFuzzyTextTest, compilePhraseTest } from '../text/text-test.ts'
import { lowerBound } from './candidates.ts'
import { areFew, noExceptions } from './exceptions.ts'
import { anyTest, notTest } from './filter-alternatives.ts'
import {
  type Access,
  accessOf,
  bothTests,
  countedRows,
  hasCandidates,
  listedRows,
  mostOf,
} from './filter-composition.ts'
import { countMask, createMask, createRowList, listRows } from './filter-mask.ts'
import { everyRow, noRow } from './filter-tests.ts'
import { selectBy } from './filter-values.ts'
import { liveOf, RowNarrowing } from './row-narrowing.ts'
import { compileExistsTest, compileScalarTest } from './scalar-test.ts'

/** A predicate compiled for one part. */
export interface Filter {
  /** Yields the live matching rows, ascending, batch by batch. Empty batches are left out unless they mark progress. */
  batches(): Iterable<RowBatch>
  /** Yields numbers of live matching rows, whose sum is their total. Faster than `batches`. */
  counts(): Iterable<number>
  /** All rows that do not match, dead ones included, if they are few. */
  readonly exceptions: Exceptions | undefined
  /** True if a row is live and matches. */
  holds(row: number): boolean
  /** Upper bound of the rows that `batches` looks at. */
  readonly most: number
  /** True if all live rows match. */
  readonly isAll: boolean
}

export function compileFilter(predicate: Predicate, part: Part): Filter {
  return new PartFilter(compileTest(predicate, part), part)
}

function compileTest(p: Predicate, part: Part): RowTest {
  switch (p.kind) {
    case 'everything':
      return everyRow
    case 'nothing':
      return noRow
    case 'and':
      return bothTests(compileTests(p.members, part), part.rows)
    case 'or':
      return anyTest(compileAlternatives(p.members, part), part.rows)
    case 'not':
      return notTest(compileTest(p.member, part))
    default:
      return compileLeaf(p, part)
  }
}

const compileTests = (members: readonly Predicate[], part: Part): RowTest[] =>
  members.map((member) => compileTest(member, part))

/** Alternatives that are single words of one field become one test. */
function compileAlternatives(members: readonly Predicate[], part: Part): readonly RowTest[] {
  const words = Map.groupBy(members.filter(isWord), ({ field }) => field.path)
  const tests = compileTests(
    members.filter((member) => !isWord(member)),
    part,
  )
  for (const own of words.values()) {
    const column = own[0] && part.column(own[0].field)
    if (column?.kind !== 'text') continue
    const tokens = own.flatMap((word) => word.tokens)
    tests.push(compileAnyWordTest(tokens, column, part))
  }
  return tests
}

const isWord = (p: Predicate): p is PhrasePredicate => p.kind === 'phrase' && p.tokens.length === 1 && !p.lastIsPrefix

type LeafPredicate = Extract<Predicate, { field: unknown }>

function compileLeaf(p: LeafPredicate, part: Part): RowTest {
  const column = part.column(p.field)
  if (column === undefined) return noRow
  switch (p.kind) {
    case 'exists':
      return compileExistsTest(p.field, column, part)
    case 'phrase':
      return column.kind === 'text' ? compilePhraseTest(p, column, part) : noRow
    case 'fuzzy':
      return column.kind === 'text' ? compileFuzzyTextTest(p, column, part) : compileScalarTest(p, column, part)
    case 'geo':
      return column.kind === 'point' || column.kind === 'shape' ? compileGeoTest(p, column, part) : noRow
    case 'cell':
      return column.kind === 'point' || column.kind === 'shape' ? compileCellTest(p, column, part) : noRow
    case 'compare':
    case 'relates':
      throw new Error(`kernels do not test ${p.kind}`)
    default:
      return compileScalarTest(p, column, part)
  }
}

/** Blocks that may be looked at in vain before an empty batch marks progress. */
const PATIENCE = 16

/** Rows that do not match up to which a block is yielded as runs of rows that do. */
const MOST_GAPS = 8

class PartFilter implements Filter {
  readonly isAll: boolean
  readonly #test: RowTest
  readonly #part: Part
  readonly #patience: number
  #access: Access | undefined
  #most: number | undefined

  constructor(test: RowTest, part: Part) {
    this.#test = test
    this.#part = part
    this.#patience = test.isExpensive ? 1 : PATIENCE
    this.isAll = test === everyRow || isAllBlocks(test, part.rows)
  }

  get most(): number {
    this.#most ??= Math.min(mostOf(this.#test), this.#part.rows, undecidedRows(this.#test, this.#part.rows))
    return this.#most
  }

  holds(row: number): boolean {
    return this.#part.live.isLive(row) && this.#test.holds(row)
  }

  batches(): Iterable<RowBatch> {
    return this.#batches(true)
  }

  get exceptions(): Exceptions | undefined {
    return this.isAll ? noExceptions : this.#test.exceptions
  }

  *counts(): Iterable<number> {
    const known = this.#knownCount()
    const listed = known === undefined ? listedRows(this.#test) : undefined
    if (known !== undefined) yield known
    else if (listed) for (const { count } of this.#countAmong(listed.rows, listed.rest)) yield count
    else for (const { count } of this.#batches(false)) yield count
  }

  /** Returns the number of live matching rows if only few must be looked at. */
  #knownCount(): number | undefined {
    const { rows, live } = this.#part
    if (this.isAll) return rows - live.dead
    const known = countedRows(this.#test)
    if (known === undefined || !areFew(live.dead, rows)) return undefined
    const { test, exceptions } = known
    const looks = exceptions.count + live.dead
    if (hasCandidates(this.#test) && mostOf(this.#test) < looks) return undefined
    let { count } = known
    if (live.dead > 0) for (const row of live.deadRows()) if (test.holds(row)) count--
    for (const row of exceptions.rows) if (live.isLive(row) && test.holds(row)) count--
    return count
  }

  /** Without `isListing`, batches have no `rows`. */
  #batches(isListing: boolean): Iterable<RowBatch> {
    this.#access ??= this.isAll ? {} : accessOf(this.#test)
    const { candidates, rest } = this.#access
    if (candidates?.kind === 'rows') return this.#amongRows(candidates.rows, rest, isListing)
    return this.#inRanges(candidates?.ranges ?? [[0, this.#part.rows]], rest, isListing)
  }

  *#inRanges(ranges: readonly RowRange[], rest: RowTest | undefined, isListing: boolean): Iterable<RowBatch> {
    const { live } = this.#part
    const mask = createMask()
    const list = createRowList()
    let idle = 0
    for (const [start, end] of ranges) {
      for (let from = start; from < end; ) {
        const block = Math.floor(from / BLOCK)
        const to = Math.min(end, (block + 1) * BLOCK)
        const decision = rest === undefined ? 'all' : (rest.decide?.(block) ?? 'some')
        let count = to - from
        if (decision === 'none') count = 0
        else if (decision === 'some' || !live.areLive(from, to)) {
          if (decision === 'some') rest?.fill(from, to, mask)
          else mask.fill(1, 0, to - from)
          live.clearDead(from, to, mask)
          count = countMask(mask, to - from)
        }
        if (count > 0 || ++idle === this.#patience) {
          idle = 0
          const left = to - from - count
          if (isListing && left > 0 && left <= MOST_GAPS) yield* runsOf(mask, from, to)
          else yield { from, to, rows: isListing && left > 0 ? listOf(mask, from, to, list, count) : undefined, count }
        }
        from = to
      }
    }
  }

  *#countAmong(rows: Uint32Array, rest: RowTest | undefined): Iterable<RowBatch> {
    const { rows: end, live } = this.#part
    const select = rest && (rest.select ?? selectBy(rest.holds))
    const selectLive = selectBy((row) => live.isLive(row))
    const list = new Uint32Array(Math.min(rows.length, COUNTED_ROWS) + 1)
    for (let at = 0; at < rows.length; at += COUNTED_ROWS) {
      let some = rows.subarray(at, at + COUNTED_ROWS)
      if (select) some = list.subarray(0, select(some, list))
      const count = live.dead === 0 ? some.length : selectLive(some, list)
      yield { from: 0, to: end, rows: undefined, count }
    }
  }

  *#amongRows(rows: Uint32Array, rest: RowTest | undefined, isListing: boolean): Iterable<RowBatch> {
    const { rows: end, live } = this.#part
    if (!isListing && rest === undefined && live.dead === 0) {
      yield { from: 0, to: end, rows: undefined, count: rows.length }
      return
    }
    if (!isListing && !rest?.isExpensive) {
      yield* this.#countAmong(rows, rest)
      return
    }
    const narrow = rest && new RowNarrowing(rest)
    const list = createRowList()
    let idle = 0
    for (let at = 0; at < rows.length; ) {
      const from = Math.floor((rows[at] ?? 0) / BLOCK) * BLOCK
      const to = Math.min(end, from + BLOCK)
      const next = lowerBound(rows, to, at + 1, Math.min(rows.length, at + BLOCK))
      let batch = rows.subarray(at, next)
      if (narrow) batch = narrow.rows(batch, from, to, list)
      if (!live.areLive(from, to)) batch = liveOf(batch, this.#part, list)
      at = next
      const count = batch.length
      if (count > 0 || ++idle === this.#patience) {
        idle = 0
        yield { from, to, rows: isListing && count < to - from ? batch : undefined, count }
      }
    }
  }
}

/** Rows that are tested together when they are only counted. */
const COUNTED_ROWS = 16_384

function listOf(mask: Uint8Array, from: number, to: number, list: Uint32Array, count: number): Uint32Array {
  listRows(mask, to - from, from, list)
  return list.subarray(0, count)
}

/** A batch for each run of matching rows. Consumers need no list for it. */
function* runsOf(mask: Uint8Array, start: number, end: number): Iterable<RowBatch> {
  const rows = end - start
  for (let at = 0; at < rows; at++) {
    const gap = mask.indexOf(0, at)
    const next = gap === -1 || gap > rows ? rows : gap
    if (next > at) yield { from: start + at, to: start + next, rows: undefined, count: next - at }
    at = next
  }
}

function isAllBlocks({ decide }: RowTest, rows: number): boolean {
  if (decide === undefined) return false
  for (let block = 0; block * BLOCK < rows; block++) if (decide(block) !== 'all') return false
  return true
}

/** Number of rows in blocks of which some may match. */
function undecidedRows({ decide }: RowTest, rows: number): number {
  if (decide === undefined) return rows
  let count = 0
  for (let from = 0; from < rows; from += BLOCK) {
    if (decide(from / BLOCK) !== 'none') count += Math.min(BLOCK, rows - from)
  }
  return count
}
