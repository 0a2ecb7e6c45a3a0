import { LRUCache } from 'lru-cache'
import { readAccess } from '../../access/access-texts.ts'
import { isWithin, narrowingOf, type Viewed } from '../../access/narrowing.ts'
import { mayRead } from '../../access/organisations.ts'
import { type CallerRights, explores } from '../../access/rights/caller-rights.ts'
import { CurrentRights } from '../../access/rights/current-rights.ts'
import { restoreAccess, type StoredAccess } from '../../access/rights/stored-access.ts'
import type { ReferenceStore } from '../../collections/store/reference-store.ts'
import type { Settings } from '../../config/settings.ts'
import { Problem } from '../../errors.ts'
import type { Access } from '../../query/access/access.ts'
import type { SubscriptionRecord } from '../record/subscription-record.ts'
import { triggerConditions } from '../trigger/trigger-conditions.ts'

interface SubscriptionRightsOptions {
  readonly settings: Settings
  readonly references: Pick<ReferenceStore, 'recent'>
  readonly now: () => number
  /** Called when a subscription is stopped and when it continues. */
  readonly warn: (details: object, message: string) => void
}

type Subject = Pick<SubscriptionRecord, 'id' | 'access'>

/** Milliseconds between checks of the key file for restored rights. Each match and each attempt checks too. */
const LOOK_MS = 1_000
/** Number of cached comparisons of rights. The least recently used are evicted. */
const MOST_KEPT = 5_000
/** Key for rights without a collection. Collection names are never empty. */
const NONE = ''

/**
 * Decides whether subscriptions may still act. A subscription keeps the view it was written with, as long as the rights
 * of its writer cover that view: a valid key, a rule for subscriptions and one for the collection, the organisation,
 * the columns and the documents. If the writer loses one of them, the subscription is stopped until the right returns
 * or the subscription is rewritten.
 */
export class SubscriptionRights {
  readonly #options: SubscriptionRightsOptions
  readonly #current: CurrentRights
  readonly #kept = new LRUCache<string, boolean>({ max: MOST_KEPT })
  /** Subscriptions refused at their last check, with the collections. */
  readonly #stopped = new Map<string, Set<string>>()
  readonly #listeners = new Set<(subscriptionId: string) => void>()
  #timer: NodeJS.Timeout | undefined

  constructor(options: SubscriptionRightsOptions) {
    const { settings, now, warn } = options
    this.#options = options
    this.#current = new CurrentRights({
      settings,
      now,
      onFault: (reason) => warn({ reason }, 'an invalid permission is ignored'),
    })
  }

  get stoppedCount(): number {
    return this.#stopped.size
  }

  /** Reloads rights that may have changed. */
  async refresh(): Promise<void> {
    if (await this.#current.refresh()) this.reconsider()
  }

  /** Notifies that rights or collections have changed, so stopped subscriptions may continue. */
  reconsider(): void {
    for (const id of this.#stopped.keys()) for (const listener of this.#listeners) listener(id)
  }

  /** Calls the listener for stopped subscriptions that may continue. */
  onReconsider(listener: (subscriptionId: string) => void): void {
    this.#listeners.add(listener)
  }

  /** A rewritten subscription may no longer be stopped. */
  rewritten({ id }: SubscriptionRecord): void {
    if (this.#stopped.delete(id)) for (const listener of this.#listeners) listener(id)
  }

  /** True if the subscription may report a collection, according to the last `refresh`. */
  grants(subject: Subject, collection: Viewed | undefined): boolean {
    const isGranted = this.#isGranted(subject, collection)
    this.#note(subject.id, collection?.collection_name ?? NONE, isGranted)
    return isGranted
  }

  /** Same with current rights. Called just before a notification is sent. */
  async mayTell(subject: Subject, collection: string): Promise<boolean> {
    await this.refresh()
    // If the collection no longer exists, only the writer's other rights are checked.
    return this.grants(subject, await this.#options.references.recent(collection))
  }

  /** True if it is stopped, entirely or for a collection its trigger names. */
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
      this.refresh().catch((error: unknown) => this.#options.warn({ err: error }, 'rights could not be read'))
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

  /** True if the writer may now see what the subscription shows of a collection. */
  #shows({ texts }: CallerRights, { writer: _writer, ...then }: StoredAccess, collection: Viewed): boolean {
    const { collection_name, params } = collection
    const key = JSON.stringify([texts, then, collection_name, params.organisations])
    const kept = this.#kept.get(key)
    if (kept !== undefined) return kept
    const { access } = this.#options.settings
    const now = readAccess(texts, { ...access, granted: true })
    const isShown = isWithinRights(restoreAccess(then, access), now, collection)
    this.#kept.set(key, isShown)
    return isShown
  }

  #note(id: string, collection: string, isGranted: boolean): void {
    const refused = this.#stopped.get(id)
    if (isGranted) {
      if (refused?.delete(collection) !== true || refused.size > 0) return
      this.#stopped.delete(id)
      this.#options.warn({ subscription: id }, 'a subscription is resumed: its writer has the rights again')
      return
    }
    if (refused !== undefined) {
      refused.add(collection)
      return
    }
    this.#stopped.set(id, new Set([collection]))
    this.#options.warn(
      { subscription: id },
      'a subscription is stopped: its writer has lost a right it was written with',
    )
  }
}

/** True if the writer could write the subscription now, on user or administrator paths. */
const maySubscribe = ({ allows }: CallerRights, id: string): boolean =>
  ['', 'admin/'].some(
    (side) =>
      allows('POST', `${side}subscriptions`) || allows('PUT', `${side}subscriptions/${id.replaceAll('/', '%2F')}`),
  )

/** An invalid filter grants nothing. */
function isWithinRights(then: Access, now: Access, collection: Viewed): boolean {
  if (!mayRead(collection.params.organisations, now)) return false
  try {
    return isWithin(narrowingOf(then, collection), narrowingOf(now, collection))
  } catch (error) {
    if (error instanceof Problem) return false
    throw error
  }
}
