import type { KeywordPattern } from '../pattern/keyword-pattern.ts'
import { PatternFault, parseKeywordPattern } from '../pattern/keyword-pattern-parser.ts'
import { nothing, type Predicate } from '../plan/predicate.ts'
import type { Field } from '../schema/field.ts'
import { tokenize } from '../text/text-analysis.ts'
import { type ExpressionContext, typeFault } from './filter-context.ts'
import { expressionFault, type ParsedExpression } from './filter-syntax.ts'

/** like: on TEXT a phrase whose last word is a prefix, on KEYWORD a pattern (spec 3.6). */
export function resolveLike(expression: ParsedExpression, field: Field, context: ExpressionContext): Predicate {
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
