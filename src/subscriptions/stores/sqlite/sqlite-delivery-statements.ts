import type { DatabaseSync } from 'node:sqlite'
import type { DeliveryFilter } from '../../record/delivery-store.ts'

/** Columns of a list. Excludes payloads because they may be large. */
export const LISTED = `id, channel, subscription_id, event_id, collection, document_id, type, state, created_at, attempts,
  earlier_attempts, manual, next_attempt_at, last_status, last_error, delivered_at, '' AS payload`

/** Returns a WHERE clause and its values. */
export function conditionOf(filter: DeliveryFilter): { where: string; values: (string | number)[] } {
  const conditions = ['subscription_id = ?']
  const values: (string | number)[] = [filter.subscriptionId]
  const add = (condition: string, value: string | number | undefined): void => {
    if (value === undefined) return
    conditions.push(condition)
    values.push(value)
  }
  add('id = ?', filter.id)
  add('state = ?', filter.state)
  add('channel = ?', filter.channel)
  add('created_at <= ?', filter.before)
  add('created_at >= ?', filter.after)
  return { where: conditions.join(' AND '), values }
}

/**
 * All fixed statements of the delivery store. A claim looks up one row at a time, by the index of waiting deliveries.
 */
export function prepareStatements(database: DatabaseSync) {
  const prepare = (sql: string) => database.prepare(sql)
  return {
    nextWaiting: prepare(`SELECT subscription_id, next_attempt_at, seq FROM delivery
      WHERE channel = ? AND subscription_id > ? AND next_attempt_at IS NOT NULL
      ORDER BY subscription_id, next_attempt_at, seq LIMIT 1`),
    next: prepare(`SELECT next_attempt_at, seq FROM delivery
      WHERE channel = ? AND subscription_id = ? AND next_attempt_at IS NOT NULL ORDER BY next_attempt_at, seq LIMIT 1`),
    due: prepare(`SELECT * FROM delivery WHERE channel = ? AND subscription_id = ? AND next_attempt_at <= ?
      ORDER BY next_attempt_at, seq LIMIT 1`),
    claim: prepare("UPDATE delivery SET state = 'DELIVERING', next_attempt_at = ? WHERE seq = ?"),
    find: prepare('SELECT seq, subscription_id FROM delivery WHERE id = ? AND channel = ?'),
    record: prepare(`UPDATE delivery SET state = ?, attempts = ?, manual = 0, next_attempt_at = ?, last_status = ?,
      last_error = ?, delivered_at = ? WHERE seq = ?`),
    log: prepare('INSERT OR REPLACE INTO attempt VALUES (?, ?, ?, ?, ?, ?, ?)'),
    forgetAttempts: prepare('DELETE FROM attempt WHERE delivery = ? AND number <= ?'),
    release: prepare(`UPDATE delivery SET state = 'PENDING', next_attempt_at = ?
      WHERE id = ? AND channel = ? AND state = 'DELIVERING' RETURNING seq`),
    cancel: prepare(`UPDATE delivery SET state = 'CANCELLED', next_attempt_at = NULL
      WHERE subscription_id = ? AND state = 'PENDING'`),
    get: prepare('SELECT * FROM delivery WHERE id = ? AND subscription_id = ? ORDER BY channel DESC'),
    attempts: prepare(`SELECT attempt.* FROM attempt JOIN delivery ON delivery.seq = attempt.delivery
      WHERE delivery.id = ? AND channel = ? ORDER BY number`),
    hasDelivered: prepare(`SELECT 1 FROM delivery WHERE subscription_id = ? AND channel = ? AND delivered_at >= ?
      AND type <> 'subscription.test' LIMIT 1`),
    insertFinished:
      prepare(`INSERT INTO delivery (id, channel, subscription_id, event_id, collection, document_id, type,
      state, created_at, attempts, last_status, last_error, delivered_at, payload)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`),
    count: prepare('SELECT count(*) AS n FROM delivery WHERE next_attempt_at IS NOT NULL'),
    outdated: prepare('SELECT seq FROM delivery WHERE next_attempt_at IS NULL AND created_at < ? LIMIT ?'),
    remove: prepare('DELETE FROM delivery WHERE seq = ?'),
    removeAttempts: prepare('DELETE FROM attempt WHERE delivery = ?'),
  }
}
