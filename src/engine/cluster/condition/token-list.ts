import type { PhrasePredicate, Predicate } from '../../../query/plan/predicate.ts'
import type { Field } from '../../../query/schema/field.ts'

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
