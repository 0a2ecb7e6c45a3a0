import { problem } from '../../errors.ts'
import { readableFormats, readFieldDate } from '../date/field-date.ts'
import { and, equalsAny, nothing, or, type Predicate } from '../plan/predicate.ts'
import { type Field, isNumber } from '../schema/field.ts'
import { fieldPatterns } from '../schema/field-pattern.ts'
import { lowerCaseToken, tokenize } from '../text/text-analysis.ts'
import { parseIp } from '../value/ip-address.ts'
import { numberOf, parseDecimal } from '../value/numbers.ts'
import { readBoolean } from '../value/typed-text.ts'
import { resolveDatePeriods } from './date-bounds.ts'
import type { FilterContext } from './filter-context.ts'
import { type FullTextTerm, parseFullText } from './full-text-parser.ts'
import { hasToken } from './resolve-equality.ts'

/** Maximum nesting depth of AND and OR passed to an engine. */
const DEEPEST = 100

/** Cost of a word: one comparison per searched field. In a small collection it is about that of a list value. */
const costOf = (fields: readonly Field[]): number => Math.max(1, Math.ceil(fields.length / 10))

/** Resolves one member of q against the schema (spec 3.11). */
export function resolveFullText(q: string, parameter: string, context: FilterContext): Predicate {
  const { fields, text } = searchedFields(q, parameter, context)
  const { predicate, depth } = parseFullText(text, (term) => {
    context.budget.spend(costOf(fields), parameter)
    return or(fields.map((field) => matchTerm(term, field)))
  })
  if (depth > DEEPEST) {
    throw problem('LIMIT_EXCEEDED', {
      parameter,
      value: q,
      reason: `must not alternate between AND and OR more than ${DEEPEST} times`,
    })
  }
  return predicate
}

interface Searched {
  readonly fields: readonly Field[]
  readonly text: string
}

function searchedFields(q: string, parameter: string, { schema, hidden }: FilterContext): Searched {
  const colon = q.indexOf(':')
  const before = q.slice(0, Math.max(0, colon))
  const text = q.slice(colon + 1)
  const named = schema.lookup(before)
  if (named !== undefined) {
    if (!named.indexed) {
      throw problem('INVALID_FILTER', { parameter, value: q, reason: `must not use ${before}, which is not indexed` })
    }
    return { fields: [named].filter((f) => !f.nested), text }
  }
  const usable = (f: Field): boolean => f.indexed && !f.nested && !hidden.selects(f.path)
  if (before.includes('*')) {
    const pattern = fieldPatterns([before])
    const matched = schema.fields.filter((f) => pattern.selects(f.path))
    if (matched.length > 0) return { fields: matched.filter(usable), text }
  }
  const byDefault = (f: Field): boolean => f.type === 'TEXT' || f.type === 'KEYWORD' || isNumber(f.type)
  return { fields: schema.fields.filter((f) => byDefault(f) && usable(f)), text: q }
}

/** A word or phrase in one field. */
export function matchTerm(term: FullTextTerm, field: Field): Predicate {
  if (field.type === 'TEXT') return matchText(term, field)
  if (field.type === 'KEYWORD') return matchKeyword(term, field)
  return term.kind === 'phrase' || term.form === 'whole' ? matchValue(term.text, field) : nothing
}

function matchText(term: FullTextTerm, field: Field): Predicate {
  if (term.kind === 'phrase') {
    const tokens = tokenize(term.text)
    return tokens.length === 0 ? nothing : { kind: 'phrase', field, tokens, lastIsPrefix: false, slop: term.slop }
  }
  switch (term.form) {
    case 'prefix':
      // Only an escaped blank gets here. No token contains a blank, so nothing matches.
      if (/\s/.test(term.text)) return nothing
      return { kind: 'phrase', field, tokens: [lowerCaseToken(term.text)], lastIsPrefix: true, slop: 0 }
    case 'fuzzy':
      return { kind: 'fuzzy', field, word: lowerCaseToken(term.text), edits: term.edits }
    case 'whole': {
      const tokens = new Set(tokenize(term.text))
      return tokens.size === 0 ? nothing : and([...tokens].map((token) => hasToken(field, token)))
    }
  }
}

function matchKeyword(term: FullTextTerm, field: Field): Predicate {
  if (term.kind === 'phrase') return equalsAny(field, [term.text])
  switch (term.form) {
    case 'whole':
      return equalsAny(field, [term.text])
    case 'prefix':
      return { kind: 'prefix', field, prefix: term.text }
    case 'fuzzy':
      return { kind: 'fuzzy', field, word: term.text, edits: term.edits }
  }
}

/** Types that are not split into words: the text must be the whole value. */
function matchValue(text: string, field: Field): Predicate {
  switch (field.type) {
    case 'DATE': {
      const period = readFieldDate(readableFormats(field.format), text)
      return period === undefined ? nothing : resolveDatePeriods(field, [period])
    }
    case 'BOOLEAN':
      return equalsAny(field, presentOf(readBoolean(text)))
    case 'IP':
      return equalsAny(field, presentOf(parseIp(text)))
    default: {
      const decimal = isNumber(field.type) ? parseDecimal(text) : undefined
      return decimal === undefined ? nothing : equalsAny(field, presentOf(numberOf(field.type, decimal)))
    }
  }
}

const presentOf = <T>(value: T | undefined): readonly T[] => (value === undefined ? [] : [value])
