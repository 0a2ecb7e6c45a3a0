import type { Settings } from '../../config/settings.ts'
import type { ChangeFeed, DocumentChange } from '../../engine/change-feed.ts'
import { Problem } from '../../errors.ts'
import type { CollectionReference } from '../../model/collection.ts'
import type { JsonObject } from '../../model/json/document.ts'
import { withExactIntegers } from '../../model/json/exact-json.ts'
import { parseObject } from '../../model/json/json-object.ts'
import { resolveSelection } from '../../query/request/effective-query.ts'
import { valuesAt } from '../../query/schema/document-path.ts'
import { type EventStore, type NewEvent, sha256 } from '../record/event-store.ts'
import type { EventSource } from '../record/subscription-event.ts'
import type { MatcherIndex } from '../watched/matcher-index.ts'
import type { WatchedCollection } from '../watched/watched-collection.ts'
import type { WatchedCollections } from '../watched/watched-collections.ts'
import type { EventFigures } from './event-figures.ts'
import type { IndexOwners } from './index-owners.ts'

/** Number of changes per batch. */
const AT_ONCE = 500

/**
 * Number of changes after which they are removed from the feed. Batched because a removal is a write of the engine; at
 * the end of the feed all are removed.
 */
const FORGOTTEN_AT_ONCE = 5_000

/** Key of the feed position in the event store. */
const FEED = 'changes'

interface ChangeIntakeOptions {
  readonly changes: ChangeFeed
  readonly events: EventStore
  readonly index: Pick<MatcherIndex, 'concerns'>
  readonly owners: Pick<IndexOwners, 'read'>
  readonly collections: WatchedCollections
  readonly settings: Pick<Settings['events'], 'fromLoads' | 'fromTags'>
  readonly limits: Settings['limits']
  readonly figures: EventFigures
  readonly onAccepted: () => void
}

/** Turns document changes into events, one for each collection that contains the document (spec 3.2). */
export class ChangeIntake {
  readonly #options: ChangeIntakeOptions
  #position: number | undefined
  #taken = 0

  constructor(options: ChangeIntakeOptions) {
    this.#options = options
  }

  /**
   * Processes the next changes. Returns their number. Events are stored before the changes are removed from the feed.
   */
  async takeUp(signal?: AbortSignal): Promise<number> {
    const { changes, events, onAccepted } = this.#options
    this.#position ??= (await events.feedPosition(FEED)) ?? 0
    const batch = await changes.read(this.#position, AT_ONCE, signal)
    const last = batch.at(-1)
    if (last === undefined) return 0
    const raised = await this.#named(await this.#eventsOf(batch, signal))
    const isNew = await events.accept(raised, { name: FEED, position: last.position })
    this.#position = last.position
    raised.forEach(({ source }, i) => {
      if (isNew[i] === true) this.#options.figures.count(source, 'PENDING')
    })
    if (isNew.includes(true)) onAccepted()
    this.#taken += batch.length
    if (batch.length < AT_ONCE || this.#taken >= FORGOTTEN_AT_ONCE) {
      await changes.forget(last.position)
      this.#taken = 0
    }
    return batch.length
  }

  /** Reads the position again, because another process may have advanced it. */
  restart(): void {
    this.#position = undefined
  }

  async #eventsOf(batch: readonly DocumentChange[], signal: AbortSignal | undefined): Promise<readonly NewEvent[]> {
    const { owners, collections, index, settings } = this.#options
    const opened = new Map<string, readonly WatchedCollection[]>()
    const raised: NewEvent[] = []
    for (const change of batch) {
      const source = sourceOf(change)
      if (!(source === 'tag' ? settings.fromTags : settings.fromLoads)) continue
      let covering = opened.get(change.index)
      if (covering === undefined) {
        const references = await owners.read(change.index)
        const found = await Promise.all(references.map(({ collection_name: name }) => collections.open(name, signal)))
        covering = found.filter((collection) => collection !== undefined)
        opened.set(change.index, covering)
      }
      for (const collection of covering) {
        if (!index.concerns(collection.reference.collection_name, change.kind)) continue
        if (this.#happensIn(collection, change)) raised.push(eventOf(change, collection, source))
      }
    }
    return raised
  }

  /** True if the document is or was in the collection. */
  #happensIn(collection: WatchedCollection, { kind, before, after, index, acceptedMs }: DocumentChange): boolean {
    if (collection.reference.params.filter === undefined) return true
    const { limits } = this.#options
    let predicate: ReturnType<typeof resolveSelection>
    try {
      const { whole } = collection
      predicate = resolveSelection({}, { collection: whole, access: {}, limits, now: acceptedMs, origin: 'body' })
    } catch (error) {
      // A filter that no longer fits the fields matches no document.
      if (error instanceof Problem) return false
      throw error
    }
    const evaluator = collection.evaluator(predicate, index)
    if (evaluator === undefined) return false
    // An inexact result is decided when the event is matched.
    if (!evaluator.exact) return true
    const states = kind === 'CREATE' ? [after] : [before, after]
    return states.some((text) => text !== undefined && evaluator.holds(withExactIntegers(text)))
  }

  /** Makes event ids unique: a load may write a document several times, or several documents with one identifier. */
  async #named(raised: readonly Raised[]): Promise<readonly Raised[]> {
    const hashes = await this.#options.events.knownHashes(raised.map(({ event }) => event))
    const taken = new Map<string, string>()
    return raised.map((one, i) => {
      const { event, contentHash } = one
      const key = `${event.collection}\0${event.id}`
      const known = hashes[i] ?? taken.get(key)
      if (known === undefined) taken.set(key, contentHash)
      if (known === undefined || known === contentHash) return one
      return { ...one, event: { ...event, id: `${event.id}:${contentHash.slice(0, 12)}` } }
    })
  }
}

type Raised = NewEvent

/** Returns the id as a number if the document has it as one. */
function shownId(document: JsonObject, { params }: CollectionReference, identifier: string): string | number {
  const [value] = valuesAt(document, params.id_path)
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : identifier
}

const sourceOf = ({ cause }: DocumentChange): EventSource => (cause.startsWith('tag:') ? 'tag' : 'load')

function eventOf(change: DocumentChange, { reader, reference }: WatchedCollection, source: EventSource): NewEvent {
  const { kind, cause, before, after, acceptedMs, mark, position, index } = change
  const text = (kind === 'DELETE' ? before : after) ?? '{}'
  const document = parseObject(text)
  const identifier = reader.id({ source: document, text }) ?? change.id
  const geometry = reader.geometry(document) ?? reader.centroid(document)
  const collection = reference.collection_name
  return {
    source,
    event: {
      id: `${cause}:${identifier}`,
      collection,
      event: kind,
      time: new Date(acceptedMs).toISOString(),
      object: {
        id: shownId(document, reference, identifier),
        ...(geometry === undefined ? {} : { geometry }),
      },
    },
    // The position identifies a change: processed twice, it gives the same event.
    contentHash: sha256([collection, cause, index, change.id, kind, position].join('\0')),
    acceptedMs,
    subscriptionSeq: mark,
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
    index,
  }
}
