import { setTimeout as delay } from 'node:timers/promises'
import type { ReferenceStore } from '../../collections/store/reference-store.ts'
import { milliseconds } from '../../config/duration.ts'
import type { Settings } from '../../config/settings.ts'
import type { Engine } from '../../engine/engine.ts'
import { nearestDouble } from '../../model/json/exact-integer.ts'
import { ChangeIntake } from '../events/change-intake.ts'
import { changeInterest } from '../events/change-interest.ts'
import { EventFigures } from '../events/event-figures.ts'
import { PostedEvents } from '../events/event-intake.ts'
import { IndexOwners } from '../events/index-owners.ts'
import type { DeliveryChannel } from '../record/delivery-record.ts'
import type { DeliveryStore } from '../record/delivery-store.ts'
import type { EventStore } from '../record/event-store.ts'
import type { SubscriptionStore } from '../record/subscription-store.ts'
import type { SubscriptionRights } from '../rights/subscription-rights.ts'
import { MatcherIndex } from '../watched/matcher-index.ts'
import { WatchedCollections } from '../watched/watched-collections.ts'
import { MatchLoop } from './match-loop.ts'
import { Matcher } from './matcher.ts'

/** Held by the one server that matches, where several share the stores. */
interface MatchingLeadership {
  /** Aborts when another server has taken over. */
  readonly lost: AbortSignal
  release(): Promise<void>
}

export interface MatchingOptions {
  readonly settings: Settings
  readonly engine: Engine
  /** With `onWrite` (`watched-reference-store.ts`) stale information about collections is rare. */
  readonly references: ReferenceStore & { onWrite?(listener: () => void): () => void }
  readonly subscriptions: SubscriptionStore
  readonly events: EventStore
  readonly deliveries: Pick<DeliveryStore, 'pendingCount'>
  readonly rights?: SubscriptionRights
  /** Public URL of the server, without trailing slash. */
  readonly base: string
  /** For servers that share the stores: resolves when this server becomes the one that matches. */
  readonly lead?: (signal: AbortSignal) => Promise<MatchingLeadership>
  readonly onFault: (error: unknown) => void
  readonly now?: () => number
}

/** Watches events and matches them with subscriptions. */
export interface Matching {
  readonly intake: PostedEvents
  /** False while subscriptions are being loaded. */
  isReady(): boolean
  /** Loads the subscriptions without matching, so that writers know which changes matter. */
  prepare(): Promise<void>
  start(): void
  /** Waits for work in progress. */
  stop(): Promise<void>
  readonly figures: MatchingFigures
}

/**
 * Metrics of events: `periplus_events_total`, `periplus_events_backlog`, `periplus_match_seconds` and
 * `periplus_subscriptions_indexed`.
 */
export interface MatchingFigures {
  readonly events: EventFigures
  backlog(): Promise<number>
  indexed(): number
}

/** Milliseconds between cleanups of old events and expired subscriptions. */
const CLEANING_MS = 60_000
/** Milliseconds before a retry after an error. */
const PAUSE_MS = 1_000
/** Milliseconds between polls for changes of other servers that share the stores. */
const POLL_MS = 500
/** Milliseconds the mapping of indices to collections is cached. */
const OWNERS_MS = 5_000
/** Milliseconds. Margin for clock differences, and for the time between acceptance and discovery of a change. */
const SLACK_MS = 3_600_000

const CHANNELS: Readonly<Record<Settings['delivery']['mode'], readonly DeliveryChannel[]>> = {
  webhook: ['webhook'],
  kafka: ['kafka'],
  both: ['webhook', 'kafka'],
}

export function createMatching(options: MatchingOptions): Matching {
  return new RunningMatching(options)
}

class RunningMatching implements Matching {
  readonly intake: PostedEvents
  readonly figures: MatchingFigures
  readonly #options: MatchingOptions
  readonly #index: MatcherIndex
  readonly #loop: MatchLoop
  readonly #changes: ChangeIntake | undefined
  readonly #owners: IndexOwners
  readonly #stopping = new AbortController()
  readonly #running: Promise<void>[] = []
  readonly #stopListening: (() => void)[] = []
  readonly #now: () => number
  #isLoaded = false
  #loading: Promise<void> | undefined
  #hasChanges: (() => void) | undefined
  #cleanedMs = 0
  #drainedSince: number | undefined

  constructor(options: MatchingOptions) {
    const { settings, engine, references, subscriptions, events, rights, base, now = Date.now } = options
    const { limits, delivery, access } = settings
    this.#options = options
    this.#now = now
    const figures = new EventFigures()
    this.#index = new MatcherIndex(settings.subscriptions.trigger.keys)
    const { checkOrganisations } = access
    const collections = new WatchedCollections({ references, engine, limits, checkOrganisations })
    const index = this.#index
    this.#owners = new IndexOwners({ references, engine, keepMs: OWNERS_MS, now, onFault: options.onFault })
    const onAccepted = (): void => this.#loop.wake()
    this.intake = new PostedEvents({
      events,
      subscriptions,
      references,
      settings: settings.events,
      figures,
      now,
      onAccepted,
    })
    const { maxPayload, maxPending, mode } = delivery
    this.#loop = new MatchLoop({
      events,
      subscriptions,
      deliveries: options.deliveries,
      matcher: new Matcher({
        ...{ index, collections, engine, channels: CHANNELS[mode], maxPayload, base, now },
        ...(rights === undefined ? {} : { rights }),
      }),
      figures,
      maxPending,
      ...(options.lead === undefined ? {} : { pollMs: POLL_MS }),
      now,
      onBatch: (isDrained) => this.#noteDrained(isDrained),
    })
    const { changes } = engine
    if (changes !== undefined && (settings.events.fromLoads || settings.events.fromTags)) {
      const owners = this.#owners
      this.#changes = new ChangeIntake({
        ...{ changes, events, index, owners, collections, limits, figures, onAccepted },
        settings: settings.events,
      })
      changes.watch(changeInterest({ index, owners, subscriptions, isLoaded: () => this.#isLoaded }))
      this.#stopListening.push(changes.onChanges(() => this.#hasChanges?.()))
    }
    this.#stopListening.push(subscriptions.onChange((subscription) => index.set(subscription)))
    this.figures = { events: figures, backlog: () => events.backlog(), indexed: () => index.size }
  }

  isReady(): boolean {
    return this.#isLoaded
  }

  async prepare(): Promise<void> {
    if (this.#isLoaded) return
    this.#loading ??= this.#load().finally(() => {
      this.#loading = undefined
    })
    await this.#loading
  }

  start(): void {
    const { signal } = this.#stopping
    this.#running.push(this.#supervise(() => this.#work(signal)))
    // Writers of this server must know subscriptions accepted by other servers, even if another one matches.
    if (this.#options.lead !== undefined) this.#running.push(this.#supervise(() => this.#follow(signal)))
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    for (const stop of this.#stopListening) stop()
    this.#owners.close()
    await Promise.all(this.#running)
  }

  /** Restarts `work` after errors, until it is stopped. */
  async #supervise(work: () => Promise<void>): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      try {
        await work()
      } catch (error) {
        if (signal.aborted) return
        this.#options.onFault(error)
        await delay(PAUSE_MS, undefined, { signal, ref: false }).catch(() => undefined)
      }
    }
  }

  async #work(stopping: AbortSignal): Promise<void> {
    await this.prepare()
    const led = await this.#options.lead?.(stopping)
    const failing = new AbortController()
    const signal = AbortSignal.any([stopping, failing.signal, ...(led === undefined ? [] : [led.lost])])
    const parts = [this.#loop.run(signal), this.#takeChanges(signal), this.#clean(signal)]
    try {
      // An error in one part stops the others, and all restart together.
      await Promise.all(parts.map((part) => part.finally(() => failing.abort())))
    } catch (error) {
      if (!stopping.aborted && led?.lost.aborted !== true) throw error
    } finally {
      await Promise.allSettled(parts)
      await led?.release()
    }
  }

  async #follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#options.subscriptions.catchUp()
      await delay(POLL_MS, undefined, { signal, ref: false }).catch(() => undefined)
    }
  }

  /** Skips subscriptions that expired before the oldest waiting event or change was accepted. */
  async #load(): Promise<void> {
    const { events, engine, subscriptions } = this.#options
    const [event] = await events.pending(0, 1)
    const [change] = (await engine.changes?.read(0, 1)) ?? []
    const oldest = Math.min(event?.acceptedMs ?? this.#now(), change?.acceptedMs ?? this.#now()) - SLACK_MS
    for await (const subscription of subscriptions.readAll()) {
      if (nearestDouble(subscription.expires_at) * 1000 > oldest) this.#index.set(subscription)
    }
    this.#isLoaded = true
  }

  async #takeChanges(signal: AbortSignal): Promise<void> {
    const changes = this.#changes
    if (changes === undefined) return waitFor(signal)
    changes.restart()
    while (!signal.aborted) {
      const woken = new Promise<void>((resolve) => {
        this.#hasChanges = resolve
      })
      await this.intake.waitForRoom(1, signal)
      const count = await changes.takeUp(signal)
      if (count > 0) continue
      const timer = new AbortController()
      const wait = this.#options.lead === undefined ? CLEANING_MS : POLL_MS
      const ends = AbortSignal.any([signal, timer.signal])
      await Promise.race([woken, delay(wait, undefined, { signal: ends, ref: false }).catch(() => undefined)])
      timer.abort()
    }
  }

  #noteDrained(isDrained: boolean): void {
    this.#drainedSince = isDrained ? (this.#drainedSince ?? this.#now()) : undefined
  }

  async #clean(signal: AbortSignal): Promise<void> {
    const { events, settings } = this.#options
    while (!signal.aborted) {
      if (this.#now() - this.#cleanedMs >= CLEANING_MS) {
        this.#cleanedMs = this.#now()
        await events.clean(this.#now() - milliseconds(settings.events.dedupeWindow))
        // A waiting event may have been accepted before a subscription expired, so this needs an empty queue.
        if (this.#drainedSince !== undefined) this.#index.removeExpired(this.#drainedSince - SLACK_MS)
      }
      await delay(CLEANING_MS, undefined, { signal, ref: false }).catch(() => undefined)
    }
  }
}

async function waitFor(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
