import { patternMatcher } from '../query/pattern/keyword-pattern-matcher.ts'
import { PatternFault, parseKeywordPattern } from '../query/pattern/keyword-pattern-parser.ts'
import { PermissionFault } from './permission.ts'

/** Longest expression of a rule. */
const LONGEST = 10_000

/**
 * The test whether an expression matches a whole path. Expressions are those of `like` patterns, whose test takes time
 * that grows with the path only: paths come from callers, and a backtracking test could be made to run for years by
 * whoever finds one expression that allows it. Look-around is the price.
 */
export function pathMatcher(expression: string): (path: string) => boolean {
  try {
    const pattern = parseKeywordPattern(expression, LONGEST)
    return patternMatcher({ ...pattern, anchoredStart: true, anchoredEnd: true })
  } catch (error) {
    if (error instanceof PatternFault) throw new PermissionFault(`an expression ${error.reason}`)
    throw error
  }
}

/** A text as an expression that matches it and nothing else. */
export const literalExpression = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '\\$&')
