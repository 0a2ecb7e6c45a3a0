import type { SQLInputValue } from 'node:sqlite'
import type { SqliteFile } from '../../../storage/sqlite-file.ts'
import type { NewSubscription, SubscriptionRecord } from '../../record/subscription-record.ts'
import type { SubscriptionFilter, SubscriptionPage, SubscriptionStore } from '../../record/subscription-store.ts'
import { type ChangeListener, ChangeListeners } from '../shared/change-listeners.ts'
import { fromFile } from '../shared/store-problem.ts'
import { accessOf, keysOf, parseBody, printBody, recordOf } from '../shared/stored-subscription.ts'

const LAYOUT = `
  CREATE TABLE IF NOT EXISTS subscription (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    created_by TEXT NOT NULL,
    active INTEGER NOT NULL,
    starts_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    deleted INTEGER NOT NULL,
    created_by_admin INTEGER NOT NULL,
    version INTEGER NOT NULL,
    body TEXT NOT NULL,
    access TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS subscription_listed ON subscription (created_at DESC, seq DESC);
  CREATE INDEX IF NOT EXISTS subscription_owned ON subscription (created_by, created_at DESC, seq DESC);
`

/** Page size when all subscriptions are read. */
const AT_ONCE = 500

/** Subscriptions in the SQLite file. The file is closed by its owner. */
export function sqliteSubscriptionStore(file: SqliteFile): SubscriptionStore {
  file.prepare('subscription', 1, LAYOUT)
  return new SqliteSubscriptionStore(file)
}

class SqliteSubscriptionStore implements SubscriptionStore {
  readonly #file: SqliteFile
  readonly #statements: ReturnType<typeof prepareStatements>
  readonly #listeners = new ChangeListeners()
  #lastSeq: number

  constructor(file: SqliteFile) {
    this.#file = file
    this.#statements = prepareStatements(file)
    this.#lastSeq = Number(this.#statements.last.get()?.seq ?? 0)
  }

  async insert(subscription: NewSubscription): Promise<SubscriptionRecord> {
    const written = await this.#commit(() => {
      const { id, created_at, ...keys } = keysOf(subscription)
      const row = this.#statements.insert.get(id, created_at, ...changing(keys), 1, ...texts(subscription))
      return { ...subscription, seq: Number(row?.seq), version: 1 }
    })
    // Only after the commit, because a number that was rolled back is assigned again.
    this.#lastSeq = Math.max(this.#lastSeq, written.seq)
    this.#listeners.tell(written)
    return written
  }

  get(id: string): Promise<SubscriptionRecord | undefined> {
    return fromFile(() => this.#find(id))
  }

  async change(
    id: string,
    change: (current: SubscriptionRecord) => SubscriptionRecord | undefined,
  ): Promise<SubscriptionRecord | undefined> {
    const { stored, isNew } = await this.#commit(() => {
      const current = this.#find(id)
      const wanted = current === undefined ? undefined : change(current)
      if (current === undefined || wanted === undefined) return { stored: current, isNew: false }
      const next = { ...wanted, seq: current.seq, id, version: current.version + 1 }
      const { id: _id, created_at: _created, ...keys } = keysOf(next)
      this.#statements.update.run(...changing(keys), next.version, ...texts(next), current.seq)
      return { stored: next, isNew: true }
    })
    if (isNew && stored !== undefined) this.#listeners.tell(stored)
    return stored
  }

  list(filter: SubscriptionFilter, from: number, size: number): Promise<SubscriptionPage> {
    return fromFile(() => {
      const { where, values } = conditions(filter)
      const { database } = this.#file
      const total = database.prepare(`SELECT count(*) AS total FROM subscription ${where}`).get(...values)?.total
      const rows = database
        .prepare(`SELECT * FROM subscription ${where} ORDER BY created_at DESC, seq DESC LIMIT ? OFFSET ?`)
        .all(...values, size, from)
      return { total: Number(total), subscriptions: rows.map(toRecord) }
    })
  }

  countOf(createdBy: string): Promise<number> {
    return fromFile(() => Number(this.#statements.count.get(createdBy)?.total))
  }

  lastSeq(): number {
    return this.#lastSeq
  }

  async *readAll(): AsyncGenerator<SubscriptionRecord> {
    let after = 0
    for (;;) {
      const rows = await fromFile(() => this.#statements.beyond.all(after, AT_ONCE))
      for (const row of rows) {
        after = Number(row.seq)
        yield toRecord(row)
      }
      if (rows.length < AT_ONCE) return
    }
  }

  onChange(listener: ChangeListener): () => void {
    return this.#listeners.add(listener)
  }

  async catchUp(): Promise<void> {}

  async close(): Promise<void> {}

  #find(id: string): SubscriptionRecord | undefined {
    const row = this.#statements.get.get(id)
    return row === undefined ? undefined : toRecord(row)
  }

  #commit<T>(work: () => T): Promise<T> {
    return fromFile(() => this.#file.commit(work))
  }
}

type Row = Readonly<Record<string, unknown>>

function prepareStatements({ database }: SqliteFile) {
  return {
    last: database.prepare('SELECT max(seq) AS seq FROM subscription'),
    insert: database.prepare(
      `INSERT INTO subscription (id, created_at, created_by, active, starts_at, expires_at, deleted, created_by_admin,
         version, body, access) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING seq`,
    ),
    update: database.prepare(
      `UPDATE subscription SET created_by = ?, active = ?, starts_at = ?, expires_at = ?, deleted = ?,
         created_by_admin = ?, version = ?, body = ?, access = ? WHERE seq = ?`,
    ),
    get: database.prepare('SELECT * FROM subscription WHERE id = ?'),
    count: database.prepare('SELECT count(*) AS total FROM subscription WHERE created_by = ? AND deleted = 0'),
    beyond: database.prepare('SELECT * FROM subscription WHERE deleted = 0 AND seq > ? ORDER BY seq LIMIT ?'),
  }
}

type ChangingKeys = Omit<ReturnType<typeof keysOf>, 'id' | 'created_at'>

/** Values in the order of the columns. */
function changing(keys: ChangingKeys): readonly SQLInputValue[] {
  const { created_by, active, starts_at, expires_at, deleted, created_by_admin } = keys
  return [created_by, Number(active), starts_at, expires_at, Number(deleted), Number(created_by_admin)]
}

const texts = (subscription: NewSubscription): readonly [string, string] => [
  printBody(subscription),
  JSON.stringify(subscription.access),
]

/** All rows have the layout above. */
function toRecord(row: Row): SubscriptionRecord {
  const keys = {
    id: String(row.id),
    created_at: Number(row.created_at),
    deleted: row.deleted === 1,
    created_by_admin: row.created_by_admin === 1,
  }
  const place = { seq: Number(row.seq), version: Number(row.version) }
  return recordOf(keys, place, parseBody(keys.id, String(row.body)), accessOf(keys.id, String(row.access)))
}

function conditions(filter: SubscriptionFilter): { readonly where: string; readonly values: readonly SQLInputValue[] } {
  const { now } = filter
  const met: [string, SQLInputValue][] = []
  const add = (condition: string, value: SQLInputValue | boolean | undefined): void => {
    if (value !== undefined) met.push([condition, typeof value === 'boolean' ? Number(value) : value])
  }
  add('created_at <= ?', filter.before)
  add('created_at >= ?', filter.after)
  add('active = ?', filter.active)
  add('deleted = ?', filter.deleted)
  add('created_by_admin = ?', filter.createdByAdmin)
  add('created_by = ?', filter.createdBy)
  if (filter.started !== undefined) add(filter.started ? 'starts_at <= ?' : 'starts_at > ?', now)
  if (filter.expired !== undefined) add(filter.expired ? 'expires_at <= ?' : 'expires_at > ?', now)
  const where = met.length === 0 ? '' : `WHERE ${met.map(([condition]) => condition).join(' AND ')}`
  return { where, values: met.map(([, value]) => value) }
}
