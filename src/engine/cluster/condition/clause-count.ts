import type { Predicate } from '../../../query/plan/predicate.ts'
import { gatherTokens } from './token-list.ts'

/**
 * Limit per query, with some reserve below `indices.query.bool.max_clause_count` (default 1024, counted over the whole
 * query).
 */
export const MOST_CLAUSES = 1000

/**
 * Returns an upper bound of the clauses a cluster counts for a predicate. Most conditions compile to one query on
 * points and one on doc values.
 */
export function countClauses(p: Predicate): number {
  switch (p.kind) {
    case 'everything':
    case 'nothing':
      return 0
    case 'and':
      return sum(p.members)
    case 'or': {
      const { lists, others } = gatherTokens(p.members)
      return lists.length + sum(others)
    }
    case 'not':
      return countClauses(p.member)
    case 'phrase':
      return 1
    case 'equals':
      return p.field.type === 'DATE' ? 2 * p.values.length : 2
    default:
      return 2
  }
}

const sum = (members: readonly Predicate[]): number => members.reduce((total, m) => total + countClauses(m), 0)
