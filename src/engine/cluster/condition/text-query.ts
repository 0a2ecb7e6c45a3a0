import type { Query } from '../../../cluster-client/cluster-client.ts'
import type { FuzzyPredicate, PhrasePredicate, PrefixPredicate } from '../../../query/plan/predicate.ts'
import type { Field } from '../../../query/schema/field.ts'
import { tokenize } from '../../../query/text/text-analysis.ts'

const UNLIMITED = 2_147_483_647

/** For values of a KEYWORD. */
export const compilePrefix = ({ field, prefix }: PrefixPredicate): Query => ({
  prefix: { [field.path]: { value: prefix } },
})

/**
 * Compiles a phrase. The tokens go through the analyzer of the field again: the standard analyzer leaves them
 * unchanged, and an analyzer that folds accents or stems treats them like the words of the documents.
 */
export function compilePhrase({ field, tokens, lastIsPrefix, slop }: PhrasePredicate): Query {
  const text = tokens.join(' ')
  if (tokens.length === 1) return lastIsPrefix ? tokenPrefix(field, text) : hasToken(field, text)
  if (slop > 0) return sloppyPhrase(field, tokens, lastIsPrefix, slop)
  if (!lastIsPrefix) return hasPhrase(field, text)
  return { match_phrase_prefix: { [field.path]: { query: text, max_expansions: UNLIMITED } } }
}

const hasPhrase = (field: Field, text: string): Query => ({ match_phrase: { [field.path]: { query: text } } })

/** A term of Elasticsearch need not be a token (`Fox`). Then it must not be analyzed, which would change it. */
function hasToken(field: Field, text: string): Query {
  return isToken(text) ? hasPhrase(field, text) : { term: { [field.path]: { value: text } } }
}

/** The prefix of a token need not be a token (`name:`). Then it must not be analyzed, which would split it. */
function tokenPrefix(field: Field, text: string): Query {
  if (!isToken(text)) return { prefix: { [field.path]: { value: text } } }
  return { match_bool_prefix: { [field.path]: { query: text, operator: 'and' } } }
}

function isToken(text: string): boolean {
  const [token, ...others] = tokenize(text)
  return token === text && others.length === 0
}

/** Uses intervals, because the slop of a phrase counts moves and also matches words in a different order. */
function sloppyPhrase(field: Field, tokens: readonly string[], lastIsPrefix: boolean, slop: number): Query {
  const inOrder = { ordered: true, max_gaps: slop }
  if (!lastIsPrefix) return { intervals: { [field.path]: { match: { query: tokens.join(' '), ...inOrder } } } }
  const words = tokens.slice(0, -1).map((token) => ({ match: { query: token } }))
  const intervals = [...words, { prefix: { prefix: tokens.at(-1) ?? '' } }]
  return { intervals: { [field.path]: { all_of: { intervals, ...inOrder } } } }
}

/** Matches any of these tokens. Not analyzed again, since an analyzed list would need one clause per token. */
export const hasAnyToken = (field: Field, tokens: readonly string[]): Query => ({ terms: { [field.path]: tokens } })

/** `rewrite`: the default would keep only the best of the matching words. */
export const compileFuzzy = ({ field, word, edits }: FuzzyPredicate): Query => ({
  fuzzy: {
    [field.path]: { value: word, fuzziness: edits, prefix_length: 0, transpositions: true, rewrite: 'constant_score' },
  },
})
