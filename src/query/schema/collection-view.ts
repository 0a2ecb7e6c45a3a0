import type { Filter } from '../../model/filter.ts'
import type { FieldPatterns } from './field-pattern.ts'
import type { Schema } from './schema.ts'
import type { VisibleColumns } from './visible-columns.ts'

/** What the query core needs of an opened collection. */
export interface CollectionView {
  readonly reference: {
    readonly collection_name: string
    readonly params: CollectionPaths & { readonly filter?: Filter | undefined }
  }
  /** The fields the caller may see. */
  readonly schema: Schema
  /** All fields, for filters that are not the caller's. */
  readonly wholeSchema?: Schema
  /** Fields that are never shown. */
  readonly hidden: FieldPatterns
  /** Those of exclude_fields alone, for filters that are not the caller's. */
  readonly excluded?: FieldPatterns
  /** What the caller may name; absent: everything. */
  readonly columns?: VisibleColumns
}

export interface CollectionPaths {
  readonly id_path: string
  readonly geometry_path: string
  readonly centroid_path: string
  readonly timestamp_path: string
}

/** The four paths every returned document keeps (spec 5.3.2). */
export function mandatoryPaths({ reference: { params } }: CollectionView): readonly string[] {
  return [params.id_path, params.geometry_path, params.centroid_path, params.timestamp_path]
}

/** How messages name the collection. */
export const ownerOf = (view: CollectionView): string => `collection ${view.reference.collection_name}`
