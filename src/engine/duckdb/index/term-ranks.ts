import type { DuckDBConnection } from '@duckdb/node-api'
import type { IndexDefinition } from './index-definition.ts'
import { countsTable } from './key-counts.ts'
import type { Term, TermRanks, Terms } from './terms.ts'

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

/** Terms of one path in order of rank. */
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
