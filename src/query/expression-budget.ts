import type { Limits } from '../config/settings.ts'
import { problem } from '../errors.ts'

/** Counts the values, range items and triplets of one request against `limits.expressions` (spec 1.8). */
export interface ExpressionBudget {
  /** Takes `count` from what is left; LIMIT_EXCEEDED, naming `parameter`, when that is too much. */
  spend(count: number, parameter: string): void
}

export function expressionBudget(limits: Pick<Limits, 'expressions'>): ExpressionBudget {
  let left = limits.expressions
  return {
    spend(count, parameter) {
      left -= count
      if (left >= 0) return
      throw problem('LIMIT_EXCEEDED', {
        parameter,
        reason: `brings the values, ranges and expressions of the request over ${limits.expressions}; send fewer of them`,
        setting: 'limits.expressions',
      })
    },
  }
}
