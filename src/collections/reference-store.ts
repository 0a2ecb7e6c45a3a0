import type { CollectionReference } from '../model/collection.ts'

/** Where collection references live, apart from the documents. */
export interface ReferenceStore {
  /** In the order of creation; replacing a reference keeps its place. */
  list(): Promise<readonly CollectionReference[]>
  get(name: string): Promise<CollectionReference | undefined>
  /** The same for a question: a change that another server has made may be missing for a moment. */
  recent(name: string): Promise<CollectionReference | undefined>
  /** All of them or none; durable when the promise resolves. */
  putAll(references: readonly CollectionReference[]): Promise<void>
  /** False when there was none. Durable when the promise resolves. */
  delete(name: string): Promise<boolean>
  close(): Promise<void>
}
