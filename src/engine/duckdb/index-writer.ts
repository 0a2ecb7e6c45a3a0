import { type DuckDBConnection, DuckDBListValue } from '@duckdb/node-api'
import { inferMapping } from '../../ingest/infer-mapping.ts'
import type { JsonObject } from '../../model/document.ts'
import { parseRewritable } from '../../model/exact-json.ts'
import { extendMapping } from '../../model/extend-mapping.ts'
import type { Mapping } from '../../model/mapping.ts'
import { BodyDocumentWrite } from '../body-document.ts'
import type { WriteOperation, WriteResult } from '../engine.ts'
import { saveDefinition } from './catalog.ts'
import type { NewChange } from './change-log.ts'
import { IdFilter } from './id-filter.ts'
import { type IndexDefinition, IndexTable } from './index-table.ts'
import { RowBatch, type SettledRows } from './row-batch.ts'
import { compileIdLookup } from './selection-sql.ts'
import { layoutOf, type TableLayout, withSeveral } from './table-layout.ts'
import { changesOf, type WantedChanges } from './write-changes.ts'
import { planWrite, type WritePlan } from './write-plan.ts'

export interface WriteOutcome {
  readonly table: IndexTable
  readonly results: readonly WriteResult[]
  readonly changes: readonly NewChange[]
}

/** A write worked out up to the table: what it adds, and the mapping and layout that takes. */
interface PlannedWrite {
  /** The layout it was worked out against. */
  readonly base: TableLayout
  readonly mapping: Mapping
  readonly layout: TableLayout
  readonly batch: RowBatch
  readonly plan: WritePlan
}

/** A write worked out before its turn, and the filter that knows its ids already. */
interface PreparedWrite extends PlannedWrite {
  readonly knownTo: IdFilter | undefined
}

/** Writes batches into the tables; holds the id filter of each index it has written to. */
export class IndexWriter {
  readonly #idFilters = new Map<string, IdFilter>()

  /**
   * Works a write out before its turn, while an earlier one is on its way to the disk. Only when no document it names
   * can be stored already: otherwise what is stored must be read first, in turn.
   */
  prepare({ definition }: IndexTable, operations: readonly WriteOperation[]): PreparedWrite | undefined {
    const filter = this.#idFilters.get(definition.uuid)
    for (const { id } of operations) {
      if (id !== undefined && (filter === undefined || filter.mayContain(id))) return undefined
    }
    const planned = planIn(definition, operations, new Map())
    // Known at once, so that a write that comes meanwhile and names one of them waits for its turn.
    for (const id of planned.plan.added.keys()) filter?.add(id)
    return { ...planned, knownTo: filter }
  }

  /** Inside the transaction of `connection`. The caller makes the new table visible once it has committed. */
  async write(
    connection: DuckDBConnection,
    table: IndexTable,
    operations: readonly WriteOperation[],
    prepared: PreparedWrite | undefined,
    wants: WantedChanges,
  ): Promise<WriteOutcome> {
    const { definition } = table
    const usable = prepared?.base === definition.layout ? prepared : undefined
    const planned = usable ?? (await this.#plan(connection, table, operations))
    const { plan, batch, mapping, layout } = planned
    // The filter may have been made, from the table as it was, since the write was prepared.
    const filter = this.#idFilters.get(definition.uuid)
    if (filter && filter !== usable?.knownTo) for (const id of plan.added.keys()) filter.add(id)
    if (plan.added.size === 0 && plan.removed.size === 0) return { table, results: plan.results, changes: [] }
    const changes = await changesOf(connection, table, plan, batch, wants)
    const { nextSeq, sourceEnd } = definition
    const rows = batch.settle(layout, (row) => nextSeq + row, sourceEnd)
    const changed: IndexDefinition = {
      ...definition,
      mapping,
      layout,
      documents: definition.documents + batch.size - plan.removed.size,
      nextSeq: nextSeq + batch.size,
      sourceEnd: sourceEnd + rows.sources.length,
      version: definition.version + 1,
    }
    await addColumns(connection, definition, layout)
    if (plan.removed.size > 0) await this.#remove(connection, table, [...plan.removed])
    if (batch.size > 0) await store(connection, table, rows)
    await saveDefinition(connection, changed)
    return { table: new IndexTable(changed, table.terms, table.sources), results: plan.results, changes }
  }

  forget(uuid: string): void {
    this.#idFilters.delete(uuid)
  }

  async #plan(
    connection: DuckDBConnection,
    table: IndexTable,
    operations: readonly WriteOperation[],
  ): Promise<PlannedWrite> {
    const stored = await this.#storedDocuments(connection, table, operations)
    return planIn(table.definition, operations, stored)
  }

  async #storedDocuments(
    connection: DuckDBConnection,
    table: IndexTable,
    operations: readonly WriteOperation[],
  ): Promise<ReadonlyMap<string, JsonObject | undefined>> {
    const ids = new Set(operations.flatMap((o) => o.id ?? []))
    if (ids.size === 0) return new Map()
    const filter = await this.#idFilter(connection, table)
    const candidates = [...ids].filter((id) => filter.mayContain(id))
    if (candidates.length === 0) return new Map()
    const updated = new Set(operations.flatMap((o) => (o.kind === 'update' ? [o.id] : [])))
    const sql = `SELECT _id, _at, _size FROM ${table.table} WHERE ${compileIdLookup(table)}`
    const rows = await (await connection.run(sql, [new DuckDBListValue(candidates)])).getRows()
    const stored = new Map<string, JsonObject | undefined>(rows.map(([id]) => [String(id), undefined]))
    const wanted = rows.filter(([id]) => updated.has(String(id)))
    const sources = await table.sources.read(wanted.map(([, at, size]) => ({ at: Number(at), size: Number(size) })))
    for (const [i, [id]] of wanted.entries()) stored.set(String(id), parseRewritable(String(sources[i])))
    return stored
  }

  /** Filled from the table when the index is first written to with ids since the server started. */
  async #idFilter(connection: DuckDBConnection, table: IndexTable): Promise<IdFilter> {
    const known = this.#idFilters.get(table.definition.uuid)
    if (known) return known
    const filter = new IdFilter()
    const result = await connection.stream(`SELECT _id FROM ${table.table}`)
    for await (const rows of result.yieldRows()) for (const [id] of rows) filter.add(String(id))
    this.#idFilters.set(table.definition.uuid, filter)
    return filter
  }

  async #remove(connection: DuckDBConnection, table: IndexTable, ids: readonly string[]): Promise<void> {
    await connection.run(`DELETE FROM ${table.table} WHERE ${compileIdLookup(table)}`, [new DuckDBListValue(ids)])
  }
}

/** Adds rows and their sources; the sources are on disk when it ends. */
async function store(connection: DuckDBConnection, { table, sources, definition }: IndexTable, rows: SettledRows) {
  await sources.write(definition.sourceEnd, rows.sources)
  // Both are waited for, whatever becomes of either: the transaction must not end before the rows are with it.
  const outcomes = await Promise.allSettled([sources.sync(), rows.appendTo(connection, table)])
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
}

/** Plans again with the wider mapping when documents bring fields it lacks. */
function planIn(
  { mapping, layout: base }: IndexDefinition,
  operations: readonly WriteOperation[],
  stored: ReadonlyMap<string, JsonObject | undefined>,
): PlannedWrite {
  const body = bodyOf(operations)
  const batch = new RowBatch(mapping, base, operations.length, body)
  const plan = planWrite(operations, stored, batch)
  if (batch.unmapped.length === 0) return { base, mapping, layout: withSeveral(base, batch.several), batch, plan }
  const wider = learn(mapping, batch.unmapped)
  const widerLayout = layoutOf(wider, base)
  const widerBatch = new RowBatch(wider, widerLayout, operations.length, body)
  const again = planWrite(operations, stored, widerBatch)
  return { base, mapping: wider, layout: withSeveral(widerLayout, widerBatch.several), batch: widerBatch, plan: again }
}

/** Where the documents lie; those of one write come from one request. */
function bodyOf(operations: readonly WriteOperation[]): Buffer | undefined {
  for (const operation of operations) if (operation instanceof BodyDocumentWrite) return operation.document.body
  return undefined
}

function learn(mapping: Mapping, documents: readonly JsonObject[]): Mapping {
  return extendMapping(mapping, inferMapping(documents), 'keep')
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
