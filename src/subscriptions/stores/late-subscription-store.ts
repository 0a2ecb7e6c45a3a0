import type { SubscriptionRecord } from '../record/subscription-record.ts'
import type { SubscriptionStore } from '../record/subscription-store.ts'

/** A store that opens on first use and retries after a failure, because a cluster may be down at the start. */
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
    // Callers that accept an event have called `catchUp` before, so the store is open.
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
