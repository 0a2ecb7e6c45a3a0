import type { AggregationPlan, MeasurePlan, SuggestPlan } from '../query/plan/aggregation-plan.ts'
import type { SearchPlan, Selection } from '../query/plan/plan.ts'

/** A read of an engine, by its method. */
export type EngineRead =
  | { readonly method: 'search'; readonly plan: SearchPlan }
  | { readonly method: 'count' | 'scan'; readonly plan: Selection }
  | { readonly method: 'aggregate'; readonly plan: AggregationPlan }
  | { readonly method: 'measure'; readonly plan: MeasurePlan }
  | { readonly method: 'suggest'; readonly plan: SuggestPlan }

/** How an engine answers a read. */
export interface ReadExplanation {
  /** The path that the engine takes. */
  readonly path: string
  /** Why it does not take a faster one. */
  readonly reason?: string
  readonly segments: number
  readonly tails: number
  /** Documents of the indices, including those that were deleted but are still stored. */
  readonly rows: number
  /** Upper bound of the rows that are looked at, if the path tells. */
  readonly examined?: number
}
