import { readAccess } from '../../access/access-texts.ts'
import { type CallerRights, explores } from '../../access/caller-rights.ts'
import { CurrentRights } from '../../access/current-rights.ts'
import { isWithin, narrowingOf, type Viewed } from '../../access/narrowing.ts'
import { mayRead } from '../../access/organisations.ts'
import { restoreAccess, type StoredAccess } from '../../access/stored-access.ts'
import type { ReferenceStore } from '../../collections/reference-store.ts'
import type { Settings } from '../../config/settings.ts'
import { Problem } from '../../errors.ts'
import type { Access } from '../../query/access/access.ts'
import type { SubscriptionRecord } from '../record/subscription-record.ts'
import { triggerConditions } from '../trigger/trigger-conditions.ts'
import { BoundedCache } from '../watched/bounded-cache.ts'

export interface SubscriptionRightsOptions {
  readonly settings: Settings
  readonly references: Pick<ReferenceStore, 'recent'>
  readonly now: () => number
  /** Told when a subscription is stopped, and when it goes on. */
  readonly warn: (details: object, message: string) => void
}

type Subject = Pick<SubscriptionRecord, 'id' | 'access'>

/** How often the file of keys is looked at for rights that returned; each match and attempt looks by itself. */
const LOOK_MS = 1_000
const MOST_KEPT = 5_000
/** Stands for no collection: no name is empty. */
const NONE = ''

/**
 * Whether subscriptions may still act. They have the view they were written with, as long as their writer has rights that
 * show all of it: a key that counts, a rule for subscriptions and one for the collection, the organisation, the columns
 * and the documents. A subscription whose writer has lost one of them is stopped until it returns, or until the
 * subscription is written anew.
 */
export class SubscriptionRights {
  readonly #options: SubscriptionRightsOptions
  readonly #current: CurrentRights
  readonly #kept = new BoundedCache<string, boolean>(MOST_KEPT)
  /** Those that were refused when they were last looked at, with the collections. */
  readonly #stopped = new Map<string, Set<string>>()
  readonly #listeners = new Set<(subscriptionId: string) => void>()
  #timer: NodeJS.Timeout | undefined

  constructor(options: SubscriptionRightsOptions) {
    const { settings, now, warn } = options
    this.#options = options
    this.#current = new CurrentRights({ settings, now, onFault: (reason) => warn({ reason }, 'a right is ignored') })
  }

  get stoppedCount(): number {
    return this.#stopped.size
  }

  /** Reads what may have changed about rights. */
  async refresh(): Promise<void> {
    if (await this.#current.refresh()) this.reconsider()
  }

  /** Something about rights or collections has changed: those that are stopped may go on. */
  reconsider(): void {
    for (const id of this.#stopped.keys()) for (const listener of this.#listeners) listener(id)
  }

  /** Tells of subscriptions that are stopped and may go on now. */
  onReconsider(listener: (subscriptionId: string) => void): void {
    this.#listeners.add(listener)
  }

  /** A subscription was written: what stopped it may be over. */
  rewritten({ id }: SubscriptionRecord): void {
    if (this.#stopped.delete(id)) for (const listener of this.#listeners) listener(id)
  }

  /** Whether it may tell of a collection that it was written to tell of, by what was read last. */
  grants(subject: Subject, collection: Viewed | undefined): boolean {
    const isGranted = this.#isGranted(subject, collection)
    this.#note(subject.id, collection?.collection_name ?? NONE, isGranted)
    return isGranted
  }

  /** The same by what is true now, just before something of the collection is sent. */
  async mayTell(subject: Subject, collection: string): Promise<boolean> {
    await this.refresh()
    // Of a collection that is gone, only what is left of the writer's other rights counts.
    return this.grants(subject, await this.#options.references.recent(collection))
  }

  /** Whether it is stopped, altogether or for a collection its trigger names. */
  async isStopped(record: SubscriptionRecord): Promise<boolean> {
    await this.refresh()
    if (!this.#isGranted(record, undefined)) return true
    const { keys } = this.#options.settings.subscriptions.trigger
    for (const name of triggerConditions(record.subscription.trigger, keys).collections ?? []) {
      const reference = await this.#options.references.recent(name)
      if (reference !== undefined && !this.#isGranted(record, reference)) return true
    }
    return this.#stopped.has(record.id)
  }

  start(): void {
    this.#timer ??= setInterval(() => {
      this.refresh().catch((error: unknown) => this.#options.warn({ err: error }, 'rights could not be looked at'))
    }, LOOK_MS).unref()
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #isGranted({ id, access }: Subject, collection: Viewed | undefined): boolean {
    const rights = this.#current.of(access.writer)
    if (rights === 'unknown') return true
    if (rights === undefined || !maySubscribe(rights, id)) return false
    if (collection === undefined) return true
    return explores(rights.allows, collection.collection_name) && this.#shows(rights, access, collection)
  }

  /** Whether the writer may see now what the subscription shows of a collection. */
  #shows({ texts }: CallerRights, { writer: _writer, ...then }: StoredAccess, collection: Viewed): boolean {
    const { collection_name, params } = collection
    const key = JSON.stringify([texts, then, collection_name, params.organisations])
    return this.#kept.get(key, () => {
      const { access } = this.#options.settings
      return isWithinRights(restoreAccess(then, access), readAccess(texts, { ...access, granted: true }), collection)
    })
  }

  #note(id: string, collection: string, isGranted: boolean): void {
    const refused = this.#stopped.get(id)
    if (isGranted) {
      if (refused?.delete(collection) !== true || refused.size > 0) return
      this.#stopped.delete(id)
      this.#options.warn({ subscription: id }, 'a subscription goes on: its writer has the rights again')
      return
    }
    if (refused !== undefined) {
      refused.add(collection)
      return
    }
    this.#stopped.set(id, new Set([collection]))
    this.#options.warn({ subscription: id }, 'a subscription is stopped: its writer lacks a right it was written with')
  }
}

/** Whether the writer could write it now, on either side. */
const maySubscribe = ({ allows }: CallerRights, id: string): boolean =>
  ['', 'admin/'].some(
    (side) =>
      allows('POST', `${side}subscriptions`) || allows('PUT', `${side}subscriptions/${id.replaceAll('/', '%2F')}`),
  )

/** What cannot be read shows nothing. */
function isWithinRights(then: Access, now: Access, collection: Viewed): boolean {
  if (!mayRead(collection.params.organisations, now)) return false
  try {
    return isWithin(narrowingOf(then, collection), narrowingOf(now, collection))
  } catch (error) {
    if (error instanceof Problem) return false
    throw error
  }
}
