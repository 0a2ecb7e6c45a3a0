import type { Filter } from '../model/filter.ts'
import type { FieldPatterns } from './field-pattern.ts'
import type { Schema } from './schema.ts'

/** What the query core needs of an opened collection. */
export interface CollectionView {
  readonly reference: {
    readonly collection_name: string
    readonly params: CollectionPaths & { readonly filter?: Filter | undefined }
  }
  readonly schema: Schema
  /** The collection's exclude_fields. */
  readonly hidden: FieldPatterns
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
