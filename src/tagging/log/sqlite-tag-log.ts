import type { SQLOutputValue, StatementSync } from 'node:sqlite'
import { Problem, problem } from '../../errors.ts'
import { parseStored } from '../../model/json/stored-json.ts'
import { type NewTagRecord, RECORD_VERSION, type TagRecord } from '../../model/tag-record.ts'
import type { TagAction } from '../../model/tag-request.ts'
import type { SqliteFile } from '../../storage/sqlite-file.ts'
import { StoredRequest } from './logged-request.ts'
import type { Positions, TagLog } from './tag-log.ts'

const VERSION = 1

const LAYOUT = `
  CREATE TABLE IF NOT EXISTS tag_log (
    offset INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    collection TEXT NOT NULL,
    action TEXT NOT NULL,
    creation_time INTEGER NOT NULL,
    label TEXT,
    principal TEXT,
    partition_header TEXT,
    request TEXT NOT NULL,
    narrowing TEXT
  ) STRICT;
  CREATE INDEX IF NOT EXISTS tag_log_by_collection ON tag_log (collection, offset);
  CREATE TABLE IF NOT EXISTS tag_log_head (first INTEGER NOT NULL) STRICT;
`

/** Records per page of a list. */
const PAGE = 500

/** The log of the embedded engine. Concurrent requests share one commit. */
export function sqliteTagLog(file: SqliteFile): TagLog {
  file.prepare('tag_log', VERSION, LAYOUT)
  addNarrowing(file)
  return new SqliteTagLog(file)
}

/** Files of earlier releases lack the column. */
function addNarrowing({ database }: SqliteFile): void {
  const columns = database.prepare('PRAGMA table_info(tag_log)').all()
  if (!columns.some(({ name }) => name === 'narrowing')) database.exec('ALTER TABLE tag_log ADD COLUMN narrowing TEXT')
}

class SqliteTagLog implements TagLog {
  readonly kind = 'sqlite'
  readonly badRecords = 0
  readonly #file: SqliteFile
  readonly #statements: Record<
    'insert' | 'last' | 'find' | 'next' | 'count' | 'names' | 'page' | 'first',
    StatementSync
  >
  readonly #listeners = new Set<() => void>()
  #lowest = 0

  constructor(file: SqliteFile) {
    const prepare = (sql: string): StatementSync => file.database.prepare(sql)
    this.#file = file
    this.#statements = {
      insert: prepare('INSERT INTO tag_log VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)'),
      last: prepare('SELECT max(offset) AS last FROM tag_log'),
      find: prepare('SELECT * FROM tag_log WHERE id = ?'),
      next: prepare('SELECT * FROM tag_log WHERE collection = ? AND offset >= ? ORDER BY offset LIMIT 1'),
      count: prepare('SELECT count(*) AS n FROM tag_log WHERE collection = ? AND offset >= ?'),
      names: prepare('SELECT DISTINCT collection FROM tag_log'),
      page: prepare(`SELECT * FROM tag_log WHERE collection = ? AND offset >= ? ORDER BY offset LIMIT ${PAGE}`),
      first: prepare('SELECT max(first) AS first FROM tag_log_head'),
    }
  }

  async append(record: NewTagRecord): Promise<TagRecord> {
    const appended = await this.#available(() => this.#file.commit(() => this.#insert(record)))
    for (const listener of this.#listeners) listener()
    return appended
  }

  find(id: string): Promise<TagRecord | undefined> {
    return this.#available(async () => readRow(this.#statements.find.get(id)))
  }

  next(collection: string, from: number): Promise<TagRecord | undefined> {
    return this.#available(async () => readRow(this.#statements.next.get(collection, from)))
  }

  count(collection: string, from: number): Promise<number> {
    return this.#available(async () => this.#count(collection, from))
  }

  heads(positions: Positions): Promise<readonly TagRecord[]> {
    return this.#available(async () =>
      this.#names().flatMap((name) => readRow(this.#statements.next.get(name, positions.get(name) ?? 0)) ?? []),
    )
  }

  counts(positions: Positions): Promise<ReadonlyMap<string, number>> {
    return this.#available(
      async () => new Map(this.#names().map((name) => [name, this.#count(name, positions.get(name) ?? 0)])),
    )
  }

  async *list(
    collection: string,
    { from = 0, size = Number.POSITIVE_INFINITY }: { readonly from?: number; readonly size?: number } = {},
  ): AsyncIterable<TagRecord> {
    let next = from
    let left = size
    while (left > 0) {
      const rows = await this.#available(async () => this.#statements.page.all(collection, next))
      const records = rows.flatMap((row) => readRow(row) ?? []).slice(0, left)
      yield* records
      const last = records.at(-1)
      if (last === undefined || rows.length < PAGE) return
      next = last.offset + 1
      left -= records.length
    }
  }

  firstOffset(): Promise<number> {
    return this.#available(async () => Number(this.#statements.first.get()?.first ?? 0))
  }

  async raise(lowest: number): Promise<void> {
    this.#lowest = Math.max(this.#lowest, lowest)
  }

  async trim(createdBefore: number, isFinished: (record: TagRecord) => boolean): Promise<number> {
    return this.#available(() =>
      this.#file.commit(() => {
        const { database } = this.#file
        let first = Number(this.#statements.first.get()?.first ?? 0)
        for (const row of database.prepare('SELECT * FROM tag_log ORDER BY offset').iterate()) {
          const record = readRow(row)
          if (record === undefined || record.creationTime >= createdBefore || !isFinished(record)) break
          first = record.offset + 1
        }
        database.prepare('DELETE FROM tag_log WHERE offset < ?').run(first)
        database.exec('DELETE FROM tag_log_head')
        database.prepare('INSERT INTO tag_log_head VALUES (?)').run(first)
        return first
      }),
    )
  }

  onRecords(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async health(): Promise<{ readonly ok: boolean; readonly detail: string }> {
    return this.#file.isOpen
      ? { ok: true, detail: 'tag log in SQLite' }
      : { ok: false, detail: 'the tag log is closed' }
  }

  /** The file is closed by its owner. */
  async close(): Promise<void> {
    this.#listeners.clear()
  }

  #names(): readonly string[] {
    return this.#statements.names.all().map((row) => String(row.collection))
  }

  #count(collection: string, from: number): number {
    return Number(this.#statements.count.get(collection, from)?.n)
  }

  #insert(record: NewTagRecord): TagRecord {
    const { id, collection, action, creationTime, label, principal, partitionHeader, narrowing, request } = record
    const { last, first } = this.#statements
    const next = Math.max(Number(last.get()?.last ?? -1) + 1, Number(first.get()?.first ?? 0), this.#lowest)
    this.#statements.insert.run(
      next,
      id,
      collection,
      action,
      creationTime,
      label ?? null,
      principal ?? null,
      partitionHeader ?? null,
      JSON.stringify(request),
      narrowing ?? null,
    )
    return { v: RECORD_VERSION, offset: next, ...record }
  }

  /** Reports a failing or full disk as LOG_UNAVAILABLE and not as an internal error: the request was not accepted. */
  async #available<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (error instanceof Problem) throw error
      throw Object.assign(problem('LOG_UNAVAILABLE', {}, { 'Retry-After': '5' }), { cause: error })
    }
  }
}

function readRow(row: Record<string, SQLOutputValue> | undefined): TagRecord | undefined {
  if (row === undefined) return undefined
  return {
    v: RECORD_VERSION,
    offset: Number(row.offset),
    id: String(row.id),
    collection: String(row.collection),
    // Only validated records are written, and the layout version was checked.
    action: String(row.action) as TagAction,
    creationTime: Number(row.creation_time),
    ...(row.label === null ? {} : { label: String(row.label) }),
    ...(row.principal === null ? {} : { principal: String(row.principal) }),
    ...(row.partition_header === null ? {} : { partitionHeader: String(row.partition_header) }),
    ...(row.narrowing === null ? {} : { narrowing: String(row.narrowing) }),
    request: parseStored(StoredRequest, String(row.request), `tag request ${row.id}`),
  }
}
