import type { Limits } from '../config/settings.ts'
import { problem } from '../errors.ts'

/** Bounds the filters of one request: `limits.expressions` by their number (spec 1.8), `limits.filterCost` by their work. */
export interface ExpressionBudget {
  /** Takes `count` from what is left; LIMIT_EXCEEDED, naming `parameter`, when that is too much. */
  spend(count: number, parameter: string): void
  /** Takes the work of a filter (`predicateCost`) from `limits.filterCost`. */
  charge(cost: number, parameter: string): void
}

export function expressionBudget(limits: Pick<Limits, 'expressions' | 'filterCost'>): ExpressionBudget {
  let left = limits.expressions
  let work = limits.filterCost
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
    charge(cost, parameter) {
      work -= cost
      if (work >= 0) return
      throw problem('LIMIT_EXCEEDED', {
        parameter,
        reason: 'brings the filters of the request over the work they may cause; send fewer ranges, words and patterns',
        setting: 'limits.filterCost',
      })
    },
  }
}
