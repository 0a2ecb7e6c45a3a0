import type { Predicate } from './predicate.ts'

/**
 * Cost of a predicate per document, in units of one value lookup. Measured with the embedded engine: a range takes
 * about ten times as long as a list value, a regular expression fifty times, a fuzzy word a hundred times.
 */
export function predicateCost(predicate: Predicate): number {
  switch (predicate.kind) {
    case 'everything':
    case 'nothing':
    case 'exists':
      return 1
    case 'and':
    case 'or':
      return predicate.members.reduce((sum, member) => sum + predicateCost(member), 1)
    case 'not':
      return predicateCost(predicate.member)
    case 'equals':
      return predicate.values.length
    case 'range':
    case 'prefix':
    case 'geo':
    case 'cell':
    case 'compare':
      return 10
    case 'phrase':
      return 10 * predicate.tokens.length
    case 'pattern':
      return 50
    case 'fuzzy':
    case 'relates':
      return 100
  }
}
