import type { Filter } from '../../model/filter.ts'
import type { KeywordPattern } from '../pattern/keyword-pattern.ts'
import { PatternFault, parseKeywordPattern } from '../pattern/keyword-pattern-parser.ts'
import { and, everything, not, nothing, or, type Predicate } from '../plan/predicate.ts'
import { predicateCost } from '../plan/predicate-cost.ts'
import { type Field, isGeo } from '../schema/field.ts'
import { tokenize } from '../text/text-analysis.ts'
import { type ParsedCql2, resolveParsedCql2 } from './cql2-filter.ts'
import { checkUsable, type ExpressionContext, type FilterContext, fieldNotFound, typeFault } from './filter-context.ts'
import {
  expressionFault,
  isGeoOperator,
  type ParsedExpression,
  type ParsedFilter,
  parseFilter,
} from './filter-syntax.ts'
import { resolveFullText } from './full-text.ts'
import { resolveEquality } from './resolve-equality.ts'
import { resolveComparison, resolveRange } from './resolve-range.ts'

export type { FilterContext } from './filter-context.ts'

/**
 * Resolves a Filter against the schema (spec section 3). Throws INVALID_FILTER, INVALID_GEOMETRY or FIELD_NOT_FOUND.
 */
export function resolveFilter(filter: Filter, context: FilterContext): Predicate {
  return resolveParsedFilter(parseFilter(filter, context), context)
}

/** Second half of `resolveFilter`: the checks that need the schema. */
export function resolveParsedFilter(filter: ParsedFilter, context: FilterContext): Predicate {
  const within: ExpressionContext =
    filter.dateformat === undefined ? context : { ...context, dateformat: filter.dateformat }
  const f = filter.f.map((group) => anyOf(group, (expression) => resolveExpression(expression, within)))
  const q = filter.q.map((group) => anyOf(group, (query) => resolveFullText(query.text, query.place, context)))
  const predicate = and([...f, ...q, ...(filter.cql2 === undefined ? [] : [resolveExpressionOf(filter.cql2, context)])])
  context.budget.charge(predicateCost(predicate), context.parameter)
  return predicate
}

function resolveExpressionOf(parsed: ParsedCql2, context: FilterContext): Predicate {
  const owner = context.owner ?? context.schema.indices.join(', ')
  return resolveParsedCql2(parsed, context.limits, { ...context, parameter: parsed.place, owner })
}

/** An empty group restricts nothing (3.1). */
function anyOf<T>(group: readonly T[], resolve: (member: T) => Predicate): Predicate {
  return group.length === 0 ? everything : or(group.map(resolve))
}

function resolveExpression(expression: ParsedExpression, context: ExpressionContext): Predicate {
  const path = expression.field === '$timestamp' ? context.timestampPath : expression.field
  const field = context.schema.lookup(path)
  if (field === undefined) {
    if (isGeoOperator(expression.op)) throw fieldNotFound(path, context.schema, context.owner)
    return expression.op === 'ne' ? everything : nothing
  }
  checkUsable(expression, field)
  switch (expression.op) {
    case 'eq':
      return resolveEquality(expression, field, context)
    case 'ne':
      return not(resolveEquality(expression, field, context))
    case 'like':
      return resolveLike(expression, field, context)
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return resolveComparison(expression, field, context)
    case 'range':
      return resolveRange(expression, field, context)
    case 'within':
    case 'notwithin':
    case 'intersects':
    case 'notintersects':
      return resolveGeo(expression, field)
  }
}

/** like: on TEXT a phrase whose last word is a prefix, on KEYWORD a pattern (spec 3.6). */
function resolveLike(expression: ParsedExpression, field: Field, context: ExpressionContext): Predicate {
  if (field.type === 'TEXT') {
    const tokens = tokenize(expression.value)
    context.budget.spend(Math.max(0, tokens.length - 1), expression.place)
    return tokens.length === 0 ? nothing : { kind: 'phrase', field, tokens, lastIsPrefix: true, slop: 0 }
  }
  if (field.type !== 'KEYWORD') throw typeFault(expression, field)
  return { kind: 'pattern', field, pattern: readPattern(expression, context.limits.patternLength) }
}

function readPattern(expression: ParsedExpression, maxLength: number): KeywordPattern {
  try {
    return parseKeywordPattern(expression.value, maxLength)
  } catch (error) {
    if (!(error instanceof PatternFault)) throw error
    throw expressionFault(expression, error.reason)
  }
}

/** within, intersects and their negations (spec 3.10); the area was parsed with the triplet. */
function resolveGeo(expression: ParsedExpression, field: Field): Predicate {
  const { op, area } = expression
  if (!isGeo(field.type) || area === undefined) throw typeFault(expression, field)
  const relation = op === 'within' || op === 'notwithin' ? 'within' : 'intersects'
  const predicate: Predicate = { kind: 'geo', field, relation, area }
  return op === relation ? predicate : not(predicate)
}
