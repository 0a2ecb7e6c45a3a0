import { randomUUID } from 'node:crypto'
import { type ClusterClient, ClusterFailure, ClusterRefusal } from '../../cluster-client/cluster-client.ts'
import { engineProblem } from '../../cluster-client/cluster-problem.ts'
import { openTransportClient, type TransportOptions } from '../../cluster-client/transport-client.ts'
import { MOST_FIELDS } from '../../model/field-limit.ts'
import type { Mapping } from '../../model/mapping.ts'
import type { AggregationPlan, MeasurePlan, SuggestPlan } from '../../query/plan/aggregation-plan.ts'
import type { SearchPlan, Selection } from '../../query/plan/plan.ts'
import type {
  AggregationResult,
  Engine,
  EngineCapabilities,
  EngineHealth,
  EngineStatistics,
  IndexInfo,
  MeasureResult,
  SearchResult,
  StoredDocument,
  Suggestion,
  WriteOperation,
  WriteOptions,
  WriteResult,
} from '../engine.ts'
import { SharedWork } from '../shared-work.ts'
import type { StepObserver } from '../step-observer.ts'
import type { TagStore } from '../tag-store.ts'
import { WriteFeed } from '../write-feed.ts'
import { aggregate } from './aggregate/aggregator.ts'
import { measure } from './aggregate/measure.ts'
import { readHealth } from './catalog/cluster-health.ts'
import { IndexCatalog } from './catalog/index-catalog.ts'
import { readRevisions } from './catalog/index-revisions.ts'
import { ClusterChangeFeed } from './changes/change-feed.ts'
import type { ClusterContext } from './request/cluster-context.ts'
import { probeDialect } from './request/dialect.ts'
import { count, document, search } from './search/searcher.ts'
import { suggest } from './search/suggest.ts'
import { scan } from './selection/selection-scan.ts'
import { type ClusterTagSettings, clusterTagStore, defaultTagSettings } from './tag/tag-store.ts'
import { write } from './write/bulk-writer.ts'

/** Default of `index.max_result_window` in the cluster. */
const RESULT_WINDOW = 10_000

/** Default prefix of our internal indices. */
const PREFIX = 'periplus-'

export interface ClusterEngineParts {
  /** Maximum number of documents read if the cluster lacks a primitive. */
  readonly scan: number
  /** Maximum number of fields per index. */
  readonly mostFields?: number
  /** Shards and replicas of indices created by this engine; defaults of the cluster if absent. */
  readonly shards?: number
  readonly replicas?: number
  /** Name prefix of the internal indices for tags and changes (`cluster.prefix`). */
  readonly prefix?: string
  readonly tagging?: Partial<ClusterTagSettings>
  /** Called at the steps of tags. */
  readonly steps?: StepObserver
}

interface ClusterEngineOptions extends TransportOptions, ClusterEngineParts {}

/** Opens an engine over a cluster. The cluster may be unavailable at this time: its dialect is probed on first use. */
export function openClusterEngine(options: ClusterEngineOptions): Engine {
  return clusterEngine(openTransportClient(options), options)
}

/** Same, with a client that is shared. The client is closed with the engine. */
export function clusterEngine(client: ClusterClient, options: ClusterEngineParts): Engine {
  return new ClusterEngine(client, options)
}

/** A cluster with a known dialect. */
interface Known {
  readonly context: ClusterContext
  readonly catalog: IndexCatalog
}

class ClusterEngine implements Engine {
  readonly name = 'cluster'
  readonly capabilities: EngineCapabilities
  readonly changes: ClusterChangeFeed
  readonly tags: TagStore
  readonly writes = new WriteFeed()
  readonly #client: ClusterClient
  readonly #options: ClusterEngineParts
  /** Calls in progress. */
  #running = 0
  #known: Known | undefined
  #probe: SharedWork<Known> | undefined

  constructor(client: ClusterClient, options: ClusterEngineParts) {
    this.#client = client
    this.#options = options
    const { prefix = PREFIX, tagging, steps, mostFields = MOST_FIELDS } = options
    this.capabilities = {
      resultWindow: RESULT_WINDOW,
      mostFields,
      refreshes: true,
      subFields: true,
      byScan: ['H3 cells', 'H3 cells of shapes', 'centroids of shapes', 'bounds of shapes'],
    }
    const changes = new ClusterChangeFeed(client, prefix)
    this.changes = changes
    this.tags = clusterTagStore({
      client,
      prefix,
      settings: { ...defaultTagSettings, ...tagging },
      ask: (signal, work) => this.#ask(signal, work),
      note: (work, chunk, collection) => changes.noteTag(work, chunk, collection),
      onCommitted: () => changes.tell(),
      ...(steps === undefined ? {} : { steps }),
    })
  }

  indices(pattern: string, signal?: AbortSignal): Promise<readonly IndexInfo[]> {
    return this.#ask(signal, ({ catalog }) => catalog.indices(pattern, signal))
  }

  revisions(indices: readonly string[], signal?: AbortSignal): Promise<ReadonlyMap<string, string>> {
    return this.#ask(signal, ({ context }) => readRevisions(context, indices, signal))
  }

  documentCounts(pattern: string, signal?: AbortSignal): Promise<ReadonlyMap<string, number>> {
    return this.#ask(signal, ({ catalog }) => catalog.documentCounts(pattern, signal))
  }

  storedBytes(pattern: string, signal?: AbortSignal): Promise<ReadonlyMap<string, number>> {
    return this.#ask(signal, ({ catalog }) => catalog.storedBytes(pattern, signal))
  }

  search(plan: SearchPlan, signal?: AbortSignal): Promise<SearchResult> {
    return this.#ask(signal, ({ context }) => search(context, plan, signal))
  }

  count(selection: Selection, signal?: AbortSignal): Promise<number> {
    return this.#ask(signal, ({ context }) => count(context, selection, signal))
  }

  async *scan(selection: Selection, signal?: AbortSignal): AsyncIterable<readonly StoredDocument[]> {
    this.#running++
    try {
      const { context } = await this.#use(signal)
      yield* scan(context, selection, signal)
    } catch (error) {
      throw this.#fault(error)
    } finally {
      this.#running--
    }
  }

  aggregate(plan: AggregationPlan, signal?: AbortSignal): Promise<AggregationResult> {
    return this.#ask(signal, ({ context }) => aggregate(context, plan, signal))
  }

  measure(plan: MeasurePlan, signal?: AbortSignal): Promise<MeasureResult> {
    return this.#ask(signal, ({ context }) => measure(context, plan, signal))
  }

  suggest(plan: SuggestPlan, signal?: AbortSignal): Promise<readonly Suggestion[]> {
    return this.#ask(signal, ({ context }) => suggest(context, plan, signal))
  }

  document(index: string, id: string, signal?: AbortSignal): Promise<StoredDocument | undefined> {
    return this.#ask(signal, ({ context }) => document(context, index, id, signal))
  }

  createIndex(name: string, mapping: Mapping): Promise<void> {
    return this.#ask(undefined, ({ catalog }) => catalog.create(name, mapping))
  }

  dropIndex(name: string): Promise<void> {
    return this.#ask(undefined, ({ catalog }) => catalog.drop(name))
  }

  replaceIndex(name: string, by: string): Promise<void> {
    return this.#ask(undefined, ({ catalog }) => catalog.replace(name, by))
  }

  extendMapping(name: string, mapping: Mapping): Promise<void> {
    return this.#ask(undefined, ({ catalog }) => catalog.extend(name, mapping))
  }

  async write(
    index: string,
    operations: readonly WriteOperation[],
    { load = randomUUID(), silent = false }: WriteOptions = {},
  ): Promise<readonly WriteResult[]> {
    if (!silent) await this.changes.catchUp()
    const notesOf = (name: string) => (silent ? undefined : this.changes.noteLoad(name, load))
    const results = await this.#ask(undefined, ({ context, catalog }) =>
      write(context, catalog, index, operations, notesOf),
    )
    this.writes.tell(index, operations, results)
    return results
  }

  refresh(pattern: string): Promise<void> {
    return this.#tend(pattern, '_refresh')
  }

  /**
   * Merges segments according to the policy of the cluster. Merging to one segment per shard would block a large index
   * for hours.
   */
  async arrange(pattern: string): Promise<void> {
    await this.#tend(pattern, '_forcemerge')
    await this.#tend(pattern, '_refresh')
  }

  /** The cluster has its own queue, so no call waits here. */
  statistics(): EngineStatistics {
    return { reads: { running: this.#running, waiting: 0 } }
  }

  health(): Promise<EngineHealth> {
    return readHealth(this.#client, async (signal) => (await this.#use(signal)).context.dialect)
  }

  close(): Promise<void> {
    this.changes.close()
    return this.#client.close()
  }

  #tend(pattern: string, operation: '_refresh' | '_forcemerge'): Promise<void> {
    return this.#ask(undefined, async ({ context }) => {
      const path = `/${encodeURIComponent(pattern)}/${operation}`
      const query = { ignore_unavailable: true, allow_no_indices: true }
      await context.client.send({ method: 'POST', path, query, repeatable: true })
    })
  }

  async #ask<T>(signal: AbortSignal | undefined, work: (known: Known) => Promise<T>): Promise<T> {
    this.#running++
    try {
      return await work(await this.#use(signal))
    } catch (error) {
      throw this.#fault(error)
    } finally {
      this.#running--
    }
  }

  /**
   * Discards the known dialect if needed: after an outage the cluster may be a different or newer one, and a licence
   * may have expired.
   */
  #fault(error: unknown): unknown {
    const isAway = error instanceof ClusterFailure && error.kind !== 'timeout'
    const isUnlicensed = error instanceof ClusterRefusal && error.reason.includes('license is non-compliant')
    if (isAway || isUnlicensed) this.#known = undefined
    return engineProblem(error)
  }

  /** Probes the cluster on first use. Concurrent callers share one probe. */
  async #use(signal: AbortSignal | undefined): Promise<Known> {
    if (this.#known !== undefined) return this.#known
    if (this.#probe === undefined || this.#probe.abandoned) {
      const probe = new SharedWork<Known>(async (stop) => {
        try {
          const known = await this.#learn(stop)
          this.#known = known
          return known
        } finally {
          if (this.#probe === probe) this.#probe = undefined
        }
      })
      this.#probe = probe
    }
    return this.#probe.join(signal)
  }

  async #learn(signal: AbortSignal): Promise<Known> {
    const dialect = await probeDialect(this.#client, signal)
    const { scan: most, shards, replicas } = this.#options
    const newIndices = {
      mostFields: this.capabilities.mostFields,
      ...(shards === undefined ? {} : { shards }),
      ...(replicas === undefined ? {} : { replicas }),
    }
    const context = { client: this.#client, dialect, limits: { scan: most }, newIndices }
    return { context, catalog: new IndexCatalog(context) }
  }
}
