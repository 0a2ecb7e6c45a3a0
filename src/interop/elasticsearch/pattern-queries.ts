import { matchesParts } from '../../query/cql2/text-pattern.ts'
import { hasToken } from '../../query/filter/resolve-equality.ts'
import { PatternFault, parseKeywordPattern } from '../../query/pattern/keyword-pattern-parser.ts'
import { type Wildcards, wholeValue, wildcardParts } from '../../query/pattern/wildcard-pattern.ts'
import { equalsAny, type Predicate } from '../../query/plan/predicate.ts'
import type { Field } from '../../query/schema/field.ts'
import { fault } from './members.ts'
import type { QueryContext } from './query-context.ts'

/** Conditions on keywords, and on the words of texts, by patterns. */

const WILDCARDS: Wildcards = { many: '*', one: '?' }

export function prefixQuery(field: Field, prefix: string, folded: boolean, place: string): Predicate {
  if (isText(field, place)) {
    return { kind: 'phrase', field, tokens: [folded ? prefix.toLowerCase() : prefix], lastIsPrefix: true, slop: 0 }
  }
  if (!folded) return { kind: 'prefix', field, prefix }
  return matchesParts(field, [{ text: prefix }, 'many'], true)
}

/** A wildcard pattern: `*`, `?`, and a backslash before a character that is meant literally. */
export function wildcardQuery(
  field: Field,
  pattern: string,
  folded: boolean,
  place: string,
  { limits }: Pick<QueryContext, 'limits'>,
): Predicate {
  if (pattern.length > limits.patternLength) {
    throw fault(place, `must have at most ${limits.patternLength} characters`)
  }
  const parts = wildcardParts(pattern, WILDCARDS)
  const [first, ...others] = parts
  if (first === 'many' && others.length === 0) return { kind: 'exists', field }
  if (!isText(field, place)) return matchesParts(field, parts, folded)
  if (typeof first === 'object') {
    if (others.length === 0) return hasToken(field, folded ? first.text.toLowerCase() : first.text)
    if (others.length === 1 && others[0] === 'many') return prefixQuery(field, first.text, folded, place)
  }
  throw fault(place, 'must have * at the end only on a field of type TEXT', pattern)
}

/** Characters that are operators in regular expressions of Lucene, and literals or anchors elsewhere. */
const LUCENE_ONLY = /(?:^|[^\\])(?:\\\\)*[~&<>@#"^$]/

/** A regular expression that the whole value matches. */
export function regexpQuery(
  field: Field,
  pattern: string,
  place: string,
  { limits }: Pick<QueryContext, 'limits'>,
): Predicate {
  if (isText(field, place)) throw fault(place, 'must use a field of type KEYWORD')
  const outside = pattern.replaceAll(/\[(?:\\.|[^\]\\])*\]/g, '')
  if (LUCENE_ONLY.test(outside)) throw fault(place, 'must not use ~ & < > @ # " ^ or $ unescaped', pattern)
  try {
    const { node } = parseKeywordPattern(pattern, limits.patternLength)
    return { kind: 'pattern', field, pattern: wholeValue([node]) }
  } catch (error) {
    if (!(error instanceof PatternFault)) throw error
    throw fault(place, error.reason, pattern)
  }
}

export function fuzzyQuery(field: Field, text: string, fuzziness: unknown, place: string): Predicate {
  const edits = editsOf(text, fuzziness, place)
  const isOfWords = isText(field, place)
  if (edits === 0) return isOfWords ? hasToken(field, text) : equalsAny(field, [text])
  return { kind: 'fuzzy', field, word: text, edits }
}

/** `AUTO`, `AUTO:low,high` or a number of edits. */
export function editsOf(text: string, fuzziness: unknown, place: string): number {
  const auto = /^auto(?::(\d{1,3}),(\d{1,3}))?$/i.exec(String(fuzziness ?? 'AUTO'))
  if (auto !== null) {
    const length = Array.from(text).length
    return length < Number(auto[1] ?? 3) ? 0 : length < Number(auto[2] ?? 6) ? 1 : 2
  }
  const edits = Number(fuzziness)
  if (edits === 0 || edits === 1 || edits === 2) return edits
  throw fault(place, 'must have a fuzziness of AUTO, 0, 1 or 2', fuzziness)
}

/** True for texts, false for keywords. */
function isText(field: Field, place: string): boolean {
  if (field.type === 'TEXT') return true
  if (field.type === 'KEYWORD' && !field.isId) return false
  throw fault(place, `must not use a pattern on ${field.path}, a field of type ${field.type}`)
}
