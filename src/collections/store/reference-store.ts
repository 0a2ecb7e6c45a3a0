import type { CollectionReference } from '../../model/collection.ts'

/** Storage of collection references, separate from the documents. */
export interface ReferenceStore {
  /** In creation order. Replacing a reference keeps its position. */
  list(): Promise<readonly CollectionReference[]>
  get(name: string): Promise<CollectionReference | undefined>
  /** Like `get`, for reads: recent changes made by another server may be missing. */
  recent(name: string): Promise<CollectionReference | undefined>
  /** Stores all references or none. Durable when the promise resolves. */
  putAll(references: readonly CollectionReference[]): Promise<void>
  /** Returns false if it did not exist. Durable when the promise resolves. */
  delete(name: string): Promise<boolean>
  close(): Promise<void>
}
