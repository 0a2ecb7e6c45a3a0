import type { Field } from '../schema/field.ts'
import type { Predicate, Scalar } from './predicate.ts'

/** The documents of an operation; plans add what to compute from them. */
export interface Selection {
  /** Names of existing indices, in name order; never a pattern. */
  readonly indices: readonly string[]
  readonly predicate: Predicate
}

export type SortKey =
  /**
   * Missing values last in both directions. Of several values the smallest counts ascending, the largest descending.
   */
  | { readonly kind: 'field'; readonly field: Field; readonly descending: boolean }
  /** Distance to a point from a GEO_POINT, or from the planar centroid of a GEO_SHAPE; missing values last. */
  | {
      readonly kind: 'distance'
      readonly field: Field
      readonly lon: number
      readonly lat: number
      readonly descending: boolean
    }

export type FieldSortKey = Extract<SortKey, { kind: 'field' }>

/** A position in the order of `sort`: one value per sort key, null for a missing one. */
export interface Cursor {
  readonly direction: 'after' | 'before'
  readonly values: readonly (Scalar | null)[]
}

export interface SearchPlan extends Selection {
  /** Ends with the id field, so the order is total. Without that, documents that tie are in the order of storage. */
  readonly sort: readonly SortKey[]
  readonly size: number
  readonly from: number
  readonly cursor?: Cursor
  /** False if the caller does not need the total. */
  readonly wantsTotal: boolean
  /** True if the hits must have their identifiers. */
  readonly wantsIds?: true
}
