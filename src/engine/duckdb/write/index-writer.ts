import type { DuckDBConnection } from '@duckdb/node-api'
import { problem } from '../../../errors.ts'
import type { JsonObject } from '../../../model/json/document.ts'
import { parseRewritable } from '../../../model/json/exact-json.ts'
import { asObject } from '../../../model/json/json-object.ts'
import type { WriteOperation, WriteResult } from '../../engine.ts'
import type { ReadingThread } from '../columns/reading-thread.ts'
import type { SettledRows } from '../columns/row-batch.ts'
import type { IndexDefinition } from '../index/index-definition.ts'
import type { TableLayout } from '../index/table-layout.ts'
import type { StoredRow } from '../parts/index-parts.ts'
import { saveDefinition } from '../table/catalog.ts'
import type { IndexTable } from '../table/index-table.ts'
import type { NewChange } from './change-log.ts'
import { KnownIds } from './known-ids.ts'
import { fits, type PlannedWrite, planIn, rowsToRead } from './planned-write.ts'
import { findStored, removeRows } from './stored-rows.ts'
import { changesOf, type WantedChanges } from './write-changes.ts'

/** Result of a transaction: the new table, and an outcome for each write. */
interface WriteOutcome {
  readonly table: IndexTable
  readonly outcomes: readonly OneOutcome[]
}

interface OneOutcome {
  readonly results: readonly WriteResult[]
  readonly changes: readonly NewChange[]
}

/** A plan with the stored rows of the documents it names. */
interface ReadyWrite extends PlannedWrite {
  readonly stored: ReadonlyMap<string, StoredRow>
}

/** A write in the queue. */
export interface AnnouncedWrite {
  readonly uuid: string
  readonly operations: readonly WriteOperation[]
  readonly wants: WantedChanges
  /** Ids of the write that may be stored when it is executed. */
  readonly met: readonly string[]
  /**
   * The plan, or a promise of it. Only if none of the ids may be stored; otherwise the stored documents must be read
   * first, which has to wait until the write is executed.
   */
  readonly planned: Promise<PlannedWrite> | undefined
}

/** Writes batches to the tables. Keeps the known ids of each index it has written to. */
export class IndexWriter {
  readonly #knownIds = new Map<string, KnownIds>()
  readonly #thread: ReadingThread
  readonly #mostFields: number

  constructor(thread: ReadingThread, mostFields: number) {
    this.#thread = thread
    this.#mostFields = mostFields
  }

  /** Registers a new write. Plans it in advance if that does not depend on earlier writes. */
  announce(
    { definition, parts }: IndexTable,
    operations: readonly WriteOperation[],
    wants: WantedChanges,
  ): AnnouncedWrite {
    const { uuid } = definition
    let known = this.#knownIds.get(uuid)
    if (!known) {
      known = new KnownIds(definition.nextSeq === 0)
      this.#knownIds.set(uuid, known)
    }
    const ids = idsOf(operations)
    const met = known.announce(ids, (id) => parts.mayHave(id))
    const isNew = met.length === 0
    const planned = isNew ? this.#planNew(definition, operations, known) : undefined
    // The write reports the error when it is executed. Until then no one awaits the promise.
    planned?.catch(() => undefined)
    return { uuid, operations, wants, met, planned }
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

  /** True if the writes only add rows to this table, so that they can share a transaction. */
  async canJoin(table: IndexTable | undefined, writes: readonly AnnouncedWrite[]): Promise<boolean> {
    const definition = table?.definition
    const all = await Promise.all(writes.map(({ planned }) => planned))
    return all.every((planned) => {
      return definition && planned && fits(planned, definition) && planned.layout === definition.layout
    })
  }

  /**
   * Executes writes inside the transaction of `connection`. Several are only allowed if `canJoin` is true. The caller
   * publishes the new table after the commit.
   */
  async write(
    connection: DuckDBConnection,
    table: IndexTable,
    writes: readonly AnnouncedWrite[],
  ): Promise<WriteOutcome> {
    const outcomes: OneOutcome[] = []
    const added: SettledRows[] = []
    let { definition, parts } = table
    for (const write of writes) {
      const { plan, batch, mapping, layout, stored } = await this.#planned(connection, table, write)
      const removed = new Map([...plan.removed].flatMap((id) => pairOf(id, stored)))
      const changes = await changesOf(table, plan, batch, removed, write.wants)
      outcomes.push({ results: plan.results, changes })
      if (batch.size === 0 && removed.size === 0) continue
      await addColumns(connection, definition, layout)
      await removeRows(connection, table, [...removed.values()])
      const { nextSeq, sourceEnd, sourceStale } = definition
      const rows = batch.settle(layout, (row) => nextSeq + row, sourceEnd)
      parts = await parts.removed([...removed.values()].map(({ seq }) => seq))
      if (batch.size > 0) {
        added.push(rows)
        parts = parts.added(rows.incoming(), layout)
      }
      definition = {
        ...definition,
        mapping,
        layout,
        documents: definition.documents + batch.size - removed.size,
        nextSeq: nextSeq + batch.size,
        sourceEnd: sourceEnd + rows.sources.length,
        sourceStale: removed.values().reduce((sum, { size }) => sum + size, sourceStale),
        version: definition.version + 1,
      }
    }
    if (definition === table.definition) return { table, outcomes }
    await store(connection, table, definition, added)
    return { table: table.changed(definition, parts), outcomes }
  }

  forget(uuid: string): void {
    this.#knownIds.delete(uuid)
  }

  async #planned(connection: DuckDBConnection, table: IndexTable, write: AnnouncedWrite): Promise<ReadyWrite> {
    const { definition, name } = table
    const known = this.#knownIds.get(write.uuid)
    // The index was dropped meanwhile, and possibly created again.
    if (write.uuid !== definition.uuid || !known) throw problem('INDEX_NOT_FOUND', { name })
    const early = await write.planned
    // A plan cannot be reused after a failed transaction: its rows can be settled only once.
    if (early && fits(early, definition) && !early.batch.isSettled) return { ...early, stored: new Map() }
    const stored = await findStored(connection, table, new Set(write.met))
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

/** Stores the definition, and adds rows and their sources. Syncs the source file. */
async function store(
  connection: DuckDBConnection,
  { table, sources, definition: before }: IndexTable,
  definition: IndexDefinition,
  added: readonly SettledRows[],
): Promise<void> {
  const toDisk = async (): Promise<void> => {
    if (added.length === 0) return
    await sources.write(
      before.sourceEnd,
      added.map((rows) => rows.sources),
    )
    await sources.sync()
  }
  const toTable = async (): Promise<void> => {
    await saveDefinition(connection, definition)
    for (const rows of added) await rows.appendTo(connection, table)
  }
  // Wait for both even if one fails: the transaction must not end while rows are being appended.
  const outcomes = await Promise.allSettled([toDisk(), toTable()])
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
}

/** Adds the columns that `layout` has beyond the stored one. */
export async function addColumns(
  connection: DuckDBConnection,
  stored: IndexDefinition,
  layout: TableLayout,
): Promise<void> {
  for (const column of layout.columns.slice(stored.layout.columns.length)) {
    await connection.run(`ALTER TABLE ${stored.table} ADD COLUMN ${column.name} ${column.sqlType}`)
  }
}
