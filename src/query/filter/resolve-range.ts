import { type Bound, nothing, or, type Predicate } from '../plan/predicate.ts'
import { type Field, isNumber } from '../schema/field.ts'
import { compareCodePoints } from '../value/code-point-order.ts'
import { type Decimal, numberRange, parseDecimal } from '../value/numbers.ts'
import { readDateBound } from './date-bounds.ts'
import { type ExpressionContext, typeFault, valueFault } from './filter-context.ts'
import { expressionFault, type ParsedExpression } from './filter-syntax.ts'
import { parseRangeItem, type RangeItem } from './range-item.ts'

/** range: at least one value of the field lies in one of the items (spec 3.7.1). */
export function resolveRange(expression: ParsedExpression, field: Field, context: ExpressionContext): Predicate {
  const between = chooseReader(expression, field, context)
  return or(
    expression.items.map((item) => {
      const range = parseRangeItem(field.type === 'KEYWORD' ? item : item.trim())
      if (typeof range === 'string') throw expressionFault(expression, range)
      return between(range)
    }),
  )
}

function chooseReader(
  expression: ParsedExpression,
  field: Field,
  context: ExpressionContext,
): (range: RangeItem) => Predicate {
  if (field.type === 'KEYWORD') return (range) => keywordsBetween(field, range)
  const checked = (bound: string): string => {
    if (bound.trim() === '') throw expressionFault(expression, 'must not have a range with an empty bound')
    return bound
  }
  if (field.type === 'DATE') {
    return ({ min, max, includesMin, includesMax }) => {
      // An inclusive bound includes the whole unit it is rounded to, an exclusive one excludes it (3.7.3).
      const from = readDateBound(checked(min), !includesMin, expression, context)
      const to = readDateBound(checked(max), includesMax, expression, context)
      return datesBetween(field, from, to, includesMin, includesMax)
    }
  }
  if (!isNumber(field.type)) throw typeFault(expression, field)
  const read = (bound: string): Decimal => {
    const decimal = parseDecimal(checked(bound))
    if (decimal === undefined) throw valueFault(expression, field, 'numbers')
    return decimal
  }
  return ({ min, max, includesMin, includesMax }) =>
    numberRange(field, { decimal: read(min), inclusive: includesMin }, { decimal: read(max), inclusive: includesMax })
}

function datesBetween(field: Field, from: number, to: number, includesMin: boolean, includesMax: boolean): Predicate {
  if (from > to || (from === to && !(includesMin && includesMax))) return nothing
  return {
    kind: 'range',
    field,
    lower: { value: from, inclusive: includesMin },
    upper: { value: to, inclusive: includesMax },
  }
}

function keywordsBetween(field: Field, { min, max, includesMin, includesMax }: RangeItem): Predicate {
  const order = compareCodePoints(min, max)
  if (order > 0 || (order === 0 && !(includesMin && includesMax))) return nothing
  return {
    kind: 'range',
    field,
    lower: { value: min, inclusive: includesMin },
    upper: { value: max, inclusive: includesMax },
  }
}

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
