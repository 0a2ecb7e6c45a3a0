import type { Limits } from '../../config/settings.ts'
import { problem } from '../../errors.ts'
import { type UnionAllowance, unionAllowance } from '../../geo/polygon/polygon-union.ts'

/** Remaining budget for the filters of one request (spec 1.8). */
export interface ExpressionBudget {
  /** Spends values, range items and triplets of `limits.expressions`. Throws LIMIT_EXCEEDED, naming `parameter`. */
  spend(count: number, parameter: string): void
  /** Spends the cost of a filter (`predicateCost`) of `limits.filterCost`, in the same way. */
  charge(cost: number, parameter: string): void
  /** Spends positions of geometries of `limits.filterVertices`, in the same way. */
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
        reason: `makes the number of values, ranges and expressions in the request exceed ${limits.expressions}; send fewer`,
        setting: 'limits.expressions',
      })
    },
    charge(cost, parameter) {
      work -= cost
      if (work >= 0) return
      throw problem('LIMIT_EXCEEDED', {
        parameter,
        reason: `makes the cost of the filters in the request exceed ${limits.filterCost}; send fewer ranges, words and patterns`,
        setting: 'limits.filterCost',
      })
    },
    spendPositions(count, parameter) {
      positions -= count
      if (positions >= 0) return
      throw problem('LIMIT_EXCEEDED', {
        parameter,
        reason: `makes the number of positions in the geometries of the request exceed ${limits.filterVertices}; simplify them`,
        setting: 'limits.filterVertices',
      })
    },
    union: unionAllowance(limits.crossings),
  }
}
