import type { JsonObject } from '../model/document.ts'
import type { Mapping } from '../model/mapping.ts'
import type { ComparableBucket, MetricValue } from '../query/aggregation/bucket.ts'
import type { AggregationPlan, MeasurePlan, SuggestPlan } from '../query/plan/aggregation-plan.ts'
import type { SearchPlan, Selection } from '../query/plan/plan.ts'
import type { Field } from '../query/schema/field.ts'
import type { ChangeFeed } from './change-feed.ts'
import type { TagStore } from './tag-store.ts'

/** The port: everything an engine can be asked. Every call stops its work when the signal aborts. */
export interface Engine {
  readonly name: string
  readonly capabilities: EngineCapabilities

  /** Indices that exist, by name, in name order. `pattern`: a name, or a pattern with `*`. */
  indices(pattern: string, signal?: AbortSignal): Promise<readonly IndexInfo[]>
  /** How many documents each of these indices has now; those that do not exist are left out. */
  documentCounts(pattern: string, signal?: AbortSignal): Promise<ReadonlyMap<string, number>>

  search(plan: SearchPlan, signal?: AbortSignal): Promise<SearchResult>
  count(selection: Selection, signal?: AbortSignal): Promise<number>
  /** All matching documents in batches, in no stated order, from one snapshot; memory does not grow with the result. */
  scan(selection: Selection, signal?: AbortSignal): AsyncIterable<readonly StoredDocument[]>

  /** Buckets in the order of their level, cut to its size; empty ones are not among them. */
  aggregate(plan: AggregationPlan, signal?: AbortSignal): Promise<AggregationResult>
  /** How many documents match, and the metrics over all of them. */
  measure(plan: MeasurePlan, signal?: AbortSignal): Promise<MeasureResult>
  suggest(plan: SuggestPlan, signal?: AbortSignal): Promise<readonly Suggestion[]>

  /** The document stored under an index-level identifier. */
  document(index: string, id: string, signal?: AbortSignal): Promise<StoredDocument | undefined>

  /** CONFLICT when it exists. */
  createIndex(name: string, mapping: Mapping): Promise<void>
  /** INDEX_NOT_FOUND when it does not exist. */
  dropIndex(name: string): Promise<void>
  /** Adds fields; INVALID_INDEX when a known field would change. */
  extendMapping(name: string, mapping: Mapping): Promise<void>
  /** One batch, atomic and durable when the promise resolves; one result per operation, in order. */
  write(index: string, operations: readonly WriteOperation[], options?: WriteOptions): Promise<readonly WriteResult[]>
  /** Makes acknowledged writes visible, where they are not at once. */
  refresh(pattern: string): Promise<void>
  /** Puts the storage of the indices in its best order now; engines also do so by themselves when they are idle. */
  arrange(pattern: string): Promise<void>

  /** Changes of documents that subscriptions may be about. */
  readonly changes?: ChangeFeed
  /** Bulk edits of documents, with the bookkeeping that must commit with them. */
  readonly tags?: TagStore

  /** Figures for whoever watches the server, from engines that keep them; at once and without work. */
  statistics?(): EngineStatistics
  health(): Promise<EngineHealth>
  close(): Promise<void>
}

export interface WriteOptions {
  /** Names the load in the events it raises; several batches may share it. Made up unless given. */
  readonly load?: string
  /** The changes raise no events. */
  readonly silent?: boolean
}

export interface EngineCapabilities {
  /** Largest from + size, or undefined when there is no bound. */
  readonly resultWindow?: number
  /** What the engine answers by reading documents, and therefore only up to `limits.scan` of them; beyond: 501. */
  readonly byScan?: readonly string[]
  /** Fields one index may have; those that documents bring beyond it are left out, mappings with more are refused. */
  readonly mostFields: number
  /** Whether mappings may have sub-fields (`fields`). */
  readonly subFields?: boolean
}

export interface IndexInfo {
  readonly name: string
  readonly mapping: Mapping
  /** Stays the same as long as the index exists. */
  readonly uuid: string
  /** Changes with every write, mapping change or re-creation; absent from engines that cannot tell cheaply. */
  readonly version?: string
  /** Documents are indexed but not kept: they cannot be shown or changed. */
  readonly keepsSources?: false
  /** Other names that lead to documents of it: aliases; of an alias, the indices behind it. */
  readonly alsoNamed?: readonly string[]
}

export interface FoundDocument {
  readonly index: string
  readonly source: JsonObject
  /** The JSON of `source` as it is stored, from engines that have it: integers beyond 2^53 are exact only here. */
  readonly text?: string
}

export interface StoredDocument extends FoundDocument {
  /** Index-level identifier (`_id`). */
  readonly id: string
}

export interface SearchResult {
  /** Documents of the selection, the cursor left aside; absent when not wanted. */
  readonly total?: number
  readonly hits: readonly FoundDocument[]
}

export interface AggregationResult extends BucketList {
  /** Documents of the selection, in a bucket or not. */
  readonly total: number
}

export interface BucketList {
  readonly buckets: readonly Bucket[]
  /** Sum of the counts of the buckets cut by size. */
  readonly others: number
}

export interface Bucket extends ComparableBucket {
  /** For each entry of the level's tops, the documents picked. */
  readonly tops: readonly (readonly FoundDocument[])[]
  /** Of the next level; absent at the last. */
  readonly children?: BucketList
}

export interface MeasureResult {
  readonly total: number
  readonly values: readonly MetricValue[]
}

export interface Suggestion {
  readonly field: Field
  readonly text: string
  readonly count: number
}

export type WriteOperation =
  /** `id` absent: a new one is made. `text`: the JSON of `source` as it was sent, when it is at hand. */
  | { readonly kind: 'index'; readonly id?: string; readonly source: JsonObject; readonly text?: string }
  | { readonly kind: 'create'; readonly id?: string; readonly source: JsonObject; readonly text?: string }
  /** Members of `doc` replace those of the stored document, objects merged key by key; `upsert`: or it is created. */
  | { readonly kind: 'update'; readonly id: string; readonly doc: JsonObject; readonly upsert?: boolean }
  | { readonly kind: 'delete'; readonly id: string }

export type WriteResult =
  | {
      readonly ok: true
      readonly id: string
      readonly result: 'created' | 'updated' | 'deleted' | 'noop'
      readonly version?: number
    }
  /** One bad document does not fail the others. */
  | {
      readonly ok: false
      readonly id?: string
      readonly status: 400 | 404 | 409
      readonly type: string
      readonly reason: string
    }

export interface EngineHealth {
  readonly ok: boolean
  readonly detail: string
}

export interface EngineStatistics {
  /** Reads that have begun, and reads whose turn has not come. */
  readonly reads?: { readonly running: number; readonly waiting: number }
  readonly cache?: CacheStatistics
}

/** Of the answers kept since the start: asked for and found or not, and what they take now. */
export interface CacheStatistics {
  readonly hits: number
  readonly misses: number
  readonly bytes: number
  readonly entries: number
}
