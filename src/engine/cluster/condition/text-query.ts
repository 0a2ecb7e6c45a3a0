import type { Query } from '../../../cluster-client/cluster-client.ts'
import type { FuzzyPredicate, PhrasePredicate, PrefixPredicate } from '../../../query/plan/predicate.ts'
import type { Field } from '../../../query/schema/field.ts'
import { tokenize } from '../../../query/text/text-analysis.ts'

const UNLIMITED = 2_147_483_647

/** Values of a KEYWORD. */
export const compilePrefix = ({ field, prefix }: PrefixPredicate): Query => ({
  prefix: { [field.path]: { value: prefix } },
})

/**
 * Our tokens pass through the analyzer of the field once more: where it is the standard one they come out as they are,
 * and where an index folds accents or stems, the words asked for are treated as those of its documents were.
 */
export function compilePhrase({ field, tokens, lastIsPrefix, slop }: PhrasePredicate): Query {
  const text = tokens.join(' ')
  if (tokens.length === 1) return lastIsPrefix ? tokenPrefix(field, text) : hasPhrase(field, text)
  if (slop > 0) return sloppyPhrase(field, tokens, lastIsPrefix, slop)
  if (!lastIsPrefix) return hasPhrase(field, text)
  return { match_phrase_prefix: { [field.path]: { query: text, max_expansions: UNLIMITED } } }
}

const hasPhrase = (field: Field, text: string): Query => ({ match_phrase: { [field.path]: { query: text } } })

/** The beginning of a token need not be one itself (`name:`), and is then not to be cut into others. */
function tokenPrefix(field: Field, text: string): Query {
  const [token, ...others] = tokenize(text)
  if (token !== text || others.length > 0) return { prefix: { [field.path]: { value: text } } }
  return { match_bool_prefix: { [field.path]: { query: text, operator: 'and' } } }
}

/** Intervals, not the slop of a phrase: that one counts moves, and takes words in another order too. */
function sloppyPhrase(field: Field, tokens: readonly string[], lastIsPrefix: boolean, slop: number): Query {
  const inOrder = { ordered: true, max_gaps: slop }
  if (!lastIsPrefix) return { intervals: { [field.path]: { match: { query: tokens.join(' '), ...inOrder } } } }
  const words = tokens.slice(0, -1).map((token) => ({ match: { query: token } }))
  const intervals = [...words, { prefix: { prefix: tokens.at(-1) ?? '' } }]
  return { intervals: { [field.path]: { all_of: { intervals, ...inOrder } } } }
}

/** Any of these tokens; not analysed again, since an analysed list would be one clause per token. */
export const hasAnyToken = (field: Field, tokens: readonly string[]): Query => ({ terms: { [field.path]: tokens } })

/** `rewrite`: the default one keeps only the best of the words found. */
export const compileFuzzy = ({ field, word, edits }: FuzzyPredicate): Query => ({
  fuzzy: {
    [field.path]: { value: word, fuzziness: edits, prefix_length: 0, transpositions: true, rewrite: 'constant_score' },
  },
})
