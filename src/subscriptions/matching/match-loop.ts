import { setTimeout as delay } from 'node:timers/promises'
import type { EventFigures } from '../events/event-figures.ts'
import type { NewDelivery } from '../record/delivery-record.ts'
import type { DeliveryStore } from '../record/delivery-store.ts'
import type { EventStore, MatchOutcome } from '../record/event-store.ts'
import type { EventSource, PendingEvent } from '../record/subscription-event.ts'
import type { SubscriptionStore } from '../record/subscription-store.ts'
import type { Matcher } from './matcher.ts'

/** Maximum number of events per batch, and milliseconds the first one waits for others. */
const BATCH = 500
const BATCH_MS = 50
/** Number of deliveries per commit. Other work runs between commits, since an event may have any number of them. */
const COMMIT = 500
/** Milliseconds after the first lookup at which a missing document is looked up again. */
const LOOKS_MS = [2_000, 10_000]
/** Maximum number of events that wait for their documents. Beyond it, no new events are matched. */
const MOST_WAITING = 50_000
/** Milliseconds between scans for events of other servers with positions before those already matched. */
const REREAD_MS = 5_000
/** Milliseconds between queries for the number of pending deliveries when it is far from the limit. */
const ROOM_MS = 5_000

export interface MatchLoopOptions {
  readonly events: Pick<EventStore, 'pending' | 'commit'>
  readonly subscriptions: Pick<SubscriptionStore, 'catchUp'>
  readonly deliveries: Pick<DeliveryStore, 'pendingCount'>
  readonly matcher: Matcher
  readonly figures: EventFigures
  /** `delivery.maxPending` */
  readonly maxPending: number
  /** Milliseconds. Poll interval if other servers accept events too. Absent: the loop is only woken. */
  readonly pollMs?: number
  readonly now: () => number
  /** Called after each batch. `isDrained`: all existing events have been processed. */
  readonly onBatch?: (isDrained: boolean) => void
}

/** An event whose document was not found. */
interface Waiting {
  readonly event: PendingEvent
  readonly firstMs: number
  looks: number
}

/** Matches events in small batches and commits the results. */
export class MatchLoop {
  readonly #options: MatchLoopOptions
  readonly #waiting = new Map<number, Waiting>()
  #position = 0
  #wake: (() => void) | undefined
  #isWoken = true
  #rereadMs = 0
  #room = { left: 0, askedMs: Number.NEGATIVE_INFINITY }

  constructor(options: MatchLoopOptions) {
    this.#options = options
  }

  /** Notifies the loop of new events. */
  wake(): void {
    this.#isWoken = true
    this.#wake?.()
  }

  /** Runs until the signal aborts. Rejects if a store fails. */
  async run(signal: AbortSignal): Promise<void> {
    // A previous leader may have left any events unmatched.
    this.#position = 0
    this.#waiting.clear()
    this.#isWoken = true
    while (!signal.aborted) {
      const isFull = await this.step(signal)
      if (!isFull) await this.#rest(signal)
    }
  }

  /** Matches one batch. Returns true if more work is waiting. */
  async step(signal?: AbortSignal): Promise<boolean> {
    const { subscriptions, onBatch } = this.#options
    if (!(await this.#hasRoom())) return false
    this.#isWoken = false
    const due = this.#due()
    const fresh = await this.#fresh(BATCH - due.length)
    const batch = [...due, ...fresh.filter(({ position }) => !this.#waiting.has(position))]
    if (batch.length > 0) {
      await subscriptions.catchUp()
      await this.#match(batch, signal)
    }
    this.#position = fresh.at(-1)?.position ?? this.#position
    const isFull = due.length + fresh.length >= BATCH
    if (!isFull) this.#reread()
    onBatch?.(!isFull && this.#waiting.size === 0)
    return isFull
  }

  /** Time of the next document lookup in milliseconds. Undefined: none is scheduled. */
  get nextLookMs(): number | undefined {
    const times = [...this.#waiting.values()].map(dueAt)
    return times.length === 0 ? undefined : Math.min(...times)
  }

  async #fresh(limit: number): Promise<readonly PendingEvent[]> {
    if (limit <= 0 || this.#waiting.size >= MOST_WAITING) return []
    return this.#options.events.pending(this.#position, limit)
  }

  /** Events of other servers may become visible after later ones. */
  #reread(): void {
    const now = this.#options.now()
    if (this.#options.pollMs === undefined || now - this.#rereadMs < REREAD_MS) return
    this.#rereadMs = now
    this.#position = 0
  }

  async #match(batch: readonly PendingEvent[], signal: AbortSignal | undefined): Promise<void> {
    const { events, matcher, figures } = this.#options
    const begun = performance.now()
    const byPosition = new Map(batch.map((event) => [event.position, event]))
    let outcomes: MatchOutcome[] = []
    let deliveries: NewDelivery[] = []
    const commit = async (): Promise<void> => {
      if (outcomes.length === 0) return
      // Commits in parts, to keep the database lock short. After a crash, deliveries already written are not written
      // again.
      const rest = deliveries.length - (deliveries.length % COMMIT)
      for (let at = 0; at < rest; at += COMMIT) await events.commit([], deliveries.slice(at, at + COMMIT))
      await events.commit(outcomes, deliveries.slice(rest))
      for (const { position, state } of outcomes) {
        this.#waiting.delete(position)
        figures.count(byPosition.get(position)?.source ?? NO_SOURCE, state)
      }
      this.#room.left -= deliveries.length
      outcomes = []
      deliveries = []
    }
    for await (const matched of matcher.match(batch, (event) => this.#isLast(event), signal)) {
      if (matched.kind === 'later') {
        this.#later(matched.event)
        continue
      }
      outcomes.push(matched.outcome)
      for (const delivery of matched.deliveries) deliveries.push(delivery)
      if (deliveries.length >= COMMIT) await commit()
    }
    await commit()
    figures.matched((performance.now() - begun) / 1000)
  }

  #later(event: PendingEvent): void {
    const known = this.#waiting.get(event.position)
    if (known === undefined) {
      this.#waiting.set(event.position, { event, firstMs: this.#options.now(), looks: 0 })
    } else {
      known.looks++
    }
  }

  #isLast({ position }: PendingEvent): boolean {
    return (this.#waiting.get(position)?.looks ?? -1) >= LOOKS_MS.length - 1
  }

  #due(): readonly PendingEvent[] {
    const now = this.#options.now()
    const due: PendingEvent[] = []
    for (const waiting of this.#waiting.values()) {
      if (due.length === BATCH) break
      if (dueAt(waiting) <= now) due.push(waiting.event)
    }
    return due
  }

  /** Limits how far matching may run ahead of deliveries. */
  async #hasRoom(): Promise<boolean> {
    const { deliveries, maxPending, now } = this.#options
    if (this.#room.left <= COMMIT || now() - this.#room.askedMs > ROOM_MS) {
      this.#room = { left: maxPending - (await deliveries.pendingCount()), askedMs: now() }
    }
    return this.#room.left > 0
  }

  /** Waits for events, then a moment longer, so that events arriving together are matched together. */
  async #rest(signal: AbortSignal): Promise<void> {
    if (!this.#isWoken && !signal.aborted) await this.#sleep(signal)
    if (!signal.aborted) await delay(BATCH_MS, undefined, { signal, ref: false }).catch(() => undefined)
  }

  /** Must not be called with an aborted signal: its `abort` event would be missed. */
  async #sleep(signal: AbortSignal): Promise<void> {
    const { pollMs, now } = this.#options
    const next = this.nextLookMs
    const isFullUp = this.#room.left <= 0
    const waits = [
      ...(pollMs === undefined ? [] : [pollMs]),
      ...(next === undefined ? [] : [Math.max(0, next - now())]),
      ...(isFullUp ? [1_000] : []),
    ]
    const timer = new AbortController()
    const ends = AbortSignal.any([signal, timer.signal])
    await new Promise<void>((resolve) => {
      this.#wake = resolve
      signal.addEventListener('abort', () => resolve(), { once: true, signal: timer.signal })
      if (waits.length > 0) {
        delay(Math.min(...waits), undefined, { signal: ends, ref: false }).then(
          () => resolve(),
          () => undefined,
        )
      }
    })
    this.#wake = undefined
    timer.abort()
  }
}

const NO_SOURCE: EventSource = 'http'

const dueAt = ({ firstMs, looks }: Waiting): number => firstMs + (LOOKS_MS[looks] ?? 0)
