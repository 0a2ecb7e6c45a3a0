import type { PhrasePredicate, Predicate } from '../../../query/plan/predicate.ts'
import type { Field } from '../../../query/schema/field.ts'

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

/** Longer lists bypass the analyzer of the field, since a cluster counts every clause of a query. */
const LONGEST_AS_CLAUSES = 64

interface TokenList {
  readonly field: Field
  readonly tokens: readonly string[]
}

/** Splits long lists of single tokens of one field from the members of a disjunction. */
export function gatherTokens(members: readonly Predicate[]): {
  readonly lists: readonly TokenList[]
  readonly others: readonly Predicate[]
} {
  const byPath = Map.groupBy(members.filter(isToken), ({ field }) => field.path)
  const long = [...byPath.values()].filter((phrases) => phrases.length > LONGEST_AS_CLAUSES)
  if (long.length === 0) return { lists: [], others: members }
  const gathered = new Set<Predicate>(long.flat())
  const lists = long.flatMap((phrases) => {
    const [first] = phrases
    return first === undefined ? [] : [{ field: first.field, tokens: phrases.flatMap(({ tokens }) => tokens) }]
  })
  return { lists, others: members.filter((member) => !gathered.has(member)) }
}

const isToken = (p: Predicate): p is PhrasePredicate => p.kind === 'phrase' && p.tokens.length === 1 && !p.lastIsPrefix
