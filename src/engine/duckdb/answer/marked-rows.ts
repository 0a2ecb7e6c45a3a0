import type { Turn } from '../../../turn.ts'
import { BLOCK } from '../segment/column.ts'
import type { Part } from '../segment/part.ts'
import type { PlacedDocument } from '../table/found-documents.ts'

/** Bytes of a stripe of the source file. The stripes of a very large file are longer. */
const STRIPE = 64 * 1024
const MOST_STRIPES = 2 ** 18

/** Rows sorted at a time: 16 MiB. Each such round looks at all marks again, which is fast next to reading documents. */
const ROUND_ROWS = 2 ** 21

const WORDS_PER_BLOCK = BLOCK / 32

export interface BatchLimits {
  readonly rows: number
  /** A batch that reaches this size is complete. */
  readonly bytes: number
}

/**
 * Marked rows of an index, in the order of their sources in the file. Takes one bit per row of the index, however many
 * are marked. Keeps identifiers and extents of the parts alive, but not their columns.
 */
export class MarkedRows {
  /** Number of marked rows by stripe of the file. */
  readonly #counts: Uint32Array
  readonly #stripe: number
  readonly #roundRows: number
  readonly #parts: MarkedPart[] = []

  /** `sourceEnd`: upper bound of the extents of the rows. */
  constructor(sourceEnd: number, roundRows = ROUND_ROWS) {
    this.#stripe = Math.max(STRIPE, Math.ceil(sourceEnd / MOST_STRIPES))
    this.#counts = new Uint32Array(Math.floor(sourceEnd / this.#stripe) + 1)
    this.#roundRows = roundRows
  }

  /** Adds a part, whose rows can then be marked. */
  add(part: Part): MarkedPart {
    const added = new MarkedPart(part, this.#stripe, this.#counts)
    this.#parts.push(added)
    return added
  }

  /** Returns the marked rows in batches. */
  async *batches(limits: BatchLimits, turn: Turn): AsyncIterable<readonly PlacedDocument[]> {
    let batch: PlacedDocument[] = []
    let bytes = 0
    for await (const places of this.#inStripes(turn)) {
      for (const place of places) {
        batch.push(place)
        bytes += place.size
        if (batch.length < limits.rows && bytes < limits.bytes) continue
        yield batch
        batch = []
        bytes = 0
      }
    }
    if (batch.length > 0) yield batch
  }

  /** Returns the rows of each stripe, sorted. */
  async *#inStripes(turn: Turn): AsyncIterable<readonly PlacedDocument[]> {
    const counts = this.#counts
    for (let first = 0; first < counts.length; ) {
      let end = first
      let count = 0
      do count += counts[end++] ?? 0
      while (end < counts.length && count + (counts[end] ?? 0) <= this.#roundRows)
      if (count > 0) {
        const round = new Round(counts.subarray(first, end), first, count)
        for (const [number, part] of this.#parts.entries()) await part.gather(number, round, turn)
        for (const rows of round.stripes()) yield this.#sorted(rows)
      }
      first = end
    }
  }

  #sorted(rows: Uint32Array): readonly PlacedDocument[] {
    const places: PlacedDocument[] = []
    for (let i = 0; i < rows.length; i += 2) {
      const part = this.#parts[rows[i] ?? 0]
      if (part) places.push(part.place(rows[i + 1] ?? 0))
    }
    return places.sort((a, b) => a.at - b.at)
  }
}

/** Marks of a part. */
export class MarkedPart {
  readonly #ids: Part['ids']
  readonly #extents: Part['extents']
  readonly #marks: Uint32Array
  readonly #stripe: number
  readonly #counts: Uint32Array

  /** `part`: with identifiers and extents, which stay in use. */
  constructor({ rows, ids, extents }: Part, stripe: number, counts: Uint32Array) {
    this.#ids = ids
    this.#extents = extents
    this.#marks = new Uint32Array(Math.ceil(rows / 32))
    this.#stripe = stripe
    this.#counts = counts
  }

  /** A row is marked once. */
  mark(row: number): void {
    const word = row >>> 5
    this.#marks[word] = (this.#marks[word] ?? 0) | (1 << (row & 31))
    const stripe = this.#stripeOf(row)
    this.#counts[stripe] = (this.#counts[stripe] ?? 0) + 1
  }

  place(row: number): PlacedDocument {
    return { id: this.#ids.id(row), at: this.#extents.at[row] ?? 0, size: this.#extents.size[row] ?? 0 }
  }

  /** Adds the marked rows that are in the stripes of a round. `number`: of this part. */
  async gather(number: number, round: Round, turn: Turn): Promise<void> {
    for (let from = 0; from < this.#marks.length; from += WORDS_PER_BLOCK) {
      const to = Math.min(this.#marks.length, from + WORDS_PER_BLOCK)
      for (let word = from; word < to; word++) {
        for (let bits = this.#marks[word] ?? 0; bits !== 0; bits &= bits - 1) {
          const row = word * 32 + 31 - Math.clz32(bits & -bits)
          round.add(this.#stripeOf(row), number, row)
        }
      }
      if (turn.isOver) await turn.next()
    }
  }

  #stripeOf(row: number): number {
    return Math.floor((this.#extents.at[row] ?? 0) / this.#stripe)
  }
}

/** Rows of some consecutive stripes, by stripe: a counting sort. */
class Round {
  readonly #first: number
  /** By stripe: end of the rows added so far. */
  readonly #ends: Uint32Array
  /** Pairs of a part and a row. */
  readonly #rows: Uint32Array

  constructor(counts: Uint32Array, first: number, count: number) {
    this.#first = first
    this.#ends = new Uint32Array(counts.length)
    this.#rows = new Uint32Array(2 * count)
    let end = 0
    for (let i = 0; i < counts.length; i++) {
      this.#ends[i] = end
      end += counts[i] ?? 0
    }
  }

  add(stripe: number, part: number, row: number): void {
    const i = stripe - this.#first
    if (i < 0 || i >= this.#ends.length) return
    const at = this.#ends[i] ?? 0
    this.#ends[i] = at + 1
    this.#rows[2 * at] = part
    this.#rows[2 * at + 1] = row
  }

  /** Returns the rows of each stripe that has any, when all were added. */
  *stripes(): Iterable<Uint32Array> {
    let from = 0
    for (const end of this.#ends) {
      if (end > from) yield this.#rows.subarray(2 * from, 2 * end)
      from = end
    }
  }
}
