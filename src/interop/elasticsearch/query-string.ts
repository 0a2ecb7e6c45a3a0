import { matchTerm } from '../../query/filter/full-text.ts'
import { type FullTextTerm, parseFullText } from '../../query/filter/full-text-parser.ts'
import { hasToken } from '../../query/filter/resolve-equality.ts'
import { and, everything, not, nothing, or, type Predicate } from '../../query/plan/predicate.ts'
import type { Field } from '../../query/schema/field.ts'
import { tokenize } from '../../query/text/text-analysis.ts'
import { checkNames, fault, type Members, placeOf } from './members.ts'
import { regexpQuery, wildcardQuery } from './pattern-queries.ts'
import { findField, type QueryContext, readWords } from './query-context.ts'
import { parseQueryString, type QueryNode } from './query-string-parser.ts'
import { isAnd, namedFields } from './text-queries.ts'
import { between, equalTo } from './value-queries.ts'

const MEMBERS = ['query', 'default_field', 'fields', 'default_operator']
const IGNORED = [
  'boost',
  '_name',
  'analyzer',
  'analyze_wildcard',
  'allow_leading_wildcard',
  'lenient',
  'flags',
  'quote_analyzer',
  'enable_position_increments',
  'auto_generate_synonyms_phrase_query',
  'tie_breaker',
  'type',
]

interface Defaults {
  readonly fields: readonly Field[]
  readonly isAnd: boolean
  readonly place: string
}

function defaultsOf(members: Members, place: string, context: QueryContext): Defaults {
  checkNames(members, place, [...MEMBERS, ...IGNORED])
  const named = members.fields ?? members.default_field
  return {
    fields: namedFields(named, placeOf(place, members.fields === undefined ? 'default_field' : 'fields'), context),
    isAnd: isAnd(members.default_operator, placeOf(place, 'default_operator')),
    place: placeOf(place, 'query'),
  }
}

/** `simple_query_string`, which is like `q` here. */
export function simpleQueryString(members: Members, place: string, context: QueryContext): Predicate {
  const { fields, isAnd: joinsAll, place: at } = defaultsOf(members, place, context)
  const text = readWords(members.query, at, context)
  const { predicate, depth } = parseFullText(
    text,
    (term) => {
      context.budget.spend(Math.max(1, fields.length), at)
      return or(fields.map((field) => matchTerm(term, field)))
    },
    joinsAll ? 'and' : 'or',
  )
  if (depth > context.limits.filterDepth) throw fault(at, 'must have fewer nested brackets')
  return predicate
}

/** `query_string`, and the parameter `q`. */
export function queryString(members: Members, place: string, context: QueryContext): Predicate {
  const defaults = defaultsOf(members, place, context)
  const text = readWords(members.query, defaults.place, context)
  const node = parseQueryString(text, {
    isAnd: defaults.isAnd,
    depth: context.limits.filterDepth,
    most: context.limits.expressions,
    place: defaults.place,
  })
  return translateNode(node, undefined, defaults, context)
}

function translateNode(
  node: QueryNode,
  path: string | undefined,
  defaults: Defaults,
  context: QueryContext,
): Predicate {
  const inner = (member: QueryNode): Predicate => translateNode(member, path, defaults, context)
  switch (node.kind) {
    case 'field':
      if (node.path === '_exists_') return existsIn(node.member, defaults, context)
      if (node.path === '*' && node.member.kind === 'word' && node.member.text === '*') return everything
      return translateNode(node.member, node.path, defaults, context)
    case 'clauses': {
      const required = node.required.map(inner)
      const optional = required.length === 0 && node.optional.length > 0 ? [or(node.optional.map(inner))] : []
      return and([...required, ...optional, ...node.excluded.map(inner).map(not)])
    }
    default: {
      if (path === undefined && node.kind === 'word' && node.text === '*') return everything
      const fields = path === undefined ? defaults.fields : pathFields(path, defaults, context)
      context.budget.spend(Math.max(1, fields.length), defaults.place)
      const isOnly = path !== undefined && fields.length === 1
      return or(fields.map((field) => leaf(node, field, isOnly, defaults, context)))
    }
  }
}

function pathFields(path: string, { place }: Defaults, context: QueryContext): readonly Field[] {
  if (path.includes('*')) return namedFields([path], place, context)
  const field = findField(path, place, context)
  return field === undefined ? [] : [field]
}

function existsIn(node: QueryNode, { place }: Defaults, context: QueryContext): Predicate {
  if (node.kind !== 'word' && node.kind !== 'phrase') throw fault(place, 'must have the name of a field after _exists_')
  const field = findField(node.text.replaceAll('\\', ''), place, context)
  if (field === undefined) return nothing
  return field.isId ? everything : { kind: 'exists', field }
}

type Leaf = Exclude<QueryNode, { kind: 'field' | 'clauses' }>

/** `isOnly`: the query names the field, so that what does not fit is a fault. */
function leaf(node: Leaf, field: Field, isOnly: boolean, { place, isAnd: joinsAll }: Defaults, context: QueryContext) {
  const misfit = (): Predicate => {
    if (isOnly) throw fault(place, `must have values that fit ${field.path}, a field of type ${field.type}`)
    return nothing
  }
  const canMatch = (field.type === 'TEXT' || field.type === 'KEYWORD') && !field.isId
  switch (node.kind) {
    case 'phrase': {
      const tokens = field.type === 'TEXT' ? tokenize(node.text) : []
      if (field.type !== 'TEXT') return equalTo(field, node.text, context.now) ?? misfit()
      return tokens.length === 0
        ? nothing
        : { kind: 'phrase' as const, field, tokens, lastIsPrefix: false, slop: node.slop }
    }
    case 'range':
      if (!isOnly && field.type !== 'KEYWORD') return nothing
      return between(field, node.lower, node.upper, undefined, place, context.now)
    case 'regexp':
      return canMatch ? regexpQuery(field, node.text, place, context) : misfit()
    case 'word': {
      if (node.text === '*') return { kind: 'exists' as const, field }
      if (node.isPattern) {
        if (!canMatch || (field.type === 'TEXT' && !isOnly && !/^[^*?]*\*$/.test(node.text))) return misfit()
        return wildcardQuery(field, field.type === 'TEXT' ? node.text.toLowerCase() : node.text, false, place, context)
      }
      if (field.type !== 'TEXT') return equalTo(field, node.text, context.now) ?? misfit()
      const words = [...new Set(tokenize(node.text))].map((token) => hasToken(field, token))
      return words.length === 0 ? nothing : joinsAll ? and(words) : or(words)
    }
    case 'fuzzy': {
      if (!canMatch) return misfit()
      const term: FullTextTerm = { kind: 'word', text: node.text, form: 'fuzzy', edits: node.edits }
      return node.edits === 0 ? (equalTo(field, node.text, context.now) ?? nothing) : matchTerm(term, field)
    }
  }
}
