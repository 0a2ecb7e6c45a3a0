import { problem } from '../../../errors.ts'
import type { SqliteFile } from '../../../storage/sqlite-file.ts'
import type { NewDelivery } from '../../record/delivery-record.ts'
import {
  type EventKey,
  type EventStore,
  type EventStoreOptions,
  type FeedPosition,
  type MatchOutcome,
  type NewEvent,
  sha256,
} from '../../record/event-store.ts'
import type { EventOutcome, EventSource, EventState, PendingEvent } from '../../record/subscription-event.ts'
import { fromFile } from '../shared/store-problem.ts'
import { parseEvent, printEvent } from '../shared/stored-event.ts'
import { insertDeliveries, prepareDeliveries } from './sqlite-delivery-layout.ts'

/** `body`, `before`, `after` and `in_index` are set until the event is matched. */
const LAYOUT = `
  CREATE TABLE IF NOT EXISTS event (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    id_hash TEXT NOT NULL,
    collection TEXT NOT NULL,
    content_hash TEXT NOT NULL,
    kind TEXT NOT NULL,
    source TEXT NOT NULL,
    state TEXT NOT NULL,
    accepted_ms INTEGER NOT NULL,
    subscription_seq INTEGER NOT NULL,
    matched INTEGER,
    reason TEXT,
    body TEXT,
    before TEXT,
    after TEXT,
    in_index TEXT,
    UNIQUE (id_hash, collection)
  ) STRICT;
  CREATE INDEX IF NOT EXISTS event_pending ON event (position) WHERE state = 'PENDING';
  CREATE INDEX IF NOT EXISTS event_done ON event (accepted_ms) WHERE state <> 'PENDING';
  CREATE TABLE IF NOT EXISTS match_position (name TEXT PRIMARY KEY, position INTEGER NOT NULL) STRICT;
`

/** Events in the SQLite file. The file is closed by its owner. */
export function sqliteEventStore(file: SqliteFile, options: EventStoreOptions): EventStore {
  file.prepare('event', 1, LAYOUT)
  prepareDeliveries(file)
  return new SqliteEventStore(file, options)
}

type Row = Readonly<Record<string, unknown>>

class SqliteEventStore implements EventStore {
  readonly #file: SqliteFile
  readonly #statements: ReturnType<typeof prepareStatements>
  readonly #dedupeMs: number
  readonly #now: () => number
  #backlog: number

  constructor(file: SqliteFile, { dedupeMs, now = Date.now }: EventStoreOptions) {
    this.#file = file
    this.#statements = prepareStatements(file)
    this.#dedupeMs = dedupeMs
    this.#now = now
    this.#backlog = Number(this.#statements.backlog.get()?.count ?? 0)
  }

  async accept(events: readonly NewEvent[], feed?: FeedPosition): Promise<readonly boolean[]> {
    const accepted = await this.#commit(() => {
      const isNew = events.map((event) => this.#insert(event))
      this.#advance(feed)
      return isNew
    })
    this.#backlog += accepted.filter((isNew) => isNew).length
    return accepted
  }

  knownHashes(events: readonly EventKey[]): Promise<readonly (string | undefined)[]> {
    return fromFile(() => events.map((event) => textOf(this.#known(event)?.content_hash)))
  }

  feedPosition(name: string): Promise<number | undefined> {
    return fromFile(() => {
      const row = this.#statements.feed.get(name)
      return row === undefined ? undefined : Number(row.position)
    })
  }

  async reject(source: EventSource, id: string, reason: string, feed?: FeedPosition): Promise<void> {
    await this.#commit(() => {
      this.#statements.reject.run(sha256(id), source, this.#now(), reason)
      this.#advance(feed)
    })
  }

  pending(after: number, limit: number): Promise<readonly PendingEvent[]> {
    return fromFile(() => this.#statements.pending.all(after, limit).map(toPending))
  }

  async backlog(): Promise<number> {
    return this.#backlog
  }

  async commit(outcomes: readonly MatchOutcome[], deliveries: readonly NewDelivery[]): Promise<void> {
    const ended = await this.#commit(() => {
      insertDeliveries(this.#file.database, deliveries)
      return outcomes.map(({ position, state, matched, reason }) =>
        Number(this.#statements.end.run(state, matched, reason ?? null, position).changes),
      )
    })
    this.#backlog -= ended.reduce((sum, changes) => sum + changes, 0)
  }

  find(id: string): Promise<readonly EventOutcome[]> {
    return fromFile(() =>
      this.#statements.find.all(sha256(id), this.#now() - this.#dedupeMs).map((row) => toOutcome(id, row)),
    )
  }

  async clean(olderThanMs: number): Promise<void> {
    await this.#commit(() => this.#statements.clean.run(olderThanMs))
  }

  async close(): Promise<void> {}

  #commit<T>(work: () => T): Promise<T> {
    return fromFile(() => this.#file.commit(work))
  }

  #known({ collection, id }: EventKey): Row | undefined {
    return this.#statements.known.get(sha256(id), collection, this.#now() - this.#dedupeMs)
  }

  /** Returns false for a duplicate. */
  #insert(event: NewEvent): boolean {
    const { id, collection, event: kind } = event.event
    const known = this.#known({ collection, id })
    if (known !== undefined) {
      if (known.content_hash === event.contentHash) return false
      throw problem('EVENT_ID_CONFLICT', { name: id })
    }
    const { contentHash, source, acceptedMs, subscriptionSeq, before = null, after = null, index = null } = event
    const hash = sha256(id)
    // A remaining row of this id is older than the window.
    this.#statements.forget.run(hash, collection)
    this.#statements.insert.run(
      ...[hash, collection, contentHash, kind, source, acceptedMs, subscriptionSeq],
      ...[printEvent(event.event), before, after, index],
    )
    return true
  }

  #advance(feed: FeedPosition | undefined): void {
    if (feed !== undefined) this.#statements.advance.run(feed.name, feed.position)
  }
}

function prepareStatements({ database }: SqliteFile) {
  return {
    known: database.prepare(
      "SELECT content_hash FROM event WHERE id_hash = ? AND collection = ? AND (accepted_ms >= ? OR state = 'PENDING')",
    ),
    forget: database.prepare('DELETE FROM event WHERE id_hash = ? AND collection = ?'),
    insert: database.prepare(
      `INSERT INTO event (id_hash, collection, content_hash, kind, source, state, accepted_ms, subscription_seq, body,
        before, after, in_index) VALUES (?, ?, ?, ?, ?, 'PENDING', ?, ?, ?, ?, ?, ?)`,
    ),
    reject: database.prepare(
      `INSERT INTO event (id_hash, collection, content_hash, kind, source, state, accepted_ms, subscription_seq, reason)
        VALUES (?, '', '', '', ?, 'REJECTED', ?, 0, ?) ON CONFLICT DO NOTHING`,
    ),
    feed: database.prepare('SELECT position FROM match_position WHERE name = ?'),
    advance: database.prepare(
      'INSERT INTO match_position VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET position = excluded.position',
    ),
    pending: database.prepare(
      `SELECT position, source, body, accepted_ms, subscription_seq, before, after, in_index FROM event
        WHERE state = 'PENDING' AND position > ? ORDER BY position LIMIT ?`,
    ),
    backlog: database.prepare("SELECT count(*) AS count FROM event WHERE state = 'PENDING'"),
    end: database.prepare(
      `UPDATE event SET state = ?, matched = ?, reason = ?, body = NULL, before = NULL, after = NULL, in_index = NULL
        WHERE position = ? AND state = 'PENDING'`,
    ),
    find: database.prepare(
      `SELECT collection, kind, state, accepted_ms, matched, reason FROM event
        WHERE id_hash = ? AND (accepted_ms >= ? OR state = 'PENDING') ORDER BY collection`,
    ),
    clean: database.prepare("DELETE FROM event WHERE state <> 'PENDING' AND accepted_ms < ?"),
  }
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** The casts are safe: all rows have the layout above. */
function toPending(row: Row): PendingEvent {
  const before = textOf(row.before)
  const after = textOf(row.after)
  const index = textOf(row.in_index)
  return {
    position: Number(row.position),
    source: String(row.source) as EventSource,
    event: parseEvent(String(row.body)),
    acceptedMs: Number(row.accepted_ms),
    subscriptionSeq: Number(row.subscription_seq),
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
    ...(index === undefined ? {} : { index }),
  }
}

const toOutcome = (id: string, row: Row): EventOutcome => ({
  id,
  collection: String(row.collection),
  event: String(row.kind),
  state: String(row.state) as EventState,
  accepted_at: Math.floor(Number(row.accepted_ms) / 1000),
  ...(row.matched === null ? {} : { matched: Number(row.matched) }),
  ...(row.reason === null ? {} : { reason: String(row.reason) }),
})
