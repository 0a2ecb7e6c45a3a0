import { compareCodePoints } from '../../../../query/value/code-point-order.ts'
import { BLOCK, type CodeColumn } from '../../segment/column.ts'
import type { Dictionary } from '../../segment/dictionary.ts'
import { compareKeyValues, type Direction, type KeyValue, type PartKey, type Ranks } from './sort-key.ts'

const scratch = new Uint32Array(BLOCK)

/** An unsorted dictionary with up to this many terms is sorted for ranks. */
const MOST_SORTED = 4096

/** Terms as a sort key. The rank is the position of the term among those of the part. */
export function codeKey(column: CodeColumn, direction: Direction): PartKey {
  const { dictionary } = column
  const positions = dictionary.sorted ? inOrderOfCodes(dictionary) : positionsOf(dictionary)
  return positions ? rankedKey(column, direction, positions) : termKey(column, direction)
}

/** Positions of terms in code point order, from 1. */
interface TermPositions {
  /** By code. Undefined: the code is the position. */
  readonly byCode: Float64Array | undefined
  /** A term that does not occur is half-way between its neighbours. */
  ofTerm(term: string): number
}

const inOrderOfCodes = (dictionary: Dictionary): TermPositions => ({
  byCode: undefined,
  ofTerm: (term) => dictionary.codeOf(term) || dictionary.firstFrom(term) - 0.5,
})

const sortedSmall = new WeakMap<Dictionary, { readonly size: number; readonly positions: TermPositions }>()

function positionsOf(dictionary: Dictionary): TermPositions | undefined {
  const { size } = dictionary
  if (size > MOST_SORTED) return undefined
  const known = sortedSmall.get(dictionary)
  if (known?.size === size) return known.positions
  const terms = Array.from({ length: size }, (_, i) => ({ term: dictionary.term(i + 1), code: i + 1 }))
  terms.sort((a, b) => compareCodePoints(a.term, b.term))
  const byCode = new Float64Array(size + 1)
  for (const [i, { code }] of terms.entries()) byCode[code] = i + 1
  const ofTerm = (term: string): number => {
    const code = dictionary.codeOf(term)
    const position = byCode[code]
    if (code !== 0 && position !== undefined) return position
    const next = terms.findIndex((t) => compareCodePoints(t.term, term) > 0)
    return (next < 0 ? size : next) + 0.5
  }
  const positions = { byCode, ofTerm }
  sortedSmall.set(dictionary, { size, positions })
  return positions
}

function rankedKey(column: CodeColumn, direction: Direction, { byCode, ofTerm }: TermPositions): PartKey {
  const { sign, missing, takesLargest } = direction
  const { codes, starts, dictionary } = column
  const position = (code: number): number => (byCode ? (byCode[code] ?? 0) : code)
  const codeOf = (row: number): number => {
    if (!starts) return codes[row] ?? 0
    const end = starts[row + 1] ?? 0
    let chosen = 0
    for (let at = starts[row] ?? 0; at < end; at++) {
      const code = codes[at] ?? 0
      if (chosen === 0 || position(code) > position(chosen) === takesLargest) chosen = code
    }
    return chosen
  }
  const of = (row: number): number => {
    const code = codeOf(row)
    return code === 0 ? missing : sign * position(code)
  }
  const fill: Ranks['fill'] = (from, to, into) => {
    if (starts || byCode) {
      for (let row = from; row < to; row++) into[row - from] = of(row)
      return
    }
    scratch.set(codes.subarray(from, to))
    const count = to - from
    for (let i = 0; i < count; i++) {
      const code = scratch[i] ?? 0
      into[i] = code === 0 ? missing : sign * code
    }
  }
  const ofValue = (value: KeyValue): number => (typeof value === 'string' ? sign * ofTerm(value) : missing)
  return {
    ranks: { of, ofValue, fill, ...walkOf(column, direction) },
    value: (row) => {
      const code = codeOf(row)
      return code === 0 ? null : dictionary.term(code)
    },
    compare: (a, b) => {
      const x = of(a)
      const y = of(b)
      return x < y ? -1 : x > y ? 1 : 0
    },
  }
}

function walkOf({ rowsByCode, starts, dictionary }: CodeColumn, { sign }: Direction): Pick<Ranks, 'walk'> {
  if (!rowsByCode || starts || !dictionary.sorted) return {}
  const from = rowsByCode.starts[1] ?? 0
  const to = rowsByCode.starts[dictionary.size + 1] ?? from
  return { walk: { rows: rowsByCode.rows, from, to, isReversed: sign < 0 } }
}

/** Compares the terms themselves. */
function termKey({ codes, starts, dictionary }: CodeColumn, direction: Direction): PartKey {
  const value = (row: number): string | null => {
    if (!starts) {
      const code = codes[row] ?? 0
      return code === 0 ? null : dictionary.term(code)
    }
    const end = starts[row + 1] ?? 0
    let chosen: string | null = null
    for (let at = starts[row] ?? 0; at < end; at++) {
      const term = dictionary.term(codes[at] ?? 0)
      if (chosen === null || compareCodePoints(term, chosen) > 0 === direction.takesLargest) chosen = term
    }
    return chosen
  }
  return { ranks: undefined, value, compare: (a, b) => compareKeyValues(value(a), value(b), direction) }
}
