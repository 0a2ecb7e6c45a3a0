import { readableFormats, readFieldDate } from '../date/field-date.ts'
import { equalsAny, or, type Predicate } from '../plan/predicate.ts'
import { type Field, isNumber } from '../schema/field.ts'
import { tokenize } from '../text/text-analysis.ts'
import { parseIp } from '../value/ip-address.ts'
import { numberOf, parseDecimal } from '../value/numbers.ts'
import { readBoolean } from '../value/typed-text.ts'
import { resolveDatePeriods } from './date-bounds.ts'
import { type ExpressionContext, typeFault, valueFault } from './filter-context.ts'
import type { ParsedExpression } from './filter-syntax.ts'

/** eq: equal to any value of the list (spec 3.5, 3.7.5); ne is its negation. */
export function resolveEquality(expression: ParsedExpression, field: Field, context: ExpressionContext): Predicate {
  const { items } = expression
  switch (field.type) {
    case 'KEYWORD':
      return equalsAny(field, items)
    case 'TEXT':
      return hasAnyToken(field, items, expression, context)
    case 'DATE': {
      const formats = readableFormats(field.format)
      const periods = items.map((item) => {
        const period = readFieldDate(formats, item)
        if (period === undefined)
          throw valueFault(expression, field, `dates in the format ${field.format ?? '(default)'}`)
        return period
      })
      return resolveDatePeriods(field, periods)
    }
    case 'BOOLEAN':
      return equalsAny(
        field,
        items.map((item) => readBoolean(item) ?? fail(expression, field, 'true or false')),
      )
    case 'IP':
      return equalsAny(
        field,
        items.map((item) => parseIp(item) ?? fail(expression, field, 'IP addresses')),
      )
    default: {
      if (!isNumber(field.type)) throw typeFault(expression, field)
      const numbers = items.map((item) =>
        numberOf(field.type, parseDecimal(item) ?? fail(expression, field, 'numbers')),
      )
      return equalsAny(
        field,
        numbers.filter((n) => n !== undefined),
      )
    }
  }
}

function fail(expression: ParsedExpression, field: Field, what: string): never {
  throw valueFault(expression, field, what)
}

/** A TEXT field contains the token. */
export const hasToken = (field: Field, token: string): Predicate => ({
  kind: 'phrase',
  field,
  tokens: [token],
  lastIsPrefix: false,
  slop: 0,
})

function hasAnyToken(
  field: Field,
  texts: readonly string[],
  { place }: ParsedExpression,
  { budget }: ExpressionContext,
): Predicate {
  const tokens = new Set(texts.flatMap((text) => tokenize(text)))
  // Each list item was already counted once, but a long text may have many tokens.
  budget.spend(Math.max(0, tokens.size - texts.length), place)
  return or([...tokens].map((token) => hasToken(field, token)))
}
