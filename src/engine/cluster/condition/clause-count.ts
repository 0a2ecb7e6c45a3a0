import type { Predicate } from '../../../query/plan/predicate.ts'
import { gatherTokens } from './token-list.ts'

/** Below `indices.query.bool.max_clause_count` (1024 unless set), which counts the whole query; some room is left. */
export const MOST_CLAUSES = 1000

/** How many clauses a cluster may count in the query of a predicate: most conditions are a query on points and one on columns. */
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
