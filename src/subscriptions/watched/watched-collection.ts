import { LRUCache } from 'lru-cache'
import { mayRead } from '../../access/organisations.ts'
import { restoreAccess } from '../../access/rights/stored-access.ts'
import { documentReaderOf, type OpenCollection, openReference } from '../../collections/open-collection.ts'
import type { Settings } from '../../config/settings.ts'
import type { IndexInfo } from '../../engine/engine.ts'
import { Problem } from '../../errors.ts'
import type { DocumentReader } from '../../formats/document-reader.ts'
import type { CollectionReference } from '../../model/collection.ts'
import type { Access } from '../../query/access/access.ts'
import { compileEvaluator, type Evaluator } from '../../query/evaluate/predicate-evaluator.ts'
import type { ProjectionPlan } from '../../query/page/projection.ts'
import type { Predicate } from '../../query/plan/predicate.ts'
import { resolveSelection } from '../../query/request/effective-query.ts'
import { indexFields } from '../../query/schema/index-fields.ts'
import { type ParsedHits, parseHits, resolveHits } from '../hits/hits-fragment.ts'
import type { WatchedSubscription } from './watched-subscription.ts'

export interface WatchedCollectionOptions {
  readonly limits: Settings['limits']
  readonly checkOrganisations: boolean
}

/** Resolved hits of a subscription in a collection. */
export interface WantedHits {
  /** Selects documents: hits.filter, the collection's filter and the writer's access. */
  readonly predicate: Predicate
  readonly projection: ProjectionPlan
  /** Equal for subscriptions that get the same data of a document. */
  readonly dataKey: string
}

/** `hidden`: the writer may not read the collection. `invalid`: hits.filter does not fit its fields. */
type Wanted = WantedHits | 'hidden' | 'invalid'

type View = OpenCollection & { readonly access: Access; readonly isPartitioned: boolean }

/** Entries of each cache of a collection. The least recently used are evicted. */
const MOST_KEPT = 5_000
/** A filter without this text does not depend on the time. */
const NOW = /now/i

/** A collection with the compiled parts of its subscriptions. Valid until its reference or a mapping changes. */
export class WatchedCollection {
  readonly reference: CollectionReference
  readonly whole: OpenCollection
  readonly reader: DocumentReader
  readonly #options: WatchedCollectionOptions
  readonly #views = cacheOf<Promise<View | undefined>>()
  readonly #parsed = cacheOf<ParsedHits | Problem>()
  readonly #wanted = cacheOf<Wanted>()
  readonly #evaluators = new WeakMap<Predicate, Map<string, Evaluator>>()

  constructor(whole: OpenCollection, options: WatchedCollectionOptions) {
    this.reference = whole.reference
    this.whole = whole
    this.reader = documentReaderOf(whole)
    this.#options = options
  }

  /** True if the collection is unchanged. */
  isOf(reference: CollectionReference, infos: readonly IndexInfo[]): boolean {
    const { infos: known } = this.whole
    if (known.length !== infos.length) return false
    if (!infos.every((info, i) => info.name === known[i]?.name && info.mapping === known[i]?.mapping)) return false
    return reference === this.reference || JSON.stringify(reference) === JSON.stringify(this.reference)
  }

  /** Returns the view of a subscription's writer, undefined if the collection is hidden. */
  async viewOf({ access, accessKey }: WatchedSubscription): Promise<View | undefined> {
    return this.#views.memo(accessKey, { context: () => this.#open(access) })
  }

  /** `now`: time of acceptance of the event, in milliseconds. */
  wanted(subscription: WatchedSubscription, view: View, now: number): Wanted {
    const { hits, accessKey } = subscription
    const own = JSON.stringify(this.reference.params.filter ?? '')
    const isTimed = NOW.test(hits.filter) || NOW.test(own) || (view.isPartitioned && NOW.test(accessKey))
    const key = [hits.filter, hits.projection ?? '', accessKey, isTimed ? now : ''].join('\0')
    return this.#wanted.memo(key, { context: () => this.#resolve(subscription, view, now) })
  }

  /** True if hits.filter has a condition. */
  isSelective({ hits }: WatchedSubscription): boolean {
    const parsed = this.#parse(hits)
    return parsed instanceof Problem || parsed.filter.f.length > 0 || parsed.filter.q.length > 0
  }

  /** Compiles a predicate for documents of an index. Uses the first index of the collection if the name is unknown. */
  evaluator(predicate: Predicate, index: string): Evaluator | undefined {
    const mapping = (this.whole.infos.find(({ name }) => name === index) ?? this.whole.infos[0])?.mapping
    if (mapping === undefined) return undefined
    const byIndex = this.#evaluators.get(predicate) ?? new Map<string, Evaluator>()
    this.#evaluators.set(predicate, byIndex)
    let evaluator = byIndex.get(index)
    if (evaluator === undefined) {
      evaluator = compileEvaluator(predicate, indexFields(mapping))
      byIndex.set(index, evaluator)
    }
    return evaluator
  }

  async #open(access: WatchedSubscription['access']): Promise<View | undefined> {
    const restored = restoreAccess(access, this.#options)
    const { collection_name, params } = this.reference
    if (!mayRead(params.organisations, restored)) return undefined
    try {
      const { infos } = this.whole
      const opened = await openReference({ indices: async () => infos }, this.reference, restored)
      const partitions = restored.partition?.filtersOf(collection_name) ?? []
      return opened && { ...opened, access: restored, isPartitioned: partitions.length > 0 }
    } catch (error) {
      // A view that cannot be resolved shows nothing.
      if (error instanceof Problem) return undefined
      throw error
    }
  }

  #resolve({ hits, accessKey }: WatchedSubscription, view: View, now: number): Wanted {
    const { limits } = this.#options
    const selection = { collection: view, access: view.access, limits, now, origin: 'body' } as const
    const base = orProblem(() => resolveSelection({}, selection))
    if (base instanceof Problem) return 'hidden'
    const parsed = this.#parse(hits)
    if (parsed instanceof Problem) return 'invalid'
    const resolved = orProblem(() => resolveHits(parsed, view, { limits, now }))
    if (resolved instanceof Problem) return 'invalid'
    return {
      predicate: bothOf(resolved.filter, base),
      projection: resolved.projection,
      dataKey: `${hits.projection ?? ''}\0${accessKey}`,
    }
  }

  #parse(hits: WatchedSubscription['hits']): ParsedHits | Problem {
    const key = `${hits.filter}\0${hits.projection ?? ''}`
    return this.#parsed.memo(key, { context: () => orProblem(() => parseHits(hits, this.#options.limits)) })
  }
}

/**
 * Cache by text; `context` makes a missing value. Bounded by size, because `max` would allocate all entries at once.
 */
const cacheOf = <V extends object | string>() =>
  new LRUCache<string, V, () => V>({
    maxSize: MOST_KEPT,
    sizeCalculation: () => 1,
    memoMethod: (_key, _stale, { context }) => context(),
  })

/** Creates a new object each time, because compiled evaluators are cached by predicate object. */
const bothOf = (one: Predicate, other: Predicate): Predicate => ({ kind: 'and', members: [one, other] })

function orProblem<T>(work: () => T): T | Problem {
  try {
    return work()
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
}
