import type { Field } from '../schema/field.ts'
import type { Predicate, Scalar } from './predicate.ts'

/** Which documents of which indices; what an engine is asked beside it follows from the operation. */
export interface Selection {
  /** Names of existing indices, in name order; never a pattern. */
  readonly indices: readonly string[]
  readonly predicate: Predicate
}

export type SortKey =
  /** Missing values last in both directions; several values: the smallest ascending, the largest descending. */
  | { readonly kind: 'field'; readonly field: Field; readonly descending: boolean }
  /** Distance of a GEO_POINT, or of the planar centroid of a GEO_SHAPE, to a point; missing last. */
  | {
      readonly kind: 'distance'
      readonly field: Field
      readonly lon: number
      readonly lat: number
      readonly descending: boolean
    }

export type FieldSortKey = Extract<SortKey, { kind: 'field' }>

/** A place in the order of `sort`: one value per sort key, null for a missing one. */
export interface Cursor {
  readonly direction: 'after' | 'before'
  readonly values: readonly (Scalar | null)[]
}

export interface SearchPlan extends Selection {
  /** Ends with the id field, so the order is total. */
  readonly sort: readonly SortKey[]
  readonly size: number
  readonly from: number
  readonly cursor?: Cursor
  /** False when the caller does not read the total. */
  readonly wantsTotal: boolean
}
