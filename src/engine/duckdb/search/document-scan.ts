import type { DuckDBValue } from '@duckdb/node-api'
import type { Selection } from '../../../query/plan/plan.ts'
import type { Predicate } from '../../../query/plan/predicate.ts'
import type { StoredDocument } from '../../engine.ts'
import { compileSelection } from '../condition/selection-sql.ts'
import { readTables, type Tables } from '../condition/snapshot.ts'
import type { Database } from '../database/database.ts'
import type { Reader } from '../database/reader.ts'
import { SqlBuilder, withSql } from '../database/sql-builder.ts'
import { fetchPlaced } from '../table/found-documents.ts'
import type { IndexTable } from '../table/index-table.ts'
import { inBatches, PlaceSpool, type SpooledPlace } from './place-spool.ts'

/** Documents that are found first and returned unsorted, and in every later batch: the size of a DuckDB chunk. */
const BATCH = 2048
/** Documents of a megabyte each are read one by one, of a kilobyte all 2048 at once. */
const LIMITS = { documents: BATCH, bytes: 2 * 1024 * 1024 }

/** Extents of the documents of one table, in source file order. */
interface TablePlaces {
  readonly table: IndexTable
  readonly spool: PlaceSpool
}

/**
 * Returns all documents of the selection in batches, from one snapshot. The snapshot ends once the extents of all
 * matches are known, no matter how slowly the caller consumes documents. These are read afterwards from the source
 * files, whose bytes never change. The first batch is returned as soon as it is found, so a caller that stops there
 * does not wait for the rest.
 */
export async function* scan(
  database: Database,
  named: Tables,
  selection: Selection,
  signal: AbortSignal | undefined,
): AsyncIterable<readonly StoredDocument[]> {
  const leaving = new AbortController()
  const stop = signal ? AbortSignal.any([signal, leaving.signal]) : leaving.signal
  const first = Promise.withResolvers<FirstPlaces>()
  const collecting = new Collection(database, selection.predicate, first.resolve)
  const collected = readTables(database, named, stop, (reader, tables) => collecting.run(reader, tables), 'long')
  collected.catch(first.reject)
  try {
    const { table, places } = await first.promise
    for (const batch of inBatches(places, LIMITS)) {
      if (table) yield await fetchPlaced(table, batch)
    }
    await collected
    for (const { table: other, spool } of collecting.found) {
      for await (const batch of spool.read(LIMITS)) {
        signal?.throwIfAborted()
        yield await fetchPlaced(other, batch)
      }
    }
  } finally {
    leaving.abort()
    await collected.catch(() => undefined)
    await collecting.close()
  }
}

interface FirstPlaces {
  readonly table?: IndexTable
  readonly places: readonly SpooledPlace[]
}

/** Finds extents inside a snapshot, and keeps the source files open beyond it. */
class Collection {
  readonly found: TablePlaces[] = []
  readonly #database: Database
  readonly #predicate: Predicate
  readonly #onFirst: (first: FirstPlaces) => void

  constructor(database: Database, predicate: Predicate, onFirst: (first: FirstPlaces) => void) {
    this.#database = database
    this.#predicate = predicate
    this.#onFirst = onFirst
  }

  async run(reader: Reader, tables: readonly IndexTable[]): Promise<void> {
    // The query is retried if a table was replaced before the snapshot started.
    await this.close()
    // Reading from every table pins the snapshot, so that a table replaced meanwhile stays readable.
    for (const table of tables) await reader.rows(`SELECT 1 FROM ${table.table} LIMIT 0`)
    for (const table of tables) {
      table.sources.hold()
      this.found.push({ table, spool: new PlaceSpool(this.#database.spillDirectory) })
    }
    const early = await this.#findFirst(reader, tables)
    this.#onFirst(early)
    for (const { table, spool } of this.found) {
      const isEarly = table === early.table
      // The first batch already contained all matches.
      if (isEarly && early.places.length < BATCH) continue
      await this.#collect(reader, table, spool, isEarly ? new Set(early.places.map(({ at }) => at)) : new Set())
    }
  }

  async close(): Promise<void> {
    for (const { table, spool } of this.found.splice(0)) {
      await spool.close()
      await table.sources.release()
    }
  }

  /** Returns the first extents found in the first table. */
  async #findFirst(reader: Reader, [table]: readonly IndexTable[]): Promise<FirstPlaces> {
    if (!table) return { places: [] }
    const rows = await withSql((sql) =>
      reader.rows(`SELECT * FROM (${this.#compile(table, sql)}) LIMIT ${BATCH}`, sql.values),
    )
    return { table, places: rows.map(toSpooled) }
  }

  async #collect(reader: Reader, table: IndexTable, spool: PlaceSpool, seen: ReadonlySet<number>): Promise<void> {
    const sql = new SqlBuilder()
    for await (const rows of reader.stream(`${this.#compile(table, sql)} ORDER BY _at`, sql.values)) {
      await spool.add(rows.map(toSpooled).filter(({ at }) => !seen.has(at)))
    }
  }

  #compile(table: IndexTable, sql: SqlBuilder): string {
    return `SELECT _id, _at, _size FROM ${table.table} WHERE ${compileSelection(this.#predicate, table, sql)}`
  }
}

const toSpooled = ([id, at, size]: readonly DuckDBValue[]): SpooledPlace => ({
  id: String(id),
  at: Number(at),
  size: Number(size),
})
