import type { Filter } from '../../model/filter.ts'
import { and, everything, not, nothing, or, type Predicate } from '../plan/predicate.ts'
import { predicateCost } from '../plan/predicate-cost.ts'
import { checkUsable, type ExpressionContext, type FilterContext, fieldNotFound } from './filter-context.ts'
import { isGeoOperator, type ParsedExpression, type ParsedFilter, parseFilter } from './filter-syntax.ts'
import { resolveFullText } from './full-text.ts'
import { resolveComparison } from './resolve-comparison.ts'
import { resolveEquality } from './resolve-equality.ts'
import { resolveGeo } from './resolve-geo.ts'
import { resolveLike } from './resolve-like.ts'
import { resolveRange } from './resolve-range.ts'

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
  const predicate = and([...f, ...q])
  context.budget.charge(predicateCost(predicate), context.parameter)
  return predicate
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
