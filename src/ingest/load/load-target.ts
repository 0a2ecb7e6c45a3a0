import type { WriteResult } from '../../engine/engine.ts'
import type { JsonObject } from '../../model/json/document.ts'
import type { Mapping } from '../../model/mapping.ts'
import type { LoadPlan } from '../plan/load-plan.ts'

/** A document to be written; `text` is its JSON. */
export interface OutgoingDocument {
  readonly id?: string
  readonly source: JsonObject
  readonly text: string
  /** Number of its row; rows of all files count from 1. */
  readonly row: number
}

/** A collection as it is stored: its name and the members of its reference. */
export type StoredReference = Readonly<Record<string, unknown>>

/** Where documents are loaded into: a server, or the data directory. */
export interface LoadTarget {
  /** For messages: `the server at http://...`. */
  readonly where: string
  /** Undefined if the index does not exist. */
  mappingOf(index: string): Promise<Mapping | undefined>
  countOf(index: string): Promise<number>
  /** `plan`: of the documents that will be written. */
  createIndex(index: string, mapping: Mapping, plan: LoadPlan): Promise<void>
  dropIndex(index: string): Promise<void>
  /** Names of the indices that match a pattern. Absent if interrupted loads leave no indices behind. */
  namesLike?(pattern: string): Promise<readonly string[]>
  /** Drops an index, and gives its name to another one. */
  replaceIndex(index: string, by: string): Promise<void>
  /** Undefined if the collection does not exist. */
  referenceOf(collection: string): Promise<StoredReference | undefined>
  putReference(collection: string, reference: StoredReference): Promise<void>
  /** Returns one result per document, in order. */
  write(index: string, documents: readonly OutgoingDocument[]): Promise<readonly WriteResult[]>
  /** Called when all documents of a new index were written, before it is registered as a collection. */
  complete?(index: string): Promise<void>
  /** Arranges the index after a load. */
  settle(index: string): Promise<void>
}

/** A row that was not loaded, with the reason, so that it can be fixed and loaded again. */
export interface Reject {
  /** Only if several files are loaded. */
  readonly file?: string
  readonly line: number
  readonly reason: string
  readonly text: string
}

export interface LoadProgress {
  readonly documents: number
  readonly rejected: number
  /** Bytes read of all files. */
  readonly bytes: number
}

/** Receives what happens during a load. */
export interface LoadReport {
  say(text: string): void
  /** Called when everything is decided, before the first document is written. */
  start(): void
  reject(rejects: readonly Reject[]): void
  progress(progress: LoadProgress): void
}
