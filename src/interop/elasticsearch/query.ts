import { and, everything, not, nothing, or, type Predicate } from '../../query/plan/predicate.ts'
import { predicateCost } from '../../query/plan/predicate-cost.ts'
import { documentIds, type Field } from '../../query/schema/field.ts'
import { boundingBoxQuery, distanceQuery, polygonQuery, shapeQuery } from './geo-queries.ts'
import {
  checkNames,
  fault,
  listOf,
  type Members,
  placeOf,
  readBoolean,
  readMembers,
  readOnly,
  readText,
  readTexts,
} from './members.ts'
import { atLeast, countOf } from './minimum-should-match.ts'
import { fuzzyQuery, prefixQuery, regexpQuery, wildcardQuery } from './pattern-queries.ts'
import { findField, type QueryContext } from './query-context.ts'
import { queryString, simpleQueryString } from './query-string.ts'
import { type MatchKind, matchQuery, multiMatchQuery } from './text-queries.ts'
import { equalToAny, rangeQuery, termQuery } from './value-queries.ts'

/** Translates a query in the language of Elasticsearch. Scores are ignored. Throws for what is not known. */
export function translateQuery(query: unknown, place: string, context: QueryContext): Predicate {
  const predicate = translate(query, place, context, 0)
  context.budget.charge(predicateCost(predicate), place)
  return predicate
}

/** Members of all queries that have no effect here. */
const IGNORED = ['boost', '_name']

function translate(query: unknown, place: string, context: QueryContext, depth: number): Predicate {
  if (depth > context.limits.filterDepth) {
    throw fault(place, `must not be nested more than ${context.limits.filterDepth} times (limits.filterDepth)`)
  }
  const members = readMembers(query, place)
  const names = Object.keys(members)
  const [kind] = names
  if (kind === undefined || names.length > 1) throw fault(place, 'must have one member, the kind of the query')
  const value = members[kind]
  const at = placeOf(place, kind)
  const inner = (member: unknown, name: string): Predicate => translate(member, placeOf(at, name), context, depth + 1)
  switch (kind) {
    case 'match_all':
      return everything
    case 'match_none':
      return nothing
    case 'bool':
      return boolQuery(readMembers(value, at), at, context, depth)
    case 'constant_score':
      return inner(readMembers(value, at).filter, 'filter')
    case 'dis_max': {
      const { queries } = readMembers(value, at)
      return or(translateAll(queries, placeOf(at, 'queries'), context, depth))
    }
    case 'ids': {
      const { values } = readMembers(value, at)
      return equalToAny(documentIds, readTexts(values ?? [], placeOf(at, 'values')), at, context)
    }
    case 'exists':
      return existsQuery(readMembers(value, at), at, context)
    case 'term':
    case 'terms':
    case 'range':
    case 'prefix':
    case 'wildcard':
    case 'regexp':
    case 'fuzzy':
      return fieldQuery(kind, value, at, context)
    case 'match':
    case 'match_phrase':
    case 'match_phrase_prefix': {
      const only = readOnly(value, at, IGNORED)
      return matchQuery(only.name, only.value, MATCHES[kind], only.place, context)
    }
    case 'multi_match':
      return multiMatchQuery(readMembers(value, at), at, context)
    case 'query_string':
      return queryString(readMembers(value, at), at, context)
    case 'simple_query_string':
      return simpleQueryString(readMembers(value, at), at, context)
    case 'geo_bounding_box':
      return boundingBoxQuery(value, at, context)
    case 'geo_distance':
      return distanceQuery(value, at, context)
    case 'geo_polygon':
      return polygonQuery(value, at, context)
    case 'geo_shape':
      return shapeQuery(value, at, context)
    default:
      throw fault(at, 'is not a supported kind of query')
  }
}

const MATCHES: Readonly<Record<string, MatchKind>> &
  Record<'match' | 'match_phrase' | 'match_phrase_prefix', MatchKind> = {
  match: 'words',
  match_phrase: 'phrase',
  match_phrase_prefix: 'prefix',
}

function translateAll(value: unknown, place: string, context: QueryContext, depth: number): readonly Predicate[] {
  if (value === undefined) return []
  return listOf(value).map((query, i) =>
    translate(query, Array.isArray(value) ? `${place}[${i}]` : place, context, depth + 1),
  )
}

function boolQuery(members: Members, place: string, context: QueryContext, depth: number): Predicate {
  checkNames(members, place, ['must', 'filter', 'should', 'must_not', 'minimum_should_match', ...IGNORED])
  const all = (name: string): readonly Predicate[] => translateAll(members[name], placeOf(place, name), context, depth)
  const required = [...all('must'), ...all('filter')]
  const should = all('should')
  const name = placeOf(place, 'minimum_should_match')
  const least =
    countOf(members.minimum_should_match, should.length, name) ?? (required.length === 0 && should.length > 0 ? 1 : 0)
  return and([...required, atLeast(least, should, name), ...all('must_not').map(not)])
}

function existsQuery(members: Members, place: string, context: QueryContext): Predicate {
  checkNames(members, place, ['field', ...IGNORED])
  const path = readText(members.field, placeOf(place, 'field'))
  return exists(path, placeOf(place, 'field'), context)
}

/** Of an object, one of its fields exists. */
export function exists(path: string, place: string, context: QueryContext): Predicate {
  const field = findField(path, place, context)
  if (field === undefined) return nothing
  if (field.type !== 'OBJECT') return leafExists(field, place)
  const inner = context.schema.fields.filter(
    ({ path: other, type, indexed, nested }) =>
      other.startsWith(`${path}.`) &&
      indexed &&
      !nested &&
      type !== 'OBJECT' &&
      type !== 'NESTED' &&
      type !== 'UNKNOWN',
  )
  context.budget.spend(inner.length, place)
  return or(inner.map((member) => leafExists(member, place)))
}

function leafExists(field: Field, place: string): Predicate {
  if (field.type !== 'NESTED' && field.type !== 'UNKNOWN') return field.isId ? everything : { kind: 'exists', field }
  throw fault(place, `must not use ${field.path}, a field of type ${field.type}`)
}

type FieldKind = 'term' | 'terms' | 'range' | 'prefix' | 'wildcard' | 'regexp' | 'fuzzy'

/** Queries of the form `{"kind":{"field":value}}` or `{"kind":{"field":{...}}}`. */
function fieldQuery(kind: FieldKind, given: unknown, place: string, context: QueryContext): Predicate {
  const { name, value, place: at } = readOnly(given, place, IGNORED)
  const field = findField(name, at, context)
  if (kind === 'terms') {
    if (!Array.isArray(value)) throw fault(at, 'must be an array of values')
    const texts = readTexts(value, at)
    return field === undefined ? nothing : equalToAny(field, texts, at, context)
  }
  if (kind === 'range') {
    const members = readMembers(value, at)
    return field === undefined ? nothing : rangeQuery(field, members, at, context)
  }
  const members: Members = typeof value === 'object' && value !== null ? { ...value } : { value }
  checkNames(members, at, [...VALUE_MEMBERS[kind], ...IGNORED])
  const content = members.value ?? members[kind]
  const text = readText(content, placeOf(at, 'value'))
  if (field === undefined) return nothing
  context.budget.spend(1, at)
  const folded = readBoolean(members.case_insensitive, placeOf(at, 'case_insensitive')) === true
  switch (kind) {
    case 'term':
      return termQuery(field, text, members, at, context)
    case 'prefix':
      return prefixQuery(field, text, folded, at)
    case 'wildcard':
      return wildcardQuery(field, text, folded, at, context)
    case 'regexp':
      return regexpQuery(field, text, at, context)
    case 'fuzzy':
      return fuzzyQuery(field, text, members.fuzziness, at)
  }
}

const VALUE_MEMBERS: Readonly<Record<Exclude<FieldKind, 'terms' | 'range'>, readonly string[]>> = {
  term: ['value', 'term', 'case_insensitive'],
  prefix: ['value', 'prefix', 'case_insensitive', 'rewrite'],
  wildcard: ['value', 'wildcard', 'case_insensitive', 'rewrite'],
  regexp: ['value', 'regexp', 'max_determinized_states', 'rewrite'],
  fuzzy: ['value', 'fuzzy', 'fuzziness', 'transpositions', 'max_expansions', 'prefix_length', 'rewrite'],
}
