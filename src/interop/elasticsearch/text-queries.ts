import { hasToken } from '../../query/filter/resolve-equality.ts'
import { and, nothing, or, type Predicate } from '../../query/plan/predicate.ts'
import type { Field } from '../../query/schema/field.ts'
import { fieldPatterns } from '../../query/schema/field-pattern.ts'
import { tokenize } from '../../query/text/text-analysis.ts'
import { checkNames, fault, type Members, placeOf, readInteger, readTexts } from './members.ts'
import { atLeast, countOf } from './minimum-should-match.ts'
import { editsOf } from './pattern-queries.ts'
import { findField, isSearchable, type QueryContext, readWords } from './query-context.ts'
import { equalTo } from './value-queries.ts'

/** Conditions on the words of texts. On other fields they compare the whole value. */

const IGNORED = ['boost', '_name', 'analyzer', 'lenient', 'auto_generate_synonyms_phrase_query', 'max_expansions']
const MATCH = ['query', 'operator', 'minimum_should_match', 'fuzziness', 'zero_terms_query', 'slop', ...IGNORED]
const FUZZY = ['prefix_length', 'fuzzy_transpositions', 'fuzzy_rewrite', 'cutoff_frequency']

export type MatchKind = 'words' | 'phrase' | 'prefix'

/** `match`, `match_phrase` and `match_phrase_prefix`. */
export function matchQuery(path: string, value: unknown, kind: MatchKind, place: string, context: QueryContext) {
  const members: Members = typeof value === 'object' && value !== null ? { ...value } : { query: value }
  checkNames(members, place, [...MATCH, ...FUZZY])
  const field = findField(path, place, context)
  if (field === undefined) return nothing
  const text = readWords(members.query, placeOf(place, 'query'), context)
  const found = matchText(field, text, kind, members, place, context)
  if (found === undefined) throw fault(place, `must have a value that fits a field of type ${field.type}`, text)
  return found
}

const MULTI = ['fields', 'type', 'tie_breaker', 'use_dis_max']

/** `multi_match`: one of the fields matches. Fields that the text does not fit are skipped. */
export function multiMatchQuery(members: Members, place: string, context: QueryContext): Predicate {
  checkNames(members, place, [...MATCH, ...FUZZY, ...MULTI])
  const kinds: Readonly<Record<string, MatchKind>> = {
    best_fields: 'words',
    most_fields: 'words',
    phrase: 'phrase',
    phrase_prefix: 'prefix',
  }
  const type = members.type ?? 'best_fields'
  const kind = typeof type === 'string' && Object.hasOwn(kinds, type) ? kinds[type] : undefined
  if (kind === undefined) throw fault(placeOf(place, 'type'), `must be one of ${Object.keys(kinds).join(', ')}`, type)
  const text = readWords(members.query, placeOf(place, 'query'), context)
  const fields = namedFields(members.fields, placeOf(place, 'fields'), context)
  return or(fields.map((field) => matchText(field, text, kind, members, place, context) ?? nothing))
}

/** Fields by names or patterns, with boosts that have no effect; all searchable ones if none is named. */
export function namedFields(value: unknown, place: string, context: QueryContext): readonly Field[] {
  const names = value === undefined ? ['*'] : readTexts(value, place).map((name) => name.replace(/\^[\d.]+$/, ''))
  context.budget.spend(names.length, place)
  const all = context.schema.fields.filter(isSearchable)
  const found = names.flatMap((name): readonly Field[] => {
    if (name.includes('*')) {
      const pattern = fieldPatterns([name])
      return all.filter(({ path }) => pattern.selects(path))
    }
    const field = findField(name, place, context)
    return field === undefined ? [] : [field]
  })
  return [...new Map(found.map((field) => [field.path, field])).values()]
}

/** Undefined if the text does not fit the type of the field. */
function matchText(
  field: Field,
  text: string,
  kind: MatchKind,
  members: Members,
  place: string,
  { budget, now }: QueryContext,
): Predicate | undefined {
  if (field.type !== 'TEXT') {
    budget.spend(1, place)
    if (kind === 'prefix' && field.type === 'KEYWORD' && !field.isId) return { kind: 'prefix', field, prefix: text }
    return equalTo(field, text, now)
  }
  const tokens = tokenize(text)
  budget.spend(Math.max(1, tokens.length), place)
  if (tokens.length === 0) return members.zero_terms_query === 'all' ? { kind: 'exists', field } : nothing
  if (kind !== 'words') {
    const slop = readInteger(members.slop, placeOf(place, 'slop'), 0, 1_000_000) ?? 0
    return { kind: 'phrase', field, tokens, lastIsPrefix: kind === 'prefix', slop }
  }
  const words = [...new Set(tokens)].map((token): Predicate => {
    const edits = members.fuzziness === undefined ? 0 : editsOf(token, members.fuzziness, placeOf(place, 'fuzziness'))
    return edits === 0 ? hasToken(field, token) : { kind: 'fuzzy', field, word: token, edits }
  })
  if (isAnd(members.operator, placeOf(place, 'operator'))) return and(words)
  const name = placeOf(place, 'minimum_should_match')
  const least = countOf(members.minimum_should_match, words.length, name) ?? 1
  return atLeast(Math.max(1, least), words, name)
}

export function isAnd(value: unknown, place: string): boolean {
  const text = String(value ?? 'or').toLowerCase()
  if (text !== 'and' && text !== 'or') throw fault(place, 'must be and or or', value)
  return text === 'and'
}
