import type { JsonObject } from '../model/json/document.ts'
import type { Mapping } from '../model/mapping.ts'
import type { ComparableBucket, MetricValue } from '../query/aggregation/bucket.ts'
import type { AggregationPlan, MeasurePlan, SuggestPlan } from '../query/plan/aggregation-plan.ts'
import type { SearchPlan, Selection } from '../query/plan/plan.ts'
import type { Field } from '../query/schema/field.ts'
import type { ChangeFeed } from './change-feed.ts'
import type { EngineRead, ReadExplanation } from './read-explanation.ts'
import type { TagStore } from './tag-store.ts'

/** Interface of an engine. Every call stops its work when the signal aborts. */
export interface Engine {
  readonly name: string
  readonly capabilities: EngineCapabilities

  /** Returns existing indices in name order. `pattern`: a name, or a pattern with `*`. */
  indices(pattern: string, signal?: AbortSignal): Promise<readonly IndexInfo[]>
  /** Returns the current number of documents per index. Indices that do not exist are left out. */
  documentCounts(pattern: string, signal?: AbortSignal): Promise<ReadonlyMap<string, number>>
  /** Returns the bytes that indices occupy in storage of their own. Those whose size is not known are left out. */
  storedBytes(pattern: string, signal?: AbortSignal): Promise<ReadonlyMap<string, number>>

  search(plan: SearchPlan, signal?: AbortSignal): Promise<SearchResult>
  count(selection: Selection, signal?: AbortSignal): Promise<number>
  /** Returns all matching documents in batches, in no particular order, from one snapshot. Memory use is bounded. */
  scan(selection: Selection, signal?: AbortSignal): AsyncIterable<readonly StoredDocument[]>

  /** Returns buckets in the order of their level, cut to its size. Empty buckets are left out. */
  aggregate(plan: AggregationPlan, signal?: AbortSignal): Promise<AggregationResult>
  /** Returns the number of matching documents and the metrics over all of them. */
  measure(plan: MeasurePlan, signal?: AbortSignal): Promise<MeasureResult>
  suggest(plan: SuggestPlan, signal?: AbortSignal): Promise<readonly Suggestion[]>

  /** Returns the document stored under an index-level identifier. */
  document(index: string, id: string, signal?: AbortSignal): Promise<StoredDocument | undefined>

  /**
   * Throws CONFLICT if the index exists. With `opened`, the index keeps the documents that are written to it in these
   * files, and is read-only once it is sealed. Only engines with `seal` support that.
   */
  createIndex(name: string, mapping: Mapping, opened?: OpenedFiles): Promise<void>
  /** Makes an index of opened files read-only. One that is not sealed is dropped at the next start. */
  seal?(name: string): Promise<void>
  /** Throws INDEX_NOT_FOUND if the index does not exist. */
  dropIndex(name: string): Promise<void>
  /**
   * Drops an index, and gives its name to another one, with its documents. Throws INDEX_NOT_FOUND if one of them does not
   * exist. If it fails after the index was dropped, the other one keeps its name and documents.
   */
  replaceIndex(name: string, by: string): Promise<void>
  /** Adds fields. Throws INVALID_INDEX if an existing field would change. */
  extendMapping(name: string, mapping: Mapping): Promise<void>
  /** Writes one batch, atomic and durable when the promise resolves. Returns one result per operation, in order. */
  write(index: string, operations: readonly WriteOperation[], options?: WriteOptions): Promise<readonly WriteResult[]>
  /** Makes acknowledged writes visible, for engines where they are not visible at once. */
  refresh(pattern: string): Promise<void>
  /** Compacts the storage of the indices now. Engines also do it in the background when idle. */
  arrange(pattern: string): Promise<void>

  /** Document changes that subscriptions may refer to. */
  readonly changes?: ChangeFeed
  /** Writes through this engine, for those who follow documents live. */
  readonly writes: WrittenBatches
  /**
   * Returns a text per index that changes whenever its visible documents do, whoever changes them. Indices that do not
   * exist are left out. Cheap enough for every second.
   */
  revisions(indices: readonly string[], signal?: AbortSignal): Promise<ReadonlyMap<string, string>>
  /** Bulk edits of documents, with the state that must commit with them. */
  readonly tags?: TagStore

  /** Says how a read would be answered now, without answering it. Absent if the engine has one path. */
  explain?(read: EngineRead, signal?: AbortSignal): Promise<ReadExplanation>
  /** Monitoring counters, if the engine keeps them. Returns immediately and does no work. */
  statistics?(): EngineStatistics
  health(): Promise<EngineHealth>
  close(): Promise<void>
}

/** What operations on documents need of an engine. */
export type ReadEngine = Pick<
  Engine,
  'capabilities' | 'search' | 'count' | 'scan' | 'aggregate' | 'measure' | 'suggest'
>

/** Told of a batch once it is acknowledged. Must not keep the operations for long: they hold the request body. */
export type WriteListener = (
  index: string,
  operations: readonly WriteOperation[],
  results: readonly WriteResult[],
) => void

export interface WrittenBatches {
  /** Returns a function that unregisters the listener. */
  listen(listener: WriteListener): () => void
}

export interface WriteOptions {
  /** Identifier of the load in its events; several batches may share it. Generated if absent. */
  readonly load?: string
  /** If true, the changes raise no events. */
  readonly silent?: boolean
}

/** Files that an index shows without storing their documents. */
export interface OpenedFiles {
  readonly files: readonly OpenedFile[]
  /** How rows become documents, for the reader of the files. */
  readonly reading: JsonObject
}

/** A file as it was when it was opened. */
export interface OpenedFile {
  readonly path: string
  readonly size: number
  readonly modifiedMs: number
  readonly rows: number
}

/** Reads documents from opened files. */
export interface RowReader {
  /** Returns the JSON texts of the documents in the given rows, in the same order. Rows of all files count from 1. */
  read(rows: readonly number[]): Promise<readonly string[]>
}

export interface EngineCapabilities {
  /** Upper bound of from + size; undefined if unbounded. */
  readonly resultWindow?: number
  /** Features that read documents one by one, and therefore only up to `limits.scan` documents; beyond that: 501. */
  readonly byScan?: readonly string[]
  /** Maximum number of fields per index. Further fields of documents are ignored; larger mappings are rejected. */
  readonly mostFields: number
  /** True if acknowledged writes become visible at the next refresh of the index. */
  readonly refreshes?: boolean
  /** True if mappings may have sub-fields (`fields`). */
  readonly subFields?: boolean
}

export interface IndexInfo {
  readonly name: string
  readonly mapping: Mapping
  /** Constant during the lifetime of the index. */
  readonly uuid: string
  /** Changes with every write, mapping change or re-creation. Absent if the engine cannot determine it cheaply. */
  readonly version?: string
  /** The index shows opened files: its documents cannot be changed. */
  readonly isReadOnly?: true
  /** Documents are indexed but not stored: they cannot be shown or changed. */
  readonly keepsSources?: false
  /** Other names of the index: its aliases. For an alias, the indices behind it. */
  readonly alsoNamed?: readonly string[]
}

export interface FoundDocument {
  readonly index: string
  /** Index-level identifier, if the plan asked for it. */
  readonly id?: string
  readonly source: JsonObject
  /** JSON text of `source` as stored, if the engine has it. Integers beyond 2^53 are exact only here. */
  readonly text?: string
}

export interface StoredDocument extends FoundDocument {
  readonly id: string
}

export interface SearchResult {
  /** Number of documents in the selection, ignoring the cursor. Absent if not requested. */
  readonly total?: number
  readonly hits: readonly FoundDocument[]
}

export interface AggregationResult extends BucketList {
  /** Number of documents in the selection, inside or outside a bucket. */
  readonly total: number
}

export interface BucketList {
  readonly buckets: readonly Bucket[]
  /** Sum of the counts of the buckets cut off by size. */
  readonly others: number
}

export interface Bucket extends ComparableBucket {
  /** Selected documents, for each entry of the level's tops. */
  readonly tops: readonly (readonly FoundDocument[])[]
  /** Buckets of the next level; absent at the last level. */
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
  /** `id`: generated if absent. `text`: JSON of `source` as sent, if available. */
  | {
      readonly kind: 'index'
      readonly id?: string
      readonly source: JsonObject
      readonly text?: string
      /** Row of the document in the files of an index of opened files, which stores it instead of the source. */
      readonly fileRow?: number
    }
  | { readonly kind: 'create'; readonly id?: string; readonly source: JsonObject; readonly text?: string }
  /**
   * Members of `doc` replace those of the stored document, objects are merged key by key. `upsert`: create if missing.
   */
  | { readonly kind: 'update'; readonly id: string; readonly doc: JsonObject; readonly upsert?: boolean }
  | { readonly kind: 'delete'; readonly id: string }

export type WriteResult =
  | {
      readonly ok: true
      readonly id: string
      readonly result: 'created' | 'updated' | 'deleted' | 'noop'
      readonly version?: number
    }
  /** A rejected document does not fail the others. */
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
  /** Reads in progress, and reads in the queue. */
  readonly reads?: { readonly running: number; readonly waiting: number }
  readonly cache?: CacheStatistics
  /** Reads since the start, by what answered them: kernels, or statements of the database for some reason. */
  /** Columns of segments in memory; loads and evictions since the start. */
  readonly memory?: MemoryStatistics
  readonly paths?: { readonly kernel: number; readonly sql: ReadonlyMap<string, number> }
}

export interface MemoryStatistics {
  readonly bytes: number
  /** Columns beyond are in memory only as long as they are used. */
  readonly maxBytes: number
  readonly loads: number
  readonly evictions: number
}

/** Hits and misses since the start, and current size of the cache. */
export interface CacheStatistics {
  readonly hits: number
  readonly misses: number
  readonly bytes: number
  readonly entries: number
}
