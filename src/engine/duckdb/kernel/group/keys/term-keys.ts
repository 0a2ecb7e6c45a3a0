import { patternMatcher } from '../../../../../query/pattern/keyword-pattern-matcher.ts'
import type { TermInclude } from '../../../../../query/plan/aggregation-plan.ts'
import type { CodeColumn } from '../../../segment/column.ts'
import { readCodes } from '../arrays/block-reader.ts'
import { PairTable } from '../arrays/pair-table.ts'
import { type FilledKeys, NO_ID } from './key-column.ts'
import type { TermSpace } from './term-space.ts'

/** Terms of KEYWORD and IP; slots are codes. */
export class TermKeys implements FilledKeys {
  readonly kind = 'filled'
  readonly bounded = true
  readonly slots: number
  readonly starts: Uint32Array | undefined
  readonly scheme: FilledKeys['scheme']
  readonly #column: CodeColumn
  readonly #space: TermSpace
  readonly #isIncluded: (code: number) => boolean

  constructor(column: CodeColumn, space: TermSpace, include: TermInclude | undefined) {
    this.slots = column.dictionary.size + 1
    this.starts = column.starts
    this.scheme = { column, name: 'term' }
    this.#column = column
    this.#space = space
    this.#isIncluded = compileInclude(column, include)
  }

  fill(rows: Uint32Array | undefined, from: number, count: number, out: Uint32Array): void {
    readCodes(this.#column.codes, rows, from, count, out)
  }

  idOf(code: number): number {
    return this.#isIncluded(code) ? this.#space.idOfCode(this.#column.dictionary, code) : NO_ID
  }
}

/** Terms of few rows of a large dictionary; slots are given by appearance. */
export class FewTermKeys implements FilledKeys {
  readonly kind = 'filled'
  readonly bounded = false
  readonly starts: Uint32Array | undefined
  readonly #keys: TermKeys
  readonly #codes = new PairTable()

  constructor(column: CodeColumn, space: TermSpace, include: TermInclude | undefined) {
    this.starts = column.starts
    this.#keys = new TermKeys(column, space, include)
  }

  get slots(): number {
    return this.#codes.count + 1
  }

  fill(rows: Uint32Array | undefined, from: number, count: number, out: Uint32Array): void {
    this.#keys.fill(rows, from, count, out)
    for (let i = 0; i < count; i++) {
      const code = out[i] ?? 0
      if (code !== 0) out[i] = this.#codes.numberOf(0, code) + 1
    }
  }

  idOf(slot: number): number {
    return this.#keys.idOf(this.#codes.low(slot - 1))
  }
}

function compileInclude({ dictionary }: CodeColumn, include: TermInclude | undefined): (code: number) => boolean {
  if (include === undefined) return () => true
  if (include.kind === 'values') {
    const codes = new Set(include.values.map((value) => dictionary.codeOf(String(value))))
    return (code) => codes.has(code)
  }
  const matches = patternMatcher(include.pattern)
  return (code) => matches(dictionary.term(code))
}
