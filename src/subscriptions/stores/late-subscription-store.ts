import type { SubscriptionRecord } from '../record/subscription-record.ts'
import type { SubscriptionStore } from '../record/subscription-store.ts'

/** A store that is opened when it is first needed, and again when that failed: a cluster may be away at the start. */
export function lateSubscriptionStore(open: () => Promise<SubscriptionStore>): SubscriptionStore {
  const listeners = new Set<(subscription: SubscriptionRecord) => void>()
  let opened: SubscriptionStore | undefined
  let opening: Promise<SubscriptionStore> | undefined
  const store = (): Promise<SubscriptionStore> => {
    opening ??= open().then(
      (found) => {
        found.onChange((subscription) => {
          for (const listener of listeners) listener(subscription)
        })
        opened = found
        return found
      },
      (error: unknown) => {
        opening = undefined
        throw error
      },
    )
    return opening
  }
  return {
    insert: async (subscription) => (await store()).insert(subscription),
    get: async (id) => (await store()).get(id),
    change: async (id, change) => (await store()).change(id, change),
    list: async (filter, from, size) => (await store()).list(filter, from, size),
    countOf: async (createdBy) => (await store()).countOf(createdBy),
    // Whoever accepts an event has caught up before.
    lastSeq: () => opened?.lastSeq() ?? 0,
    async *readAll() {
      yield* (await store()).readAll()
    },
    onChange: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    catchUp: async () => (await store()).catchUp(),
    close: async () => {
      listeners.clear()
      await opened?.close()
    },
  }
}
