import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api'
import type { ChangeFeed, ChangeInterest, ChangeKind, DocumentChange } from '../../change-feed.ts'
import { runOn, SCHEMA } from '../database/bookkeeping.ts'
import type { Database } from '../database/database.ts'

const TABLE = 'change_row'

/** A change to be added to the log. */
export type NewChange = Pick<DocumentChange, 'kind' | 'index' | 'id' | 'before' | 'after'>

/** The changes of a write. */
export interface RaisedChanges {
  readonly cause: string
  readonly acceptedMs: number
  /** `mark` of the interest when the changes were made. */
  readonly mark: number
  readonly changes: readonly NewChange[]
}

/** Log of document changes, in a table of the same database. */
export class ChangeLog implements ChangeFeed {
  readonly #database: Database
  /** Resolves when the changes of all acknowledged writes are in the database. */
  #settled: () => Promise<void> = async () => undefined
  readonly #listeners = new Set<() => void>()
  #interest: ChangeInterest | undefined
  #next: number

  private constructor(database: Database, next: number) {
    this.#database = database
    this.#next = next
  }

  /**
   * Opens the log, creating its tables in a new database. The last forgotten position is stored, so that positions are
   * never reused.
   */
  static async open(database: Database): Promise<ChangeLog> {
    const next = await database.write(async (connection) => {
      const run = runOn(connection)
      await run(`CREATE SCHEMA IF NOT EXISTS ${SCHEMA}`)
      await run(
        `CREATE TABLE IF NOT EXISTS ${SCHEMA}.${TABLE} (position BIGINT, cause VARCHAR, kind VARCHAR, index_name VARCHAR, id VARCHAR, before VARCHAR, after VARCHAR, accepted_ms BIGINT, mark BIGINT)`,
      )
      await run(`CREATE TABLE IF NOT EXISTS ${SCHEMA}.change_forgotten (position BIGINT)`)
      const positions = `SELECT position FROM ${SCHEMA}.${TABLE} UNION ALL SELECT position FROM ${SCHEMA}.change_forgotten`
      const [row] = await run(`SELECT max(position) FROM (${positions})`)
      return Number(row?.[0] ?? 0) + 1
    })
    return new ChangeLog(database, next)
  }

  /** Changes of journaled writes reach the log later, when `settled` resolves. */
  waitFor(settled: () => Promise<void>): void {
    this.#settled = settled
  }

  watch(interest: ChangeInterest): void {
    this.#interest = interest
  }

  wants(index: string, kind: ChangeKind): 'nothing' | 'after' | 'both' {
    return this.#interest?.wants(index, kind) ?? 'nothing'
  }

  /** `mark` of the interest now. */
  get mark(): number {
    return this.#interest?.mark() ?? 0
  }

  /** Adds changes inside the transaction that makes them. Call `tell` after the commit. */
  async add(connection: DuckDBConnection, { cause, acceptedMs, mark, changes }: RaisedChanges): Promise<void> {
    if (changes.length === 0) return
    const appender = await connection.createAppender(TABLE, SCHEMA)
    try {
      for (const { kind, index, id, before, after } of changes) {
        appender.appendBigInt(BigInt(this.#next++))
        for (const text of [cause, kind, index, id]) appender.appendVarchar(text)
        for (const text of [before, after]) {
          if (text === undefined) appender.appendNull()
          else appender.appendVarchar(text)
        }
        appender.appendBigInt(BigInt(acceptedMs))
        appender.appendBigInt(BigInt(mark))
        appender.endRow()
      }
      appender.flushSync()
    } finally {
      appender.closeSync()
    }
  }

  tell(): void {
    for (const listener of this.#listeners) listener()
  }

  async read(after: number, limit: number, signal?: AbortSignal): Promise<readonly DocumentChange[]> {
    await this.#settled()
    const columns = 'position, cause, kind, index_name, id, before, after, accepted_ms, mark'
    const sql = `SELECT ${columns} FROM ${SCHEMA}.${TABLE} WHERE position > CAST($1 AS BIGINT) ORDER BY position LIMIT $2`
    return this.#database.read(signal, async (reader) =>
      (await reader.rows(sql, [BigInt(after), BigInt(limit)])).map(toChange),
    )
  }

  async forget(upTo: number): Promise<void> {
    await this.#database.write(async (connection) => {
      const run = runOn(connection)
      const [row] = await run(`SELECT max(position) FROM ${SCHEMA}.${TABLE} WHERE position <= $1`, [BigInt(upTo)])
      const last = row?.[0]
      if (typeof last !== 'bigint') return
      await run(`DELETE FROM ${SCHEMA}.${TABLE} WHERE position <= $1`, [last])
      await run(`DELETE FROM ${SCHEMA}.change_forgotten`)
      await run(`INSERT INTO ${SCHEMA}.change_forgotten VALUES ($1)`, [last])
    })
  }

  onChanges(listener: () => void): () => void {
    // Wrapped, so that the same listener can be registered twice and removed once.
    const own = (): void => listener()
    this.#listeners.add(own)
    return () => void this.#listeners.delete(own)
  }
}

function toChange(row: readonly DuckDBValue[]): DocumentChange {
  const [position, cause, kind, index, id, before, after, acceptedMs, mark] = row
  return {
    position: Number(position),
    cause: String(cause),
    kind: String(kind) as ChangeKind,
    index: String(index),
    id: String(id),
    ...(typeof before === 'string' ? { before } : {}),
    ...(typeof after === 'string' ? { after } : {}),
    acceptedMs: Number(acceptedMs),
    mark: Number(mark),
  }
}
