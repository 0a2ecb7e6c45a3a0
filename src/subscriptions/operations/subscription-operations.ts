import { randomUUID } from 'node:crypto'
import { isAsWide, restoreAccess, type StoredAccess } from '../../access/rights/stored-access.ts'
import type { CollectionSources } from '../../collections/open-collection.ts'
import { createWriteQueue, type WriteQueue } from '../../collections/write-queue.ts'
import type { Settings } from '../../config/settings.ts'
import { problem } from '../../errors.ts'
import type { Access } from '../../query/access/access.ts'
import { type CheckedSubscription, subscriptionCheck } from '../check/check-subscription.ts'
import { checkTriggerCollections } from '../check/check-trigger-collections.ts'
import type { Deliveries } from '../delivery/create-delivery.ts'
import { firstSecret } from '../delivery/webhook-secret.ts'
import type { SecretStore } from '../record/secret-store.ts'
import type { SubscriptionRecord } from '../record/subscription-record.ts'
import type { SubscriptionFilter, SubscriptionPage, SubscriptionStore } from '../record/subscription-store.ts'
import {
  checkOwner,
  readableSubscription,
  type Side,
  type SubscriptionCaller,
  subscriptionNotFound,
} from '../rights/subscription-caller.ts'

/** The caller and the paths it uses. */
export interface Asker {
  readonly caller: SubscriptionCaller
  readonly side: Side
}

/** A caller that writes. Its view is stored with the subscription. */
export interface Writer extends Asker {
  readonly access: Access
  readonly stored: StoredAccess
  readonly signal?: AbortSignal
}

/** Filter and page of a list. */
export interface ListRequest {
  readonly filter: Omit<SubscriptionFilter, 'now'>
  readonly page: number
  readonly size: number
}

/** Operations on subscriptions (spec 2.5, 2.6). Bodies arrive as parsed JSON and are validated here. */
export interface SubscriptionOperations {
  create(body: unknown, writer: Writer): Promise<SubscriptionRecord>
  replace(id: string, body: unknown, writer: Writer): Promise<SubscriptionRecord>
  /** Marks it as deleted. Nothing is sent for it after the promise resolves. */
  delete(id: string, asker: Asker): Promise<SubscriptionRecord>
  /** With `deleted` false, a deleted one is not found, on administrator paths too. */
  get(id: string, asker: Asker, deleted?: boolean): Promise<SubscriptionRecord>
  list(request: ListRequest, asker: Asker): Promise<SubscriptionPage>
}

interface SubscriptionOperationsOptions {
  readonly notifications: {
    readonly subscriptions: SubscriptionStore
    readonly secrets: SecretStore
    readonly dispatcher: Deliveries
  }
  readonly sources: CollectionSources
  readonly settings: Settings
  /** Milliseconds. */
  readonly now: () => number
}

export function createSubscriptionOperations(options: SubscriptionOperationsOptions): SubscriptionOperations {
  const { notifications, sources, settings, now } = options
  const { subscriptions: store, secrets, dispatcher } = notifications
  const { quota } = settings.subscriptions
  const check = subscriptionCheck(settings)
  const queues = new OwnerQueues()
  const seconds = (): number => Math.floor(now() / 1000)

  const checkCollections = (checked: CheckedSubscription, { side, signal }: Writer, access: Access): Promise<void> =>
    checkTriggerCollections(checked, { sources, limits: settings.limits, side, access, now: now(), signal })

  const insert = async ({ content }: CheckedSubscription, { side, stored }: Writer): Promise<SubscriptionRecord> => {
    const id = randomUUID()
    const created_at = seconds()
    // Stored before the subscription, because its first notification must be signed.
    await secrets.put(id, firstSecret(created_at))
    return store.insert({
      ...content,
      id,
      created_at,
      modified_at: created_at,
      created_by_admin: side === 'administrator',
      deleted: false,
      access: stored,
    })
  }

  const insertWithin = async (checked: CheckedSubscription, writer: Writer): Promise<SubscriptionRecord> => {
    const { created_by } = checked.content
    if (writer.side === 'administrator' || quota === 0) return insert(checked, writer)
    return queues.inTurn(created_by, async () => {
      if ((await store.countOf(created_by)) >= quota) throw overQuota(quota)
      return insert(checked, writer)
    })
  }

  return {
    create: async (body, writer) => {
      const checked = check(body, writer.access, now())
      if (writer.side === 'user') checkCreator(checked, writer.caller)
      await checkCollections(checked, writer, writer.access)
      return insertWithin(checked, writer)
    },

    replace: async (id, body, writer) => {
      const { side, caller, stored } = writer
      const checked = check(body, writer.access, now())
      const mayReplace = (current: SubscriptionRecord | undefined): SubscriptionRecord => {
        if (current === undefined || current.deleted) throw subscriptionNotFound(id)
        if (side === 'user') {
          checkOwner(current, caller)
          checkCreator(checked, caller, current)
        }
        return current
      }
      const before = mayReplace(await store.get(id))
      // An administrator changes the content of a subscription, not the view of its creator.
      const access = side === 'user' ? writer.access : restoreAccess(before.access, settings.access)
      await checkCollections(checked, writer, access)
      // Deliveries made for a wider view must not be sent under the narrower one.
      const isNarrower = side === 'user' && !isAsWide(stored, before.access)
      if (isNarrower) await dispatcher.cancel(id)
      const narrowedAt = ({ narrowedAt: earlier }: StoredAccess): StoredAccess => {
        const at = isNarrower ? seconds() : earlier
        return at === undefined ? {} : { narrowedAt: at }
      }
      const written = await store.change(id, (current) => {
        const { disabled, ...rest } = mayReplace(current)
        const { content } = checked
        return {
          ...rest,
          ...content,
          modified_at: seconds(),
          ...(side === 'user' ? { access: { ...stored, ...narrowedAt(rest.access) } } : {}),
          ...(disabled === undefined || content.active ? {} : { disabled }),
        }
      })
      if (written === undefined) throw subscriptionNotFound(id)
      // Again, because deliveries may have been created meanwhile.
      if (isNarrower) await dispatcher.cancel(id)
      if (written.active) dispatcher.wake()
      return written
    },

    delete: async (id, { caller, side }) => {
      const written = await store.change(id, (current) => {
        if (side === 'user') checkOwner(current, caller)
        return current.deleted ? undefined : { ...current, deleted: true }
      })
      if (written === undefined) throw subscriptionNotFound(id)
      await dispatcher.cancel(id)
      return written
    },

    get: async (id, { caller, side }, deleted) => {
      const found = await readableSubscription(store, id, caller, side)
      if (found.deleted && deleted === false) throw subscriptionNotFound(id)
      return found
    },

    list: ({ filter, page, size }, { caller, side }) => {
      const own =
        side === 'user' ? { deleted: false, ...(caller.kind === 'user' ? { createdBy: caller.user } : {}) } : {}
      return store.list({ ...filter, ...own, now: seconds() }, (page - 1) * size, size)
    },
  }
}

/** Users write under their own name. Without identities, a subscription keeps its owner. */
function checkCreator(
  { content }: CheckedSubscription,
  caller: SubscriptionCaller,
  current?: SubscriptionRecord,
): void {
  const owner = caller.kind === 'user' ? caller.user : current?.created_by
  if (owner === undefined || content.created_by === owner) return
  throw problem('FORBIDDEN', { reason: 'created_by must be the caller and must not change' })
}

const overQuota = (quota: number) =>
  problem('LIMIT_EXCEEDED', {
    parameter: 'created_by',
    reason: `must not have more than ${quota} subscriptions; delete one first`,
    setting: 'subscriptions.quota',
  })

/** A queue per owner, so that counting and inserting are atomic and owners do not wait for each other. */
class OwnerQueues {
  readonly #queues = new Map<string, { readonly queue: WriteQueue; waiting: number }>()

  async inTurn<T>(owner: string, work: () => Promise<T>): Promise<T> {
    const line = this.#queues.get(owner) ?? { queue: createWriteQueue(), waiting: 0 }
    this.#queues.set(owner, line)
    line.waiting += 1
    try {
      return await line.queue(work)
    } finally {
      line.waiting -= 1
      if (line.waiting === 0) this.#queues.delete(owner)
    }
  }
}
