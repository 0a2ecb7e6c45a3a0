import type { DuckDBValue } from '@duckdb/node-api'
import type { Matcher, Matchers } from './matchers.ts'
import { isInBits, type RowTest, SoughtRows } from './sought-rows.ts'

/** What is bound to a statement: values, and rows that are yet to be found. */
export type BoundValue = DuckDBValue | SoughtRows

/**
 * Collects the values and matchers of one statement. A caller's value reaches SQL only as a bound parameter, and so does
 * what else differs from question to question: one text serves all of a kind, and stays prepared (statements.ts).
 */
export class SqlBuilder {
  readonly values: BoundValue[] = []
  #sought = 0
  readonly #matchers: Matchers
  readonly #matcherIds: number[] = []

  constructor(matchers: Matchers) {
    this.#matchers = matchers
  }

  /** The cast keeps the parameter's type equal to the column's, without which DuckDB prunes no row group. */
  bind(value: DuckDBValue, sqlType: string): string {
    // The driver takes a whole number for an integer, and refuses those beyond 64 bits.
    this.values.push(Number.isInteger(value) && !Number.isSafeInteger(value) ? String(value) : value)
    return `CAST($${this.values.length} AS ${sqlType})`
  }

  match(matcher: Matcher): string {
    const id = this.#matchers.add(matcher)
    this.#matcherIds.push(id)
    return this.bind(id, 'INTEGER')
  }

  /** The condition that a test accepts a row. */
  seek(test: RowTest): string {
    this.values.push(new SoughtRows(test))
    this.#sought++
    return isInBits(`CAST($${this.values.length} AS BIT)`)
  }

  /** How often rows are sought so far. */
  get sought(): number {
    return this.#sought
  }

  /** To be called when the statement has run. */
  release(): void {
    this.#matchers.remove(this.#matcherIds)
  }
}
