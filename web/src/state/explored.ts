import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { CollectionDescription } from '../api/answers.ts'
import { type CollectionField, collectionName, fieldsOf } from '../api/collection-fields.ts'

/** The open collection, as needed by widgets. */
export interface Explored {
  readonly collection: string
  readonly name: string
  readonly fields: readonly CollectionField[]
  readonly paths: { readonly id: string; readonly geometry: string; readonly centroid: string; readonly time: string }
  readonly description: CollectionDescription
}

export function exploredOf(description: CollectionDescription): Explored {
  const { id_path, geometry_path, centroid_path, timestamp_path } = description.params
  return {
    collection: description.collection_name,
    name: collectionName(description),
    fields: fieldsOf(description),
    paths: { id: id_path, geometry: geometry_path, centroid: centroid_path, time: timestamp_path },
    description,
  }
}

export const ExploredContext = createContext<Explored | undefined>(undefined)

export function useExplored(): Explored {
  const explored = useContext(ExploredContext)
  if (explored === undefined) throw new Error('No collection is open')
  return explored
}

export const fieldName = ({ fields }: Explored, path: string): string =>
  fields.find((field) => field.path === path)?.name ?? path
