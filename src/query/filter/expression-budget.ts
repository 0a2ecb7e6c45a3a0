import type { Limits } from '../../config/settings.ts'
import { problem } from '../../errors.ts'
import { type UnionAllowance, unionAllowance } from '../../geo/polygon/polygon-union.ts'

/** What the filters of one request may still cost (spec 1.8). */
export interface ExpressionBudget {
  /** Takes values, range items and triplets from `limits.expressions`; LIMIT_EXCEEDED, naming `parameter`, beyond it. */
  spend(count: number, parameter: string): void
  /** Takes the work of a filter (`predicateCost`) from `limits.filterCost`, in the same way. */
  charge(cost: number, parameter: string): void
  /** Takes positions of geometries from `limits.filterVertices`, in the same way. */
  spendPositions(count: number, parameter: string): void
  readonly union: UnionAllowance
}

export function expressionBudget(
  limits: Pick<Limits, 'expressions' | 'filterCost' | 'filterVertices' | 'crossings'>,
): ExpressionBudget {
  let left = limits.expressions
  let work = limits.filterCost
  let positions = limits.filterVertices
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
    spendPositions(count, parameter) {
      positions -= count
      if (positions >= 0) return
      throw problem('LIMIT_EXCEEDED', {
        parameter,
        reason: `brings the positions of the geometries of the request over ${limits.filterVertices}; draw them with fewer`,
        setting: 'limits.filterVertices',
      })
    },
    union: unionAllowance(limits.crossings),
  }
}
