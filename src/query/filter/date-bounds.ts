import { DateFault, parseDateBound } from '../date/date-expression.ts'
import type { DatePeriod } from '../date/date-format.ts'
import { or, type Predicate } from '../plan/predicate.ts'
import type { Field } from '../schema/field.ts'
import type { ExpressionContext } from './filter-context.ts'
import { expressionFault, type ParsedExpression } from './filter-syntax.ts'

/** Returns the ms of one bound of range, gt, gte, lt or lte (spec 3.7.2 to 3.7.4). */
export function readDateBound(
  text: string,
  roundUp: boolean,
  expression: ParsedExpression,
  { now, dateformat }: ExpressionContext,
): number {
  try {
    return parseDateBound(text, { now, roundUp, ...(dateformat === undefined ? {} : { dateformat }) })
  } catch (error) {
    if (!(error instanceof DateFault)) throw error
    throw expressionFault(expression, error.reason)
  }
}

/** Matches dates in one of the periods; single instants are combined in one predicate. */
export function resolveDatePeriods(field: Field, periods: readonly DatePeriod[]): Predicate {
  const instants = new Set<number>()
  const spans: Predicate[] = []
  for (const { first, last } of periods) {
    if (first === last) instants.add(first)
    else {
      spans.push({
        kind: 'range',
        field,
        lower: { value: first, inclusive: true },
        upper: { value: last, inclusive: true },
      })
    }
  }
  const equal: Predicate[] = instants.size === 0 ? [] : [{ kind: 'equals', field, values: [...instants] }]
  return or([...equal, ...spans])
}
