import type { DuckDBConnection } from '@duckdb/node-api'
import type { IndexDefinition } from './index-table.ts'
import { countsTable } from './key-counts.ts'

/** A value of a keyword that has few. */
export interface Term {
  /** Its place in their order, from 1. */
  readonly rank: number
  /** Arranged documents that had it when they were arranged. */
  readonly documents: number
}

/**
 * For keywords with few distinct values: what is known of each value, by path. Arranged rows hold its rank beside the
 * text, so that equality and order compare small integers. It does not change until the next arrangement.
 */
export type TermRanks = ReadonlyMap<string, Terms>

export type Terms = ReadonlyMap<string, Term>

export const noTerms: TermRanks = new Map()

export const termsTable = (table: string): string => `${table}_terms`

/** Reads the terms of an arranged table whose keys are counted. */
export async function readTermRanks(connection: DuckDBConnection, definition: IndexDefinition): Promise<TermRanks> {
  const { layout, table, counted = [] } = definition
  const ranks = new Map<string, Terms>()
  for (const { path } of layout.fields.filter((f) => f.ranked === 'terms')) {
    const counts = `(SELECT key, n FROM ${countsTable(table)} WHERE field = ${counted.indexOf(path)})`
    const sql = `SELECT value, rank, n FROM ${termsTable(table)} LEFT JOIN ${counts} ON key = rank WHERE path = $1`
    const rows = await (await connection.run(sql, [path])).getRows()
    const terms = rows.map(([value, rank, n]): [string, Term] => [
      String(value),
      { rank: Number(rank), documents: Number(n ?? 0) },
    ])
    ranks.set(path, new Map(terms))
  }
  return ranks
}

const orders = new WeakMap<Terms, readonly string[]>()

/** The terms of one path in the order of their ranks. */
export function termsInOrder(terms: Terms): readonly string[] {
  let order = orders.get(terms)
  if (!order) {
    const ordered: string[] = []
    for (const [term, { rank }] of terms) ordered[rank - 1] = term
    order = ordered
    orders.set(terms, order)
  }
  return order
}
