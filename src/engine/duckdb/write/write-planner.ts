import { problem } from '../../../errors.ts'
import type { JsonObject } from '../../../model/json/document.ts'
import { parseRewritable } from '../../../model/json/exact-json.ts'
import { asObject } from '../../../model/json/json-object.ts'
import type { WriteOperation } from '../../engine.ts'
import type { ReadingThread } from '../columns/reading-thread.ts'
import type { IndexDefinition } from '../index/index-definition.ts'
import type { StoredRow } from '../parts/index-parts.ts'
import type { IndexTable } from '../table/index-table.ts'
import { KnownIds } from './known-ids.ts'
import { fits, type PlannedWrite, planIn, rowsToRead } from './planned-write.ts'
import type { WantedChanges } from './write-changes.ts'

/** A plan with the stored rows of the documents it names. */
export interface ReadyWrite extends PlannedWrite {
  readonly stored: ReadonlyMap<string, StoredRow>
}

/** A write of a request. */
export interface RequestedWrite {
  readonly index: string
  readonly operations: readonly WriteOperation[]
  readonly wants: WantedChanges
  /** Cause recorded with its changes. */
  readonly cause: string
  readonly acceptedMs: number
  /** Returns the mark to record with its changes. */
  readonly mark: () => number
  /** True for documents in opened files, which the journal cannot hold. */
  readonly isOpened?: boolean
}

/** A write in the queue. */
export interface AnnouncedWrite extends RequestedWrite {
  readonly uuid: string
  /** Ids of the write that may be stored when it is executed. */
  readonly met: readonly string[]
  /**
   * The plan, or a promise of it. Only if none of the ids may be stored; otherwise the stored documents must be read
   * first, which has to wait until the write is executed.
   */
  readonly planned: Promise<PlannedWrite> | undefined
}

/** Plans writes. Keeps the known ids of each index it has planned writes for. */
export class WritePlanner {
  readonly #knownIds = new Map<string, KnownIds>()
  readonly #thread: ReadingThread
  readonly #mostFields: number

  constructor(thread: ReadingThread, mostFields: number) {
    this.#thread = thread
    this.#mostFields = mostFields
  }

  /** Registers a new write. Plans it in advance if that does not depend on earlier writes. */
  announce({ definition, parts }: IndexTable, write: RequestedWrite): AnnouncedWrite {
    const { uuid } = definition
    let known = this.#knownIds.get(uuid)
    if (!known) {
      known = new KnownIds(definition.nextSeq === 0)
      this.#knownIds.set(uuid, known)
    }
    const ids = idsOf(write.operations)
    const met = known.announce(ids, (id) => parts.mayHave(id))
    const isNew = met.length === 0
    const planned = isNew ? this.#planNew(definition, write.operations, known) : undefined
    // The write reports the error when it is executed. Until then no one awaits the promise.
    planned?.catch(() => undefined)
    return { ...write, uuid, met, planned }
  }

  /** Plans a write of new documents. Large ones are read on the worker thread. */
  async #planNew(
    definition: IndexDefinition,
    operations: readonly WriteOperation[],
    known: KnownIds,
  ): Promise<PlannedWrite> {
    const rows = rowsToRead(operations)
    const read = rows && (await this.#thread.read(definition, rows))
    const planned = planIn(definition, operations, { mostFields: this.#mostFields, read })
    known.announce(planned.plan.made, () => false)
    return planned
  }

  forget(uuid: string): void {
    this.#knownIds.delete(uuid)
  }

  /**
   * Plans a write for the current state of its index, unless that was done in advance. `stored`: the documents it may
   * meet.
   */
  async plan(table: IndexTable, write: AnnouncedWrite, stored: ReadonlyMap<string, StoredRow>): Promise<ReadyWrite> {
    const { definition, name } = table
    const known = this.#knownIds.get(write.uuid)
    // The index was dropped meanwhile, and possibly created again.
    if (write.uuid !== definition.uuid || !known) throw problem('INDEX_NOT_FOUND', { name })
    const early = await write.planned
    // A plan cannot be reused after a failed transaction: its rows can be settled only once.
    if (early && fits(early, definition) && !early.batch.isSettled) return { ...early, stored }
    const documents = await storedDocuments(table, write.operations, stored)
    const planned = planIn(definition, write.operations, { mostFields: this.#mostFields, stored: documents })
    known.announce(planned.plan.made, () => false)
    return { ...planned, stored }
  }
}

/** Returns the documents of stored rows. Only updates need the sources, so others are undefined. */
async function storedDocuments(
  table: IndexTable,
  operations: readonly WriteOperation[],
  stored: ReadonlyMap<string, StoredRow>,
): Promise<ReadonlyMap<string, JsonObject | undefined>> {
  const documents = new Map<string, JsonObject | undefined>([...stored.keys()].map((id) => [id, undefined]))
  const updated = new Set(operations.flatMap((o) => (o.kind === 'update' && stored.has(o.id) ? [o.id] : [])))
  const rows = [...updated].flatMap((id) => pairOf(id, stored))
  const sources = await table.sources.read(rows.map(([, row]) => row))
  for (const [i, [id]] of rows.entries()) documents.set(id, asObject(parseRewritable(String(sources[i]))))
  return documents
}

function pairOf<V>(id: string, values: ReadonlyMap<string, V>): readonly (readonly [string, V])[] {
  const value = values.get(id)
  return value === undefined ? [] : [[id, value]]
}

function idsOf(operations: readonly WriteOperation[]): readonly string[] {
  const ids: string[] = []
  for (const { id } of operations) if (id !== undefined) ids.push(id)
  return ids
}
