import type { CollectionReference } from '../../model/collection.ts'
import type { ReferenceStore } from './reference-store.ts'

/** A reference store that notifies when this process may have changed references, before the change is acknowledged. */
interface WatchedReferenceStore extends ReferenceStore {
  onWrite(listener: () => void): () => void
}

export function watchReferences(store: ReferenceStore): WatchedReferenceStore {
  const listeners = new Set<() => void>()
  /** Notifies before and after the write, because a concurrent read may return either state. */
  const telling = async <T>(write: () => Promise<T>): Promise<T> => {
    for (const listener of listeners) listener()
    try {
      return await write()
    } finally {
      for (const listener of listeners) listener()
    }
  }
  return {
    list: () => store.list(),
    get: (name: string) => store.get(name),
    recent: (name: string) => store.recent(name),
    putAll: (references: readonly CollectionReference[]) => telling(() => store.putAll(references)),
    delete: (name: string) => telling(() => store.delete(name)),
    close: () => store.close(),
    onWrite: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
