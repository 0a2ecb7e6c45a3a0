import type { FieldSortKey } from '../../../../../query/plan/plan.ts'
import { compareCodePoints } from '../../../../../query/value/code-point-order.ts'
import type { CodeColumn, Column, NumberColumn } from '../../../segment/column.ts'
import type { NumberedPart } from '../../numbered-part.ts'
import { numberAt, readNumbers } from '../arrays/block-reader.ts'

/** A sort key of the rows of one part. */
interface PartKey {
  /** Smaller ranks come first; Infinity is no value. Undefined if only terms can be compared. */
  readonly rank: ((row: number) => number) | undefined
  readonly term: ((row: number) => string | undefined) | undefined
  /** Sets `out[i]` to the rank of the i-th row: of `rows`, or of those from `from` on. */
  readonly fill?: (rows: Uint32Array | undefined, from: number, count: number, out: Float64Array) => void
}

/** The order of rows by some sort keys, then by index and place in its source file. */
export class RowOrder {
  readonly #parts: readonly NumberedPart[]
  /** By part, then sort key. */
  readonly #keys: readonly (readonly PartKey[])[]

  constructor(sort: readonly FieldSortKey[], parts: readonly NumberedPart[]) {
    this.#parts = parts
    this.#keys = parts.map(({ part }) => sort.map((key) => partKey(part.column(key.field), key.descending)))
    this.#signs = sort.map(({ descending }) => (descending ? -1 : 1))
  }

  readonly #signs: readonly number[]

  /**
   * Sets `out[i]` to the rank of a row by the first key: a lower rank comes first. Rows of a part with equal ranks may
   * still differ in the first key.
   */
  fillRanks(part: number, rows: Uint32Array | undefined, from: number, count: number, out: Float64Array): void {
    const key = this.#keys[part]?.[0]
    if (key?.rank === undefined) out.fill(0, 0, count)
    else if (key.fill) key.fill(rows, from, count, out)
    else for (let i = 0; i < count; i++) out[i] = key.rank(rows === undefined ? from + i : (rows[i] ?? 0))
  }

  rank(part: number, row: number): number {
    return this.#keys[part]?.[0]?.rank?.(row) ?? 0
  }

  /** Negative if the first row comes first. */
  compare(partA: number, rowA: number, partB: number, rowB: number): number {
    const [keysA = [], keysB = []] = [this.#keys[partA], this.#keys[partB]]
    for (let i = 0; i < keysA.length; i++) {
      const [a, b] = [keysA[i], keysB[i]]
      if (a === undefined || b === undefined) continue
      const isRanked = a.rank !== undefined && b.rank !== undefined
      // Ranks of terms are codes, which differ between parts.
      const order =
        isRanked && (partA === partB || (a.term === undefined && b.term === undefined))
          ? compareNumbers(a.rank(rowA), b.rank(rowB))
          : compareTerms(a.term?.(rowA), b.term?.(rowB), this.#signs[i] ?? 1)
      if (order !== 0) return order
    }
    const [a, b] = [this.#parts[partA], this.#parts[partB]]
    return (a?.table ?? 0) - (b?.table ?? 0) || (a?.part.extents.at[rowA] ?? 0) - (b?.part.extents.at[rowB] ?? 0)
  }
}

const compareNumbers = (a: number, b: number): number => (a < b ? -1 : a > b ? 1 : 0)

/** A missing term comes last. */
function compareTerms(a: string | undefined, b: string | undefined, sign: number): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined)
  return sign * compareCodePoints(a, b)
}

const MISSING: PartKey = { rank: () => Number.POSITIVE_INFINITY, term: undefined }

function partKey(column: Column | undefined, descending: boolean): PartKey {
  if (column?.kind === 'number') return numberKey(column, descending)
  return column?.kind === 'code' ? termKey(column, descending) : MISSING
}

function numberKey(column: NumberColumn, descending: boolean): PartKey {
  const { starts } = column
  const sign = descending ? -1 : 1
  if (starts === undefined) {
    const rank = (row: number): number => {
      const value = numberAt(column, row)
      return Number.isNaN(value) ? Number.POSITIVE_INFINITY : sign * value
    }
    return {
      rank,
      term: undefined,
      fill: (rows, from, count, out) => {
        readNumbers(column, rows, from, count, out)
        for (let i = 0; i < count; i++) {
          const value = out[i] ?? 0
          out[i] = Number.isNaN(value) ? Number.POSITIVE_INFINITY : sign * value
        }
      },
    }
  }
  // The smallest rank is that of the smallest value ascending, of the largest descending.
  const rank = (row: number): number => {
    let best = Number.POSITIVE_INFINITY
    for (let at = starts[row] ?? 0; at < (starts[row + 1] ?? 0); at++)
      best = Math.min(best, sign * numberAt(column, at))
    return best
  }
  return { rank, term: undefined }
}

function termKey({ codes, dictionary, starts }: CodeColumn, descending: boolean): PartKey {
  const sign = descending ? -1 : 1
  const isBetter = dictionary.sorted
    ? (code: number, other: number): boolean => sign * (code - other) < 0
    : (code: number, other: number): boolean =>
        sign * compareCodePoints(dictionary.term(code), dictionary.term(other)) < 0
  const codeOf =
    starts === undefined
      ? (row: number): number => codes[row] ?? 0
      : (row: number): number => {
          let best = 0
          for (let at = starts[row] ?? 0; at < (starts[row + 1] ?? 0); at++) {
            const code = codes[at] ?? 0
            if (best === 0 || isBetter(code, best)) best = code
          }
          return best
        }
  const term = (row: number): string | undefined => {
    const code = codeOf(row)
    return code === 0 ? undefined : dictionary.term(code)
  }
  if (!dictionary.sorted) return { rank: undefined, term }
  const rank = (row: number): number => {
    const code = codeOf(row)
    return code === 0 ? Number.POSITIVE_INFINITY : sign * code
  }
  return { rank, term }
}
