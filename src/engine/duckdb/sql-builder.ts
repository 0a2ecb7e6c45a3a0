import type { DuckDBValue } from '@duckdb/node-api'
import type { Matcher, Matchers } from './matchers.ts'

/**
 * Collects the values and matchers of one statement. A caller's value reaches SQL only as a bound parameter, and so does
 * what else differs from question to question: one text serves all of a kind, and stays prepared (statements.ts).
 */
export class SqlBuilder {
  readonly values: DuckDBValue[] = []
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

  /** Matchers of the statement so far. */
  get matches(): number {
    return this.#matcherIds.length
  }

  /** To be called when the statement has run. */
  release(): void {
    this.#matchers.remove(this.#matcherIds)
  }
}
