import { createHash, randomUUID } from 'node:crypto'
import type { OpenCollection } from '../../collections/open-collection.ts'
import type { Engine, WriteOperation, WriteResult } from '../../engine/engine.ts'
import { problem } from '../../errors.ts'
import type { DocumentReader } from '../../formats/document-reader.ts'
import { compileEvaluator, type Evaluator } from '../../query/evaluate/predicate-evaluator.ts'
import type { Selection } from '../../query/plan/plan.ts'
import { indexFields } from '../../query/schema/index-fields.ts'
import { type LiveChange, type LiveEvent, mergeChanges } from './live-change.ts'
import { WrittenDocuments, type WrittenSummary } from './written-documents.ts'

/** Changes that are kept for streams that resume. */
const MOST_CHANGES = 100

type FeedEngine = Pick<Engine, 'count' | 'capabilities'>

export interface FeedOptions {
  readonly engine: FeedEngine
  readonly selection: Selection
  readonly infos: OpenCollection['infos']
  readonly reader: DocumentReader
}

/** The last event a client has seen, from its id. */
export interface SeenEvent {
  readonly feed: string
  readonly number: number
  readonly total: number
  readonly revision: string
}

/** Blank: none. */
export const EVENT_ID = /^(?:([0-9a-f]{8})\.([0-9]{1,15})\.([0-9]{1,15})\.([0-9a-f]{8}))?$/

/** Parses the id of an event; undefined if it is blank. */
export function parseEventId(text: string): SeenEvent | undefined {
  const found = EVENT_ID.exec(text.trim())
  if (found === null) {
    const parameter = 'Last-Event-ID'
    throw problem('INVALID_PARAMETER', { parameter, reason: 'must be the id of an event', value: text })
  }
  const [, feed, number, total, revision = ''] = found
  return feed === undefined ? undefined : { feed, number: Number(number), total: Number(total), revision }
}

/** Changes of the documents of one selection, shared by all streams that ask for it. */
export class LiveFeed {
  readonly selection: Selection
  readonly #options: FeedOptions
  readonly #name = randomUUID().slice(0, 8)
  readonly #written = new WrittenDocuments()
  readonly #evaluators = new Map<string, Evaluator | undefined>()
  readonly #listeners = new Set<(event: LiveEvent) => void>()
  #changes: { readonly id: string; readonly number: number; readonly change: LiveChange }[] = []
  #number = 0
  #total = 0
  #revision = ''
  #hasWaited = false
  /** Inserted documents that were counted before their writes were told. */
  #early = 0

  constructor(options: FeedOptions) {
    this.#options = options
    this.selection = options.selection
  }

  get isFollowed(): boolean {
    return this.#listeners.size > 0
  }

  /** Counts the documents. Called before anything else. */
  async begin(revision: string, signal?: AbortSignal): Promise<void> {
    this.#revision = digest(revision)
    this.#total = await this.#options.engine.count(this.selection, signal)
  }

  /** The current state, and what was missed since an event: undefined for nothing. */
  resume(seen: SeenEvent | undefined): readonly LiveEvent[] {
    const state: LiveEvent = { kind: 'state', id: this.#id(), total: this.#total }
    const change = seen === undefined ? undefined : this.#missed(seen)
    return change === undefined ? [state] : [state, { kind: 'change', id: this.#id(), change }]
  }

  listen(listener: (event: LiveEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  note(index: string, operations: readonly WriteOperation[], results: readonly WriteResult[]): void {
    if (this.selection.indices.includes(index)) this.#written.note(index, operations, results)
  }

  /** Tells the streams if the indices have another revision. */
  async look(revision: string, signal?: AbortSignal): Promise<void> {
    const now = digest(revision)
    if (now === this.#revision) return
    // a write is told a moment after it is visible
    if (!this.#isLate && this.#written.isEmpty && !this.#hasWaited) {
      this.#hasWaited = true
      return
    }
    this.#hasWaited = false
    const written = await this.#written.summarise((index) => this.#evaluator(index), this.#options.reader)
    const total = await this.#options.engine.count(this.selection, signal)
    this.#revision = now
    const change = this.#changeOf(total, written)
    this.#total = total
    const isNothing = change.complete && change.inserted + change.updated === 0
    if (isNothing) return
    this.#number++
    const id = this.#id()
    this.#changes = [...this.#changes, { id, number: this.#number, change }].slice(-MOST_CHANGES)
    for (const listener of this.#listeners) listener({ kind: 'change', id, change })
  }

  /** True if writes are told before they are visible. */
  get #isLate(): boolean {
    return this.#options.engine.capabilities.refreshes === true
  }

  #id(): string {
    return [this.#name, this.#number, this.#total, this.#revision].join('.')
  }

  /**
   * Created documents are inserted. What else the total gained was changed to match, what it lost matches no longer.
   * Where writes become visible later, only the total tells.
   */
  #changeOf(total: number, { noted, created, updated, extent, newest, complete }: WrittenSummary): LiveChange {
    const gained = total - this.#total
    const isLate = this.#isLate
    const added = isLate ? Math.max(0, gained) : Math.max(0, created - this.#early)
    this.#early = isLate ? 0 : Math.max(0, this.#early - created) + Math.max(0, gained - created - updated)
    const inserted = Math.max(added, gained)
    const deleted = inserted - gained
    return {
      total,
      inserted,
      updated: Math.max(0, updated - (inserted - added)),
      deleted,
      ...(extent === undefined ? {} : { extent }),
      ...(newest === undefined ? {} : { newest }),
      complete: complete && noted > 0 && deleted === 0 && gained <= created + updated,
    }
  }

  #missed({ feed, number, total, revision }: SeenEvent): LiveChange | undefined {
    const [first] = this.#changes
    const isKept = feed === this.#name && number <= this.#number && number >= (first?.number ?? this.#number + 1) - 1
    if (isKept) {
      const missed = this.#changes.filter((one) => one.number > number).map(({ change }) => change)
      return missed.length === 0 ? undefined : missed.reduce(mergeChanges)
    }
    if (revision === this.#revision && total === this.#total) return undefined
    const gained = this.#total - total
    const [inserted, deleted] = [Math.max(0, gained), Math.max(0, -gained)]
    return { total: this.#total, inserted, updated: 0, deleted, complete: false }
  }

  #evaluator(index: string): Evaluator | undefined {
    if (!this.#evaluators.has(index)) {
      const mapping = this.#options.infos.find(({ name }) => name === index)?.mapping
      const made = mapping === undefined ? undefined : compileEvaluator(this.selection.predicate, indexFields(mapping))
      this.#evaluators.set(index, made)
    }
    return this.#evaluators.get(index)
  }
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 8)
