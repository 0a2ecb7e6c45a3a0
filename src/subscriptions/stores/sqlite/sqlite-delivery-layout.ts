import type { DatabaseSync } from 'node:sqlite'
import type { SqliteFile } from '../../../storage/sqlite-file.ts'
import type {
  Attempt,
  Delivery,
  DeliveryChannel,
  DeliveryError,
  DeliveryState,
  NewDelivery,
} from '../../record/delivery-record.ts'
import { waitingIn } from './sqlite-waiting-deliveries.ts'

const VERSION = 1

/**
 * `next_attempt_at` (milliseconds) is set until a delivery is finished: when it is due or, while it is being delivered,
 * when its claim expires.
 */
const LAYOUT = `
  CREATE TABLE IF NOT EXISTS delivery (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL,
    channel TEXT NOT NULL,
    subscription_id TEXT NOT NULL,
    event_id TEXT NOT NULL,
    collection TEXT NOT NULL,
    document_id TEXT NOT NULL,
    type TEXT NOT NULL,
    state TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    earlier_attempts INTEGER NOT NULL DEFAULT 0,
    manual INTEGER NOT NULL DEFAULT 0,
    next_attempt_at INTEGER,
    last_status INTEGER,
    last_error TEXT,
    delivered_at INTEGER,
    payload TEXT NOT NULL,
    UNIQUE (id, channel)
  ) STRICT;
  CREATE INDEX IF NOT EXISTS delivery_listed ON delivery (subscription_id, created_at DESC, seq DESC);
  CREATE INDEX IF NOT EXISTS delivery_waiting ON delivery (channel, subscription_id, next_attempt_at, seq)
    WHERE next_attempt_at IS NOT NULL;
  CREATE INDEX IF NOT EXISTS delivery_finished ON delivery (created_at) WHERE next_attempt_at IS NULL;
  CREATE INDEX IF NOT EXISTS delivery_delivered ON delivery (subscription_id, channel, delivered_at)
    WHERE delivered_at IS NOT NULL;
  CREATE TABLE IF NOT EXISTS attempt (
    delivery INTEGER NOT NULL,
    number INTEGER NOT NULL,
    at INTEGER NOT NULL,
    duration_ms INTEGER NOT NULL,
    status INTEGER,
    error TEXT,
    cause TEXT NOT NULL,
    PRIMARY KEY (delivery, number)
  ) STRICT, WITHOUT ROWID;
`

/** Creates the tables of deliveries. Must be called before deliveries are inserted. */
export function prepareDeliveries(file: SqliteFile): void {
  file.prepare('delivery', VERSION, LAYOUT)
}

const INSERT = `INSERT INTO delivery (id, channel, subscription_id, event_id, collection, document_id, type, state,
    created_at, next_attempt_at, last_error, payload)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id, channel) DO NOTHING`

/** Runs synchronously in the caller's transaction. Deliveries with a known id are left unchanged. */
export function insertDeliveries(database: DatabaseSync, deliveries: readonly NewDelivery[]): void {
  if (deliveries.length === 0) return
  const insert = database.prepare(INSERT)
  const waiting = waitingIn(database)
  for (const delivery of deliveries) {
    const { id, channel, subscriptionId, eventId, collection, documentId, type, createdAt, payload } = delivery
    const isFailed = delivery.failed !== undefined
    const due = isFailed ? null : createdAt * 1000
    const state: DeliveryState = isFailed ? 'FAILED' : 'PENDING'
    const error = delivery.failed ?? null
    const { changes, lastInsertRowid } = insert.run(
      ...[id, channel, subscriptionId, eventId, collection, documentId, type, state, createdAt, due, error, payload],
    )
    if (changes === 1 && due !== null) {
      waiting?.added(channel, subscriptionId, { due, order: Number(lastInsertRowid) })
    }
  }
  waiting?.listeners.tell()
}

export type Row = Readonly<Record<string, unknown>>

const numberOf = (value: unknown): number => Number(value ?? 0)

/** The casts are safe: all rows have the layout above. */
export function toDelivery(row: Row): Delivery {
  const state = String(row.state) as DeliveryState
  return {
    id: String(row.id),
    subscriptionId: String(row.subscription_id),
    channel: String(row.channel) as DeliveryChannel,
    eventId: String(row.event_id),
    collection: String(row.collection),
    documentId: String(row.document_id),
    type: String(row.type),
    payload: String(row.payload),
    createdAt: numberOf(row.created_at),
    state,
    attempts: numberOf(row.attempts),
    earlierAttempts: numberOf(row.earlier_attempts),
    manual: row.manual === 1,
    ...(state === 'PENDING' ? { nextAttemptAt: numberOf(row.next_attempt_at) } : {}),
    ...(row.last_status === null ? {} : { lastStatus: numberOf(row.last_status) }),
    ...(row.last_error === null ? {} : { lastError: String(row.last_error) as DeliveryError }),
    ...(row.delivered_at === null ? {} : { deliveredAt: numberOf(row.delivered_at) }),
  }
}

export const toAttempt = (row: Row): Attempt => ({
  number: numberOf(row.number),
  at: numberOf(row.at),
  durationMs: numberOf(row.duration_ms),
  ...(row.status === null ? {} : { status: numberOf(row.status) }),
  ...(row.error === null ? {} : { error: String(row.error) as DeliveryError }),
  cause: String(row.cause) as Attempt['cause'],
})
