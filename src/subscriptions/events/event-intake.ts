import type { ReferenceStore } from '../../collections/store/reference-store.ts'
import type { Settings } from '../../config/settings.ts'
import { Problem, problem } from '../../errors.ts'
import { canonicalJson } from '../../model/json/canonical-json.ts'
import type { Json } from '../../model/json/document.ts'
import { mapInTurns } from '../../turn.ts'
import { type EventStore, type NewEvent, sha256 } from '../record/event-store.ts'
import type { SubscriptionStore } from '../record/subscription-store.ts'
import { readEvent } from './event-body.ts'
import type { EventFigures } from './event-figures.ts'

/** Maximum number of events per request. */
const MOST_AT_ONCE = 1_000

interface AcceptOptions {
  /** True if a single event was posted: messages then contain no array index. */
  readonly single?: boolean
}

/** Accepts posted events. */
export interface EventIntake {
  /** Accepts parsed events (spec 3.3). Returns the response of the route. */
  accept(
    events: readonly unknown[],
    options?: AcceptOptions,
  ): Promise<{ accepted: number; duplicates: number; ids: readonly string[] }>
}

interface EventIntakeOptions {
  readonly events: EventStore
  readonly subscriptions: Pick<SubscriptionStore, 'lastSeq' | 'catchUp'>
  readonly references: Pick<ReferenceStore, 'get'>
  readonly settings: Settings['events']
  readonly figures: EventFigures
  readonly now: () => number
  /** Called when events wait to be matched. */
  readonly onAccepted: () => void
}

/** The parts of a Kafka message used for events. */
export interface EventMessage {
  readonly topic: string
  readonly partition: number
  readonly offset: bigint | number
  readonly value: string | Uint8Array | null | undefined
}

/** Accepts posted or sent events: all events of a request or none, each once (spec 3.3). */
export class PostedEvents implements EventIntake {
  readonly #options: EventIntakeOptions

  constructor(options: EventIntakeOptions) {
    this.#options = options
  }

  async accept(bodies: readonly unknown[], { single = false }: AcceptOptions = {}) {
    if (bodies.length > MOST_AT_ONCE) {
      const reason = `must not have more than ${MOST_AT_ONCE} items; send them in several requests`
      throw problem('LIMIT_EXCEEDED', { parameter: 'events', reason })
    }
    const now = this.#options.now()
    const events = await mapInTurns(bodies, (body, i) => this.#read(body, single ? '' : `events[${i}]`, now))
    await this.#checkCollections(events)
    await this.#checkBacklog(events.length)
    const isNew = await this.#store(events, 'http', now)
    const accepted = isNew.filter((one) => one).length
    return { accepted, duplicates: isNew.length - accepted, ids: events.map(({ event }) => event.id) }
  }

  /**
   * Stores messages of a topic in order, before the promise resolves. An invalid message is stored with the reason.
   * Waits while too many events are unmatched.
   */
  async take(messages: readonly EventMessage[], signal?: AbortSignal): Promise<void> {
    await this.waitForRoom(messages.length, signal)
    const now = this.#options.now()
    const taken: Taken[] = []
    for (const message of messages) {
      const id = `kafka:${message.topic}:${message.partition}:${message.offset}`
      await this.#orReject(id, async () => {
        const read = readable(() => this.#read(parseMessage(message.value), '', now, id))
        await this.#checkCollections([read])
        taken.push({ id, read })
      })
    }
    try {
      await this.#store(
        taken.map(({ read }) => read),
        'kafka',
        now,
      )
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'EVENT_ID_CONFLICT') throw error
      for (const { id, read } of taken) await this.#orReject(id, () => this.#store([read], 'kafka', now))
    }
  }

  /** Resolves when `count` more events fit the backlog. */
  async waitForRoom(count: number, signal?: AbortSignal): Promise<void> {
    const { events, settings } = this.#options
    while ((await events.backlog()) + Math.min(count, settings.maxBacklog) > settings.maxBacklog) {
      signal?.throwIfAborted()
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }

  /**
   * Stores a faulty message with the reason. Other errors are transient: they are rethrown and the message is delivered
   * again.
   */
  async #orReject(id: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof Problem) || !REFUSALS.has(error.code)) throw error
      await this.#options.events.reject('kafka', id, error.message)
      this.#options.figures.count('kafka', 'REJECTED')
    }
  }

  #read(body: unknown, place: string, now: number, id?: string): ReadEvent {
    const collection = this.#options.settings.defaultCollection
    const event = readEvent(body, place, { collection, now, ...(id === undefined ? {} : { id }) })
    // The body was validated as a JSON object. Defaults are not hashed because they would differ the next time.
    return { event, contentHash: sha256(canonicalJson(body as Json)) }
  }

  async #checkCollections(events: readonly ReadEvent[]): Promise<void> {
    for (const name of new Set(events.map(({ event }) => event.collection))) {
      if ((await this.#options.references.get(name)) === undefined) throw problem('COLLECTION_NOT_FOUND', { name })
    }
  }

  async #checkBacklog(count: number): Promise<void> {
    const { events, settings } = this.#options
    if ((await events.backlog()) + count <= settings.maxBacklog) return
    const details = {
      reason: 'Too many events are waiting to be matched; try again later',
      setting: 'events.maxBacklog',
    }
    throw problem('TOO_MANY_REQUESTS', details, { 'Retry-After': '5' })
  }

  async #store(read: readonly ReadEvent[], source: 'http' | 'kafka', now: number): Promise<readonly boolean[]> {
    const { events, subscriptions, figures, onAccepted } = this.#options
    // Another server may have stored a subscription that applies to these events.
    await subscriptions.catchUp()
    const facts = { source, acceptedMs: now, subscriptionSeq: subscriptions.lastSeq() }
    const isNew = await events.accept(read.map((one) => ({ ...one, ...facts })))
    const accepted = isNew.filter((one) => one).length
    if (accepted > 0) onAccepted()
    figures.count(source, 'PENDING', accepted)
    return isNew
  }
}

type ReadEvent = Pick<NewEvent, 'event' | 'contentHash'>

interface Taken {
  readonly id: string
  readonly read: ReadEvent
}

const REFUSALS: ReadonlySet<string> = new Set(['INVALID_EVENT', 'COLLECTION_NOT_FOUND', 'EVENT_ID_CONFLICT'])

/** Walking a deeply nested value overflows the stack. */
function readable<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw problem('INVALID_EVENT', { parameter: 'message', reason: 'is nested too deeply' })
  }
}

function parseMessage(value: EventMessage['value']): unknown {
  const text = value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : value
  try {
    return JSON.parse(text ?? '')
  } catch {
    throw problem('INVALID_EVENT', { parameter: 'message', reason: 'must be JSON' })
  }
}
