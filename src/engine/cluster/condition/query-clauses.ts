import type { Query } from '../../../cluster-client/cluster-client.ts'

export const everyDocument: Query = { match_all: {} }
export const noDocument: Query = { match_none: {} }

export function anyOf(queries: readonly Query[]): Query {
  const [only = noDocument] = queries
  return queries.length <= 1 ? only : { bool: { should: queries, minimum_should_match: 1 } }
}

export function allOf(queries: readonly Query[]): Query {
  const [only = everyDocument] = queries
  return queries.length <= 1 ? only : { bool: { filter: queries } }
}

export const noneOf = (query: Query): Query => ({ bool: { must_not: [query] } })

/** Restricts a query to these indices. Other indices rewrite it to match nothing before they resolve its fields. */
export const inIndices = (indices: readonly string[], query: Query): Query => ({
  bool: { filter: [{ terms: { _index: indices } }, query] },
})

export function inChunks<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size))
}
