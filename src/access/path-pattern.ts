import { patternMatcher } from '../query/pattern/keyword-pattern-matcher.ts'
import { PatternFault, parseKeywordPattern } from '../query/pattern/keyword-pattern-parser.ts'
import { PermissionFault } from './permission.ts'

/** Maximum length of a rule's expression, in characters. */
const LONGEST = 10_000

/**
 * Compiles an expression that must match a whole path. Uses the engine of `like` patterns, which runs in time linear in
 * the length of the path. Paths come from callers, and a backtracking engine would allow denial of service. The cost:
 * look-around is not supported.
 */
export function pathMatcher(expression: string): (path: string) => boolean {
  try {
    const pattern = parseKeywordPattern(expression, LONGEST)
    return patternMatcher({ ...pattern, anchoredStart: true, anchoredEnd: true })
  } catch (error) {
    if (error instanceof PatternFault) throw new PermissionFault(`the expression ${error.reason}`)
    throw error
  }
}

/** Escapes a text so that the expression matches exactly that text. */
export const literalExpression = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '\\$&')
