import type { Engine, FoundDocument } from '../../engine/engine.ts'
import { withExactIntegers } from '../../model/json/exact-json.ts'
import { parseObject } from '../../model/json/json-object.ts'
import { Turn } from '../../turn.ts'
import type { NewDelivery } from '../record/delivery-record.ts'
import type { MatchOutcome } from '../record/event-store.ts'
import type { PendingEvent } from '../record/subscription-event.ts'
import type { SubscriptionRights } from '../rights/subscription-rights.ts'
import type { MatcherIndex } from '../watched/matcher-index.ts'
import type { WantedHits, WatchedCollection } from '../watched/watched-collection.ts'
import type { WatchedCollections } from '../watched/watched-collections.ts'
import type { WatchedSubscription } from '../watched/watched-subscription.ts'
import { candidates } from './candidates.ts'
import { documentKey, findByIdentifier, keysOfMatching } from './document-lookup.ts'
import { EventNotifier, type NotifierOptions } from './event-notifier.ts'
import { MatchSubject, type SubjectDocument } from './match-subject.ts'

interface MatcherOptions extends NotifierOptions {
  readonly index: MatcherIndex
  readonly collections: WatchedCollections
  readonly engine: Pick<Engine, 'search' | 'scan'>
  /** Checks that writers of subscriptions may still see what is sent. Absent: rights are not checked. */
  readonly rights?: Pick<SubscriptionRights, 'refresh' | 'grants'>
}

/** Result for one event. `later`: its document was not found yet. */
type Matched =
  | { readonly kind: 'done'; readonly outcome: MatchOutcome; readonly deliveries: readonly NewDelivery[] }
  | { readonly kind: 'later'; readonly event: PendingEvent }

const DELETE = 'DELETE'

/** Decides which subscriptions an event matches and creates their notifications (spec 3.5). */
export class Matcher {
  readonly #options: MatcherOptions

  constructor(options: MatcherOptions) {
    this.#options = options
  }

  /** Matches events by collection, in order. `isLast`: the document is not waited for any longer. */
  async *match(
    events: readonly PendingEvent[],
    isLast: (event: PendingEvent) => boolean,
    signal?: AbortSignal,
  ): AsyncGenerator<Matched> {
    const work = { signal, turn: new Turn(signal) }
    await this.#options.rights?.refresh()
    for (const [name, ofCollection] of Map.groupBy(events, ({ event }) => event.collection)) {
      const collection = await this.#options.collections.open(name, signal)
      if (collection === undefined) for (const event of ofCollection) yield unresolved(event, 0, [])
      else yield* this.#matchCollection(collection, ofCollection, isLast, work)
    }
  }

  async *#matchCollection(
    collection: WatchedCollection,
    events: readonly PendingEvent[],
    isLast: (event: PendingEvent) => boolean,
    work: Work,
  ): AsyncGenerator<Matched> {
    const concerned = new Set<PendingEvent>()
    for (const event of events) {
      if (work.turn.isOver) await work.turn.next()
      if (await this.#hasCandidate(collection, event)) concerned.add(event)
    }
    const wanted = [...concerned].filter((event) => ownState(event) === undefined).map(identifierOf)
    const found =
      wanted.length === 0
        ? new Map<string, readonly FoundDocument[]>()
        : await findByIdentifier(this.#options.engine, collection, [...new Set(wanted)], work.signal)
    for (const event of events) {
      if (!concerned.has(event)) yield done(event, 0, [])
      else yield await this.#matchEvent(collection, event, found, isLast(event), work)
    }
  }

  async #matchEvent(
    collection: WatchedCollection,
    event: PendingEvent,
    found: ReadonlyMap<string, readonly FoundDocument[]>,
    isLast: boolean,
    work: Work,
  ): Promise<Matched> {
    const documents = documentsOf(event, found)
    const notifier = new EventNotifier(event.event, this.#options)
    if (documents.length === 0) {
      if (event.event.event !== DELETE) return isLast ? unresolved(event, 0, []) : { kind: 'later', event }
      await this.#notifyOfLoss(collection, event, notifier, work)
      return unresolved(event, notifier.matched, notifier.deliveries)
    }
    for (const document of documents) {
      notifier.nextDocument()
      await this.#matchDocument(collection, event, document, notifier, work)
    }
    return done(event, notifier.matched, notifier.deliveries)
  }

  /** True if looking up the document can lead to a notification. */
  async #hasCandidate(collection: WatchedCollection, event: PendingEvent): Promise<boolean> {
    const own = ownState(event)
    const subject = new MatchSubject(event, own === undefined ? 'unknown' : own.source, collection.reader)
    for (const { subscription } of candidates(this.#options.index, event, subject)) {
      if (await this.#sees(collection, subscription)) return true
    }
    return false
  }

  async #matchDocument(
    collection: WatchedCollection,
    event: PendingEvent,
    document: KnownDocument,
    notifier: EventNotifier,
    work: Work,
  ): Promise<void> {
    const identifier = collection.reader.id(document) ?? identifierOf(event)
    const exact = document.text === undefined ? document.source : withExactIntegers(document.text)
    const told = new Map<WantedHits['predicate'], boolean>()
    for (const subscription of this.#triggered(event, document.source, collection)) {
      if (work.turn.isOver) await work.turn.next()
      const view = await this.#sees(collection, subscription)
      if (view === undefined) continue
      const wanted = collection.wanted(subscription, view, event.acceptedMs)
      if (wanted === 'hidden') continue
      if (wanted === 'invalid') {
        notifier.invalid(subscription, identifier)
        continue
      }
      let holds = told.get(wanted.predicate)
      if (holds === undefined) {
        const evaluator = collection.evaluator(wanted.predicate, document.index)
        if (evaluator === undefined) holds = false
        else if (evaluator.exact || !document.isStored) holds = evaluator.holds(exact)
        else holds = await this.#asksEngine(collection, document, identifier, wanted, work.signal)
        told.set(wanted.predicate, holds)
      }
      if (holds) notifier.hit(subscription, document, identifier, wanted)
    }
  }

  /** Evaluates in the engine what cannot be evaluated exactly here. */
  async #asksEngine(
    collection: WatchedCollection,
    document: KnownDocument,
    identifier: string,
    { predicate }: WantedHits,
    signal: AbortSignal | undefined,
  ): Promise<boolean> {
    const keys = await keysOfMatching(this.#options.engine, collection, [identifier], predicate, signal)
    return keys.has(documentKey(document))
  }

  /** For a deleted document of unknown content. Notifies only subscriptions without conditions on the document. */
  async #notifyOfLoss(
    collection: WatchedCollection,
    event: PendingEvent,
    notifier: EventNotifier,
    work: Work,
  ): Promise<void> {
    for (const subscription of this.#triggered(event, undefined, collection)) {
      if (work.turn.isOver) await work.turn.next()
      const view = await this.#sees(collection, subscription)
      if (view === undefined || view.isPartitioned || collection.isSelective(subscription)) continue
      notifier.withoutData(subscription, identifierOf(event))
    }
  }

  *#triggered(
    event: PendingEvent,
    document: SubjectDocument,
    { reader }: WatchedCollection,
  ): Generator<WatchedSubscription> {
    const subject = new MatchSubject(event, document, reader)
    for (const { subscription } of candidates(this.#options.index, event, subject)) yield subscription
  }

  /**
   * Returns the view of the subscription (condition 3). Undefined if it is hidden, if a trigger key is a column hidden
   * from the writer, or if the writer has lost the rights.
   */
  async #sees(collection: WatchedCollection, subscription: WatchedSubscription) {
    const view = await collection.viewOf(subscription)
    if (view === undefined) return undefined
    const { columns } = view
    if (columns.restricted && subscription.keys.some(({ key }) => !columns.covers(key))) return undefined
    return this.#options.rights?.grants(subscription, collection.reference) === false ? undefined : view
  }
}

/** Limits of the current work. */
interface Work {
  readonly signal: AbortSignal | undefined
  readonly turn: Turn
}

/** `isStored`: it was read from the engine, so the engine can evaluate predicates on it. */
interface KnownDocument extends FoundDocument {
  readonly isStored: boolean
}

const identifierOf = ({ event }: PendingEvent): string => String(event.object.id)

const ownStates = new WeakMap<PendingEvent, KnownDocument>()

/** Returns the state contained in the event. Events of document changes have one. */
function ownState(event: PendingEvent): KnownDocument | undefined {
  const text = event.event.event === DELETE ? event.before : event.after
  if (text === undefined) return undefined
  const known = ownStates.get(event)
  if (known !== undefined) return known
  const read = { index: event.index ?? '', text, source: parseObject(text), isStored: false }
  ownStates.set(event, read)
  return read
}

/** Returns the documents to match an event with. For a deletion, the last known state. */
function documentsOf(
  event: PendingEvent,
  found: ReadonlyMap<string, readonly FoundDocument[]>,
): readonly KnownDocument[] {
  const own = ownState(event)
  if (own !== undefined) return [own]
  const stored = found.get(identifierOf(event)) ?? []
  if (stored.length > 0)
    return stored.map(({ index, source, text }) => ({
      index,
      source,
      ...(text !== undefined && { text }),
      isStored: true,
    }))
  const { event: kind, document } = event.event
  return kind === DELETE && document !== undefined ? [{ index: '', source: document, isStored: false }] : []
}

const done = ({ position }: PendingEvent, matched: number, deliveries: readonly NewDelivery[]): Matched => ({
  kind: 'done',
  outcome: { position, state: 'MATCHED', matched },
  deliveries,
})

const unresolved = ({ position }: PendingEvent, matched: number, deliveries: readonly NewDelivery[]): Matched => ({
  kind: 'done',
  outcome: { position, state: 'UNRESOLVED', matched, reason: 'DOCUMENT_NOT_FOUND' },
  deliveries,
})
