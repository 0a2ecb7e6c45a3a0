import type { Bound, Predicate } from '../plan/predicate.ts'
import { type Field, isNumber } from '../schema/field.ts'
import { numberRange, parseDecimal } from '../value/numbers.ts'
import { readDateBound } from './date-bounds.ts'
import { type ExpressionContext, typeFault, valueFault } from './filter-context.ts'
import type { ParsedExpression } from './filter-syntax.ts'

/** gt, gte, lt and lte (spec 3.5, 3.7). */
export function resolveComparison(expression: ParsedExpression, field: Field, context: ExpressionContext): Predicate {
  const { op, value } = expression
  const isLower = op === 'gt' || op === 'gte'
  const inclusive = op === 'gte' || op === 'lte'
  if (field.type === 'KEYWORD') return oneSided(field, isLower, { value, inclusive })
  if (field.type === 'DATE') {
    const roundUp = op === 'gt' || op === 'lte'
    return oneSided(field, isLower, { value: readDateBound(value, roundUp, expression, context), inclusive })
  }
  if (!isNumber(field.type)) throw typeFault(expression, field)
  const decimal = parseDecimal(value)
  if (decimal === undefined) throw valueFault(expression, field, 'a number')
  return isLower ? numberRange(field, { decimal, inclusive }) : numberRange(field, undefined, { decimal, inclusive })
}

function oneSided(field: Field, isLower: boolean, bound: Bound): Predicate {
  return { kind: 'range', field, ...(isLower ? { lower: bound } : { upper: bound }) }
}
