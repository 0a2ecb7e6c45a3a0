import type { DuckDBConnection } from '@duckdb/node-api'
import type { IndexDefinition } from './index-table.ts'

/**
 * For keywords with few distinct values: the place of each value in their order, by path. Arranged rows hold the place
 * beside the text, so that equality and order compare small integers. It does not change until the next arrangement.
 */
export type TermRanks = ReadonlyMap<string, ReadonlyMap<string, number>>

export const noTerms: TermRanks = new Map()

export const termsTable = (table: string): string => `${table}_terms`

/** Reads the terms of an arranged table. */
export async function readTermRanks(connection: DuckDBConnection, definition: IndexDefinition): Promise<TermRanks> {
  const paths = definition.layout.fields.filter((f) => f.ranked === 'terms').map((f) => f.path)
  if (paths.length === 0) return noTerms
  const ranks = new Map(paths.map((path) => [path, new Map<string, number>()]))
  const rows = await connection.run(`SELECT path, value, rank FROM ${termsTable(definition.table)}`)
  for (const [path, value, rank] of await rows.getRows()) ranks.get(String(path))?.set(String(value), Number(rank))
  return ranks
}

const orders = new WeakMap<ReadonlyMap<string, number>, readonly string[]>()

/** The terms of one path in the order of their ranks, which begin at 1. */
export function termsInOrder(ranks: ReadonlyMap<string, number>): readonly string[] {
  let order = orders.get(ranks)
  if (!order) {
    const terms: string[] = []
    for (const [term, rank] of ranks) terms[rank - 1] = term
    order = terms
    orders.set(ranks, order)
  }
  return order
}
