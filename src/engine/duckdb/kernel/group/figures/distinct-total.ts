import type { Field } from '../../../../../query/schema/field.ts'
import { BLOCK, type CodeColumn, type NumberColumn } from '../../../segment/column.ts'
import { codeTotals } from '../../filter/code-totals.ts'
import type { NumberedPart } from '../../numbered-part.ts'
import type { Accumulator, Buckets } from '../arrays/accumulator.ts'
import { readCodes, readNumbers } from '../arrays/block-reader.ts'
import { rangeOfNumbers } from '../arrays/number-range.ts'
import { isDense } from '../keys/key-column.ts'
import { addTerm, DistinctSample } from './distinct-sample.ts'
import { spreadValues } from './spread-values.ts'

/** The number of distinct values of a field in all rows: exact up to a number, an estimate within 2 % above. */
export class DistinctTotal implements Accumulator {
  readonly #parts: readonly (PartValues | undefined)[]
  readonly #sample: DistinctSample
  #part: PartValues | undefined

  constructor(field: Field, parts: readonly NumberedPart[], exactUpTo: number) {
    const sample = new DistinctSample(exactUpTo)
    this.#sample = sample
    this.#parts = parts.map(({ part }) => {
      const column = part.column(field)
      if (column?.kind === 'code') return new SeenCodes(column, column.dictionary.size, termTotals(column, part.rows))
      return column?.kind === 'number' ? numbersOf(column, part.rows, sample) : undefined
    })
  }

  begin(part: number): void {
    this.#part = this.#parts[part]
  }

  add(rows: Uint32Array | undefined, from: number, _buckets: Buckets, count: number): void {
    const part = this.#part
    if (part === undefined) return
    const { starts } = part.column
    if (starts === undefined) {
      part.add(rows, from, count)
      return
    }
    const spread = spreadValues(starts, rows, from, 0, count)
    part.add(spread.positions, 0, spread.count)
  }

  /** True if the rows of the current part need not be read to add all but few. */
  get knowsAll(): boolean {
    return this.#part === undefined || (this.#part instanceof SeenCodes && this.#part.totals !== undefined)
  }

  /** Adds all rows of the current part, except those given. */
  addAllExcept(rows: Iterable<number>): void {
    if (this.#part instanceof SeenCodes) this.#part.addAllExcept(rows)
  }

  end(): void {
    const part = this.#part
    if (part instanceof SeenCodes && part.column.kind === 'number') {
      const { column } = part
      part.each((code) => this.#sample.addDouble(numberOfCode(column, code)))
    }
    this.#part = undefined
  }

  count(): number {
    const isCoded = this.#parts.some((part) => part?.column.kind === 'code')
    return isCoded ? this.#countTerms() : this.#sample.estimate
  }

  /** The part with most terms is counted by code; of the others, terms it does not have are added. */
  #countTerms(): number {
    const coded = this.#parts.flatMap((part) =>
      part instanceof SeenCodes && part.column.kind === 'code' ? [{ part, dictionary: part.column.dictionary }] : [],
    )
    const counts = new Map(coded.map(({ part }) => [part, part.count]))
    const countOf = (part: SeenCodes): number => counts.get(part) ?? 0
    const [main, ...others] = coded.toSorted((a, b) => countOf(b.part) - countOf(a.part))
    if (main === undefined) return 0
    for (const { part, dictionary } of others) {
      part.each((code) => {
        const term = dictionary.term(code)
        addTerm(this.#sample, term, () => !main.part.has(main.dictionary.codeOf(term)))
      })
    }
    return this.#sample.estimate + countOf(main.part)
  }
}

/** Entry c is the number of rows of a segment whose code is below c. */
function termTotals(column: CodeColumn, rows: number): (() => Uint32Array) | undefined {
  const { codes, starts, rowsByCode, dictionary } = column
  // Tails grow, and their dictionaries are not sorted.
  if (starts || !dictionary.sorted) return undefined
  return () => rowsByCode?.starts ?? codeTotals(column, codes, rows, dictionary.size)
}

const numberOfCode = ({ packing }: NumberColumn, code: number): number =>
  (packing?.base ?? 0) + (code - 1) * (packing?.step ?? 1)

function numbersOf(column: NumberColumn, rows: number, sample: DistinctSample): PartValues | undefined {
  const range = rangeOfNumbers(column, rows)
  if (range === undefined) return undefined
  const { packing } = column
  const most = packing ? Math.round((range.max - packing.base) / packing.step) + 1 : Number.POSITIVE_INFINITY
  return isDense(most, rows) ? new SeenCodes(column, most) : new SampledNumbers(column, sample)
}

/** Values of a part. */
interface PartValues {
  readonly column: CodeColumn | NumberColumn
  /** Adds rows, or positions of values: `rows`, ascending, or those from `from` on. */
  add(rows: Uint32Array | undefined, from: number, count: number): void
}

let codeScratch = new Uint32Array(BLOCK)
let numberScratch = new Float64Array(BLOCK)

/** Codes of terms, or packed values, that occur. */
class SeenCodes implements PartValues {
  readonly column: CodeColumn | NumberColumn
  /** Entry c is the number of rows whose code is below c. Undefined if rows are not counted. */
  readonly totals: (() => Uint32Array) | undefined
  readonly #seen: Uint8Array

  constructor(column: CodeColumn | NumberColumn, most: number, totals?: () => Uint32Array) {
    this.column = column
    this.totals = totals
    this.#seen = new Uint8Array(most + 1)
  }

  addAllExcept(rows: Iterable<number>): void {
    const totals = this.totals?.()
    if (totals === undefined || this.column.kind !== 'code') return
    const { codes } = this.column
    const excepted = new Map<number, number>()
    for (const row of rows) {
      const code = codes[row] ?? 0
      excepted.set(code, (excepted.get(code) ?? 0) + 1)
    }
    for (let code = 1; code < this.#seen.length; code++) {
      const count = (totals[code + 1] ?? 0) - (totals[code] ?? 0)
      if (count > (excepted.get(code) ?? 0)) this.#seen[code] = 1
    }
  }

  add(rows: Uint32Array | undefined, from: number, count: number): void {
    const codes = this.column.kind === 'code' ? this.column.codes : this.column.values
    if (codes instanceof Float64Array) return
    if (count > codeScratch.length) codeScratch = new Uint32Array(2 * count)
    readCodes(codes, rows, from, count, codeScratch)
    const [seen, scratch] = [this.#seen, codeScratch]
    for (let i = 0; i < count; i++) seen[scratch[i] ?? 0] = 1
  }

  has(code: number): boolean {
    return code > 0 && this.#seen[code] === 1
  }

  get count(): number {
    let count = 0
    for (let code = 1; code < this.#seen.length; code++) count += this.#seen[code] ?? 0
    return count
  }

  each(take: (code: number) => void): void {
    for (let code = 1; code < this.#seen.length; code++) if (this.#seen[code] === 1) take(code)
  }
}

class SampledNumbers implements PartValues {
  readonly column: NumberColumn
  readonly #sample: DistinctSample

  constructor(column: NumberColumn, sample: DistinctSample) {
    this.column = column
    this.#sample = sample
  }

  add(rows: Uint32Array | undefined, from: number, count: number): void {
    if (count > numberScratch.length) numberScratch = new Float64Array(2 * count)
    readNumbers(this.column, rows, from, count, numberScratch)
    let last = Number.NaN
    for (let i = 0; i < count; i++) {
      const value = numberScratch[i] ?? 0
      if (value === last || Number.isNaN(value)) continue
      last = value
      this.#sample.addDouble(value)
    }
  }
}
