import type { Filter } from '../../model/filter.ts'
import type { FieldPatterns } from './field-pattern.ts'
import type { Schema } from './schema.ts'
import type { VisibleColumns } from './visible-columns.ts'

/** What the query code needs of an opened collection. */
export interface CollectionView {
  readonly reference: {
    readonly collection_name: string
    readonly params: CollectionPaths & { readonly filter?: Filter | undefined }
  }
  /** The fields visible to the caller. */
  readonly schema: Schema
  /** All fields, for filters the caller did not send. */
  readonly wholeSchema?: Schema
  /** Fields that are never returned. */
  readonly hidden: FieldPatterns
  /** Only those of exclude_fields, for filters the caller did not send. */
  readonly excluded?: FieldPatterns
  /** Columns the caller may name; absent: all. */
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

/** Name of the collection in messages. */
export const ownerOf = (view: CollectionView): string => `collection ${view.reference.collection_name}`
