import { type DuckDBConnection, DuckDBListValue } from '@duckdb/node-api'
import { problem } from '../../../errors.ts'
import type { JsonObject } from '../../../model/document.ts'
import { parseRewritable } from '../../../model/exact-json.ts'
import type { WriteOperation, WriteResult } from '../../engine.ts'
import type { ReadingThread } from '../columns/reading-thread.ts'
import type { SettledRows } from '../columns/row-batch.ts'
import { compileIdLookup } from '../condition/selection-sql.ts'
import { saveDefinition } from '../index/catalog.ts'
import type { IndexDefinition } from '../index/index-definition.ts'
import type { IndexTable } from '../index/index-table.ts'
import type { TableLayout } from '../index/table-layout.ts'
import type { NewChange } from './change-log.ts'
import { KnownIds } from './known-ids.ts'
import { fits, type PlannedWrite, planIn, rowsToRead } from './planned-write.ts'
import { changesOf, type WantedChanges } from './write-changes.ts'

/** What a transaction has done: the index afterwards, and an outcome for each write. */
export interface WriteOutcome {
  readonly table: IndexTable
  readonly outcomes: readonly OneOutcome[]
}

interface OneOutcome {
  readonly results: readonly WriteResult[]
  readonly changes: readonly NewChange[]
  /** Ids of documents that were stored before, and are gone or replaced. */
  readonly removed: ReadonlySet<string>
}

/** A write that waits for its turn. */
export interface AnnouncedWrite {
  readonly uuid: string
  readonly operations: readonly WriteOperation[]
  readonly wants: WantedChanges
  /** Ids it names that may be stored when its turn comes; undefined: any of them may. */
  readonly met: readonly string[] | undefined
  /**
   * Worked out already, or soon. Only when none of its ids may be stored: otherwise what is stored must be read first, in
   * turn.
   */
  readonly planned: Promise<PlannedWrite> | undefined
}

/** Writes batches into the tables; knows the ids of each index it has written to. */
export class IndexWriter {
  readonly #knownIds = new Map<string, KnownIds>()
  readonly #thread: ReadingThread
  readonly #mostFields: number

  constructor(thread: ReadingThread, mostFields: number) {
    this.#thread = thread
    this.#mostFields = mostFields
  }

  /** Takes note of a write when it comes, and works it out if that can be done while an earlier one is under way. */
  announce({ definition }: IndexTable, operations: readonly WriteOperation[], wants: WantedChanges): AnnouncedWrite {
    const { uuid } = definition
    let known = this.#knownIds.get(uuid)
    if (!known) {
      known = new KnownIds(definition.nextSeq === 0)
      this.#knownIds.set(uuid, known)
    }
    const ids = idsOf(operations)
    const met = known.announce(ids)
    const isNew = ids.length === 0 || met?.length === 0
    const planned = isNew ? this.#planNew(definition, operations, known) : undefined
    // Whoever carries it out learns of a fault; until then nobody waits for it.
    planned?.catch(() => undefined)
    return { uuid, operations, wants, met, planned }
  }

  /** Works out a write of new documents; many of them are read on a thread of its own. */
  async #planNew(
    definition: IndexDefinition,
    operations: readonly WriteOperation[],
    known: KnownIds,
  ): Promise<PlannedWrite> {
    const rows = rowsToRead(operations)
    const read = rows && (await this.#thread.read(definition, rows))
    const planned = planIn(definition, operations, { mostFields: this.#mostFields, read })
    known.announce(planned.plan.made)
    return planned
  }

  /** Nothing but rows of this table come of the writes, so that they can share a transaction. */
  async canJoin(table: IndexTable | undefined, writes: readonly AnnouncedWrite[]): Promise<boolean> {
    const definition = table?.definition
    const all = await Promise.all(writes.map(({ planned }) => planned))
    return all.every((planned) => {
      return definition && planned && fits(planned, definition) && planned.layout === definition.layout
    })
  }

  /**
   * Inside the transaction of `connection`; several writes only if they can join. The caller makes the new table visible
   * once it has committed.
   */
  async write(
    connection: DuckDBConnection,
    table: IndexTable,
    writes: readonly AnnouncedWrite[],
  ): Promise<WriteOutcome> {
    const outcomes: OneOutcome[] = []
    const added: SettledRows[] = []
    let definition = table.definition
    for (const write of writes) {
      const { plan, batch, mapping, layout } = await this.#planned(connection, table, write)
      const changes = await changesOf(connection, table, plan, batch, write.wants)
      outcomes.push({ results: plan.results, changes, removed: plan.removed })
      if (batch.size === 0 && plan.removed.size === 0) continue
      await addColumns(connection, definition, layout)
      if (plan.removed.size > 0) await this.#remove(connection, table, [...plan.removed])
      const { nextSeq, sourceEnd } = definition
      const rows = batch.settle(layout, (row) => nextSeq + row, sourceEnd)
      if (batch.size > 0) added.push(rows)
      definition = {
        ...definition,
        mapping,
        layout,
        documents: definition.documents + batch.size - plan.removed.size,
        nextSeq: nextSeq + batch.size,
        sourceEnd: sourceEnd + rows.sources.length,
        version: definition.version + 1,
      }
    }
    if (definition === table.definition) return { table, outcomes }
    await store(connection, table, definition, added)
    return { table: table.changed(definition), outcomes }
  }

  forget(uuid: string): void {
    this.#knownIds.delete(uuid)
  }

  async #planned(connection: DuckDBConnection, table: IndexTable, write: AnnouncedWrite): Promise<PlannedWrite> {
    const { definition, name } = table
    const known = this.#knownIds.get(write.uuid)
    // One that was dropped meanwhile, and perhaps made anew.
    if (write.uuid !== definition.uuid || !known) throw problem('INDEX_NOT_FOUND', { name })
    const early = await write.planned
    // Not once more after a transaction that failed: rows are settled but once.
    if (early && fits(early, definition) && !early.batch.isSettled) return early
    const stored = await this.#storedDocuments(connection, table, write, known)
    const planned = planIn(definition, write.operations, { mostFields: this.#mostFields, stored })
    known.announce(planned.plan.made)
    return planned
  }

  async #storedDocuments(
    connection: DuckDBConnection,
    table: IndexTable,
    { operations, met }: AnnouncedWrite,
    known: KnownIds,
  ): Promise<ReadonlyMap<string, JsonObject | undefined>> {
    const candidates = [...new Set(met ?? idsOf(operations))]
    if (candidates.length === 0) return new Map()
    if (met === undefined) await known.lookingUp(candidates.length, connection, table)
    const updated = new Set(operations.flatMap((o) => (o.kind === 'update' ? [o.id] : [])))
    const sql = `SELECT _id, _at, _size FROM ${table.table} WHERE ${compileIdLookup(table)}`
    const rows = await (await connection.run(sql, [new DuckDBListValue(candidates)])).getRows()
    const stored = new Map<string, JsonObject | undefined>(rows.map(([id]) => [String(id), undefined]))
    const wanted = rows.filter(([id]) => updated.has(String(id)))
    const sources = await table.sources.read(wanted.map(([, at, size]) => ({ at: Number(at), size: Number(size) })))
    for (const [i, [id]] of wanted.entries()) stored.set(String(id), parseRewritable(String(sources[i])))
    return stored
  }

  async #remove(connection: DuckDBConnection, table: IndexTable, ids: readonly string[]): Promise<void> {
    await connection.run(`DELETE FROM ${table.table} WHERE ${compileIdLookup(table)}`, [new DuckDBListValue(ids)])
  }
}

function idsOf(operations: readonly WriteOperation[]): readonly string[] {
  const ids: string[] = []
  for (const { id } of operations) if (id !== undefined) ids.push(id)
  return ids
}

/** Stores the definition, and adds rows and their sources; the sources are on disk when it ends. */
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
  // Both are waited for, whatever becomes of either: the transaction must not end before the rows are with it.
  const outcomes = await Promise.allSettled([toDisk(), toTable()])
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
}

/** Adds the columns a layout has beyond those of the stored one. */
export async function addColumns(
  connection: DuckDBConnection,
  stored: IndexDefinition,
  layout: TableLayout,
): Promise<void> {
  for (const column of layout.columns.slice(stored.layout.columns.length)) {
    await connection.run(`ALTER TABLE ${stored.table} ADD COLUMN ${column.name} ${column.sqlType}`)
  }
}
