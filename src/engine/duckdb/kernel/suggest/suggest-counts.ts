import type { Turn } from '../../../../turn.ts'
import { BLOCK, type CodeColumn, type Codes, type TextColumn } from '../../segment/column.ts'
import type { Part } from '../../segment/part.ts'
import type { Filter } from '../filter/filter.ts'
import type { RowBatch } from '../row-batch.ts'
import { postingsCount, readPostings } from '../text/postings-reader.ts'

type TermColumn = CodeColumn | TextColumn

/** Up to this share of the rows, dead rows are subtracted from the counts of all rows. */
const FEW_DEAD = 1 / 8

/** Testing a row of a list costs about as much as scanning so many. */
const TEST_COST = 8

/** Returns the number of selected rows that have each of some codes, by code. Those of other codes mean nothing. */
export async function countTerms(
  column: TermColumn,
  codes: Uint32Array,
  part: Part,
  filter: Filter,
  turn: Turn,
): Promise<Uint32Array> {
  const counts = new Uint32Array(column.dictionary.size + 1)
  if (codes.length === 0) return counts
  if (filter.isAll && part.live.dead <= part.rows * FEW_DEAD) {
    if (setCountsOfAll(column, counts)) {
      await addDeadRows(column, part, counts, turn)
      return counts
    }
  }
  const listed = listedRows(column, codes)
  if (listed !== undefined && listed * TEST_COST < filter.most) {
    await countListed(column, codes, filter, counts, turn)
    return counts
  }
  const counting = new Counting(column, codes, counts, 1)
  for (const batch of filter.batches()) {
    counting.add(batch)
    if (turn.isOver) await turn.next()
  }
  return counts
}

/** Sets the counts of all rows, dead ones included, if the column has them. */
function setCountsOfAll(column: TermColumn, counts: Uint32Array): boolean {
  if (column.kind === 'text') {
    if (!column.postings) return false
    counts.set(column.postings.counts.subarray(0, counts.length))
    return true
  }
  const starts = column.rowsByCode?.starts
  if (!starts) return false
  for (let code = 1; code < counts.length; code++) counts[code] = (starts[code + 1] ?? 0) - (starts[code] ?? 0)
  return true
}

async function addDeadRows(column: TermColumn, part: Part, counts: Uint32Array, turn: Turn): Promise<void> {
  if (part.live.dead === 0) return
  const counting = new Counting(column, undefined, counts, -1)
  const rows = new Uint32Array(1)
  let done = 0
  for (const row of part.live.deadRows()) {
    rows[0] = row
    counting.add({ from: row, to: row + 1, rows, count: 1 })
    if (++done % BLOCK === 0 && turn.isOver) await turn.next()
  }
}

/** Number of rows in the lists of the codes; undefined if there are none. */
function listedRows(column: TermColumn, codes: Uint32Array): number | undefined {
  if (column.kind === 'text') return column.postings && postingsCount(column.postings, codes)
  const starts = column.rowsByCode?.starts
  if (!starts) return undefined
  let sum = 0
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i] ?? 0
    sum += (starts[code + 1] ?? 0) - (starts[code] ?? 0)
  }
  return sum
}

async function countListed(
  column: TermColumn,
  codes: Uint32Array,
  filter: Filter,
  counts: Uint32Array,
  turn: Turn,
): Promise<void> {
  for (const code of codes) {
    const rows = rowsOf(column, code)
    let count = 0
    for (let i = 0; i < rows.length; i++) {
      if (filter.holds(rows[i] ?? 0)) count++
      if (i % BLOCK === BLOCK - 1 && turn.isOver) await turn.next()
    }
    counts[code] = count
    if (turn.isOver) await turn.next()
  }
}

function rowsOf(column: TermColumn, code: number): Uint32Array {
  if (column.kind === 'text') return column.postings ? readPostings(column.postings, code) : new Uint32Array(0)
  const lists = column.rowsByCode
  return lists ? lists.rows.subarray(lists.starts[code] ?? 0, lists.starts[code + 1] ?? 0) : new Uint32Array(0)
}

/** Adds `step` to the count of each distinct code of rows. */
class Counting {
  readonly #codes: Codes
  readonly #starts: Uint32Array | undefined
  readonly #counts: Uint32Array
  readonly #step: number
  /** Codes outside are not wanted. */
  readonly #first: number
  readonly #last: number
  /** Row + 1 that had a code last. */
  readonly #seen: Uint32Array
  #scratch = new Uint32Array(BLOCK)

  constructor(column: TermColumn, wanted: Uint32Array | undefined, counts: Uint32Array, step: number) {
    this.#codes = column.kind === 'text' ? column.tokens : column.codes
    this.#starts = column.starts
    this.#counts = counts
    this.#step = step
    this.#first = wanted?.[0] ?? 1
    this.#last = wanted?.at(-1) ?? column.dictionary.size
    this.#seen = new Uint32Array(column.starts ? counts.length : 0)
  }

  add(batch: RowBatch): void {
    if (this.#starts) this.#addSeveral(batch, this.#starts)
    else this.#addSingle(batch)
  }

  #addSingle({ from, to, rows, count }: RowBatch): void {
    const scratch = this.#scratch
    const counts = this.#counts
    const step = this.#step
    scratch.set(this.#codes.subarray(from, to))
    if (rows) {
      for (let i = 0; i < count; i++) {
        const code = scratch[(rows[i] ?? 0) - from] ?? 0
        counts[code] = (counts[code] ?? 0) + step
      }
      return
    }
    for (let i = 0; i < to - from; i++) {
      const code = scratch[i] ?? 0
      counts[code] = (counts[code] ?? 0) + step
    }
  }

  #addSeveral({ from, to, rows, count }: RowBatch, starts: Uint32Array): void {
    const base = starts[from] ?? 0
    const codes = this.#copy(base, starts[to] ?? base)
    for (let i = 0; i < count; i++) {
      const row = rows ? (rows[i] ?? 0) : from + i
      this.#addRow(codes, (starts[row] ?? 0) - base, (starts[row + 1] ?? 0) - base, row + 1)
    }
  }

  #addRow(codes: Uint32Array, from: number, to: number, mark: number): void {
    const counts = this.#counts
    const seen = this.#seen
    for (let at = from; at < to; at++) {
      const code = codes[at] ?? 0
      if (code < this.#first || code > this.#last || seen[code] === mark) continue
      seen[code] = mark
      counts[code] = (counts[code] ?? 0) + this.#step
    }
  }

  #copy(from: number, to: number): Uint32Array {
    if (to - from > this.#scratch.length) this.#scratch = new Uint32Array(2 * (to - from))
    this.#scratch.set(this.#codes.subarray(from, to))
    return this.#scratch
  }
}
