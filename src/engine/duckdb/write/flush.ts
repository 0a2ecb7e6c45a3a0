import type { DuckDBConnection } from '@duckdb/node-api'
import type { JsonObject } from '../../../model/json/document.ts'
import { inTurns } from '../../../turn.ts'
import { BodyDocument, BodyDocumentWrite } from '../../body-document.ts'
import type { ReadingThread } from '../columns/reading-thread.ts'
import { RowBatch, type SourceDocument } from '../columns/row-batch.ts'
import { NOT_IN_BODY, type RowsToRead } from '../columns/row-reading.ts'
import { StringHeap } from '../columns/string-heap.ts'
import { runOn, SCHEMA } from '../database/bookkeeping.ts'
import type { IndexDefinition } from '../index/index-definition.ts'
import { readDefinition, saveDefinition } from '../table/catalog.ts'
import type { IndexTable } from '../table/index-table.ts'
import type { ChangeLog } from './change-log.ts'
import type { JournalEntry } from './journal-entry.ts'
import { removeRows } from './stored-rows.ts'

const TABLE = `${SCHEMA}.journal`

/** Minimum number of documents that justifies passing them to the worker thread. */
const MANY = 500

const BRACE = 0x7b

/** The entries of one record of the journal. */
export interface JournaledWrites {
  /** Number of the record. */
  readonly number: number
  readonly entries: readonly JournalEntry[]
}

interface FlushOptions {
  readonly table: (name: string) => IndexTable | undefined
  readonly changes: ChangeLog
  /** Reads the documents of large flushes. */
  readonly thread?: ReadingThread
  /** True if a crash may have left the source files without the documents. */
  readonly writesSources?: boolean
}

/** Creates the table that tells up to which record the database is complete. */
export async function makeJournalTable(connection: DuckDBConnection): Promise<void> {
  const run = runOn(connection)
  await run(`CREATE SCHEMA IF NOT EXISTS ${SCHEMA}`)
  await run(`CREATE TABLE IF NOT EXISTS ${TABLE} (flushed BIGINT)`)
  await run(`INSERT INTO ${TABLE} SELECT 0 WHERE NOT EXISTS (FROM ${TABLE})`)
}

/** Returns the number of the last record in the database. */
export async function readFlushed(connection: DuckDBConnection): Promise<number> {
  const [row] = await runOn(connection)(`SELECT flushed FROM ${TABLE}`)
  return Number(row?.[0] ?? 0)
}

/**
 * Adds journaled writes to the database, inside the transaction of `connection`. Skips those that it has, so that a
 * flush can be repeated after a commit whose outcome is unknown. Returns the new definitions of the indices.
 */
export async function flush(
  connection: DuckDBConnection,
  writes: readonly JournaledWrites[],
  options: FlushOptions,
): Promise<readonly IndexDefinition[]> {
  const flushed = await readFlushed(connection)
  const due = writes.filter(({ number }) => number > flushed)
  const last = due.at(-1)
  if (!last) return []
  const definitions: IndexDefinition[] = []
  const entries = due.flatMap((record) => record.entries)
  for (const [name, own] of Map.groupBy(entries, ({ index }) => index)) {
    const table = options.table(name)
    const stored = table && (await readDefinition(connection, name))
    // Entries of an index that was dropped are of no use, even if there is another of its name.
    const current = own.filter(({ uuid }) => uuid === stored?.uuid)
    if (table && stored && current.length > 0)
      definitions.push(await flushIndex(connection, table, stored, current, options))
  }
  await runOn(connection)(`UPDATE ${TABLE} SET flushed = $1`, [BigInt(last.number)])
  return definitions
}

async function flushIndex(
  connection: DuckDBConnection,
  table: IndexTable,
  stored: IndexDefinition,
  entries: readonly JournalEntry[],
  options: FlushOptions,
): Promise<IndexDefinition> {
  let definition = stored
  for (const entry of entries) definition = withEntry(definition, entry)
  await addRows(connection, table, entries, options)
  await removeRows(
    connection,
    table.table,
    entries.flatMap(({ removed }) => removed),
  )
  for (const { raised } of entries) if (raised) await options.changes.add(connection, raised)
  await saveDefinition(connection, definition)
  return definition
}

function withEntry(definition: IndexDefinition, entry: JournalEntry): IndexDefinition {
  const { name, version, nextSeq, sourceEnd, documents, sourceStale } = definition
  if (entry.version !== version + 1 || entry.firstSeq !== nextSeq || entry.sourceAt !== sourceEnd) {
    const expected = `version ${version + 1}, row ${nextSeq}, source ${sourceEnd}`
    const found = `version ${entry.version}, row ${entry.firstSeq}, source ${entry.sourceAt}`
    throw new Error(`the journal does not fit index ${name}: expected ${expected}, found ${found}`)
  }
  return {
    ...definition,
    version: entry.version,
    documents: documents + entry.ids.length - entry.removed.length,
    nextSeq: nextSeq + entry.ids.length,
    sourceEnd: sourceEnd + entry.sources.length,
    sourceStale: sourceStale + entry.stale,
  }
}

/** Reads the documents again, as the writes that were acknowledged read them, and appends their rows. */
async function addRows(
  connection: DuckDBConnection,
  table: IndexTable,
  entries: readonly JournalEntry[],
  { thread, writesSources = false }: FlushOptions,
): Promise<void> {
  const { definition, sources } = table
  const { mapping, layout } = definition
  const body = Buffer.concat(entries.map((entry) => entry.sources))
  const ids = entries.flatMap((entry) => entry.ids)
  const [first] = entries
  if (!first || ids.length === 0) return
  const ends = endsOf(entries)
  const read = thread && ids.length >= MANY ? await thread.read(definition, () => rowsToRead(body, ends)) : undefined
  const batch = new RowBatch(mapping, layout, ids.length, body, read)
  await inTurns(ids, (id, i) => {
    batch.add(id, documentIn(body, startOf(ends, i), ends[i] ?? 0))
  })
  const rows = batch.settle(layout, (row) => first.firstSeq + row, first.sourceAt)
  const store = async (): Promise<void> => {
    if (writesSources) await sources.write(first.sourceAt, [body])
    await sources.sync()
  }
  // Wait for both even if one fails: the transaction must not end while rows are being appended.
  const outcomes = await Promise.allSettled([store(), rows.appendTo(connection, table.table)])
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
}

function endsOf(entries: readonly JournalEntry[]): Uint32Array<ArrayBuffer> {
  const sizes = entries.flatMap((entry) => entry.sizes)
  const ends = new Uint32Array(sizes.length)
  let end = 0
  for (const [i, size] of sizes.entries()) {
    end += size
    ends[i] = end
  }
  return ends
}

const startOf = (ends: Uint32Array, i: number): number => (i === 0 ? 0 : (ends[i - 1] ?? 0))

function rowsToRead(body: Buffer, ends: Uint32Array<ArrayBuffer>): RowsToRead {
  const starts = ends.map((_, i) => {
    const start = startOf(ends, i)
    return body[start] === BRACE ? start : NOT_IN_BODY
  })
  const { memory, end } = StringHeap.of(body)
  return { bytes: memory, end, starts }
}

function documentIn(body: Buffer, start: number, end: number): SourceDocument {
  const document = new BodyDocument(body, start, end)
  if (body[start] === BRACE) return new BodyDocumentWrite('index', undefined, document)
  // The text begins with space.
  const { text } = document
  return { source: JSON.parse(text) as JsonObject, text }
}
