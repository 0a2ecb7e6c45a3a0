import type { DatabaseSync } from 'node:sqlite'
import type { SqliteFile } from '../storage/sqlite-file.ts'
import type { Attempt, Delivery, DeliveryChannel } from './delivery-record.ts'
import {
  type AttemptOutcome,
  type DeliveryFilter,
  type DeliveryStore,
  type HeldTargets,
  MOST_ATTEMPTS_KEPT,
} from './delivery-store.ts'
import { prepareDeliveries, toAttempt, toDelivery } from './sqlite-delivery-layout.ts'
import { conditionOf, LISTED, prepareStatements } from './sqlite-delivery-statements.ts'
import { fromFile } from './store-problem.ts'
import { WaitingDeliveries } from './waiting-deliveries.ts'

export { insertDeliveries, prepareDeliveries } from './sqlite-delivery-layout.ts'

/** How many rows one statement of the cleaning removes: others write between two of them. */
const CLEANED_AT_ONCE = 1_000
/** In between, the number of waiting deliveries is reckoned from what was added and taken away. */
const COUNT_AGAIN_MS = 60_000

/** Deliveries in the SQLite file; closing it is left to whoever opened it. */
export function sqliteDeliveryStore(file: SqliteFile, now: () => number = Date.now): DeliveryStore {
  prepareDeliveries(file)
  return new SqliteDeliveryStore(file, now)
}

class SqliteDeliveryStore implements DeliveryStore {
  readonly #file: SqliteFile
  readonly #database: DatabaseSync
  readonly #statements: ReturnType<typeof prepareStatements>
  readonly #waiting: WaitingDeliveries
  readonly #now: () => number
  #pending = 0
  #countedMs = Number.NEGATIVE_INFINITY

  constructor(file: SqliteFile, now: () => number) {
    this.#file = file
    this.#database = file.database
    this.#now = now
    this.#statements = prepareStatements(file.database)
    this.#waiting = new WaitingDeliveries(file.database)
    for (const row of this.#statements.earliest.iterate()) {
      const { channel, subscriptionId } = toDelivery({ ...row, payload: '' })
      this.#waiting.set(channel, subscriptionId, Number(row.next_attempt_at))
    }
  }

  claim(
    channel: DeliveryChannel,
    limit: number,
    nowMs: number,
    claimMs: number,
    held: HeldTargets,
  ): Promise<readonly Delivery[]> {
    const candidates = this.#candidates(channel, limit, nowMs, held)
    if (candidates.length === 0) return Promise.resolve([])
    return this.#commit(() => {
      const claimed: Delivery[] = []
      const subscriptions = new Set<string>()
      for (const { seq, subscriptionId } of candidates) {
        subscriptions.add(subscriptionId)
        if (claimed.length === limit || held.isHeld(subscriptionId, nowMs)) continue
        const row = this.#statements.dueRow.get(seq, nowMs)
        // Taken, cancelled or moved since it was looked for.
        if (row === undefined) continue
        held.onTaken?.(subscriptionId)
        this.#statements.claim.run(nowMs + claimMs, seq)
        claimed.push({ ...toDelivery(row), state: 'DELIVERING', nextAttemptAt: Number(row.next_attempt_at) })
      }
      for (const subscriptionId of subscriptions) this.#lookAgain(channel, subscriptionId)
      return claimed
    })
  }

  async nextDue(channel: DeliveryChannel, nowMs: number, held: HeldTargets): Promise<number | undefined> {
    return this.#waiting.next(channel, nowMs, held)
  }

  record(id: string, channel: DeliveryChannel, outcome: AttemptOutcome): Promise<void> {
    const { attempt, state, nextAttemptAt = null, status = null, error = null, deliveredAt = null } = outcome
    return this.#commit(() => {
      const row = this.#statements.find.get(id, channel)
      if (row === undefined) return
      const seq = Number(row.seq)
      const { number, at, durationMs, cause } = attempt
      const next = state === 'PENDING' ? nextAttemptAt : null
      this.#statements.log.run(seq, number, at, durationMs, attempt.status ?? null, attempt.error ?? null, cause)
      this.#statements.forgetAttempts.run(seq, number - MOST_ATTEMPTS_KEPT)
      this.#statements.record.run(state, number, next, status, error, deliveredAt, seq)
      if (next === null) this.#pending -= 1
      this.#lookAgain(channel, String(row.subscription_id))
    })
  }

  release(deliveries: readonly Delivery[]): Promise<void> {
    return this.#commit(() => {
      for (const { id, channel, subscriptionId, nextAttemptAt = 0 } of deliveries) {
        const { changes } = this.#statements.release.run(nextAttemptAt, id, channel)
        if (changes === 1) this.#waiting.moved(channel, subscriptionId, nextAttemptAt)
      }
    })
  }

  cancel(subscriptionId: string): Promise<void> {
    return this.#commit(() => {
      this.#pending -= Number(this.#statements.cancel.run(subscriptionId).changes)
      this.#lookAgain('webhook', subscriptionId)
      this.#lookAgain('kafka', subscriptionId)
    })
  }

  async redeliver(filter: DeliveryFilter, nowMs: number): Promise<number> {
    const { where, values } = conditionOf(filter)
    const count = await this.#commit(() => {
      const sql = `UPDATE delivery SET state = 'PENDING', manual = 1, earlier_attempts = attempts, next_attempt_at = ?,
        delivered_at = NULL WHERE ${where} AND state <> 'DELIVERING' AND NOT (state = 'FAILED' AND attempts = 0)`
      const changed = Number(this.#database.prepare(sql).run(nowMs, ...values).changes)
      this.#countedMs = Number.NEGATIVE_INFINITY
      this.#lookAgain('webhook', filter.subscriptionId)
      this.#lookAgain('kafka', filter.subscriptionId)
      return changed
    })
    this.#waiting.tell()
    return count
  }

  get(subscriptionId: string, id: string): Promise<readonly Delivery[]> {
    return fromFile(() => this.#statements.get.all(id, subscriptionId).map(toDelivery))
  }

  attempts(id: string, channel: DeliveryChannel): Promise<readonly Attempt[]> {
    return fromFile(() => this.#statements.attempts.all(id, channel).map(toAttempt))
  }

  hasDelivered(subscriptionId: string, channel: DeliveryChannel, sinceS: number): Promise<boolean> {
    return fromFile(() => this.#statements.hasDelivered.get(subscriptionId, channel, sinceS) !== undefined)
  }

  list(
    filter: DeliveryFilter,
    from: number,
    size: number,
  ): Promise<{ total: number; deliveries: readonly Delivery[] }> {
    const { where, values } = conditionOf(filter)
    return fromFile(() => {
      const counted = this.#database.prepare(`SELECT count(*) AS n FROM delivery WHERE ${where}`).get(...values)
      const page = `SELECT ${LISTED} FROM delivery WHERE ${where} ORDER BY created_at DESC, seq DESC LIMIT ? OFFSET ?`
      const rows = this.#database.prepare(page).all(...values, size, from)
      return { total: Number(counted?.n), deliveries: rows.map(toDelivery) }
    })
  }

  insertFinished(delivery: Delivery, attempt: Attempt): Promise<void> {
    const { id, channel, subscriptionId, eventId, collection, documentId, type, state, createdAt, payload } = delivery
    const { lastStatus = null, lastError = null, deliveredAt = null, attempts } = delivery
    const { number, at, durationMs, status = null, error = null, cause } = attempt
    return this.#commit(() => {
      const { lastInsertRowid: seq } = this.#statements.insertFinished.run(
        ...[id, channel, subscriptionId, eventId, collection, documentId, type, state, createdAt],
        ...[attempts, lastStatus, lastError, deliveredAt, payload],
      )
      this.#statements.log.run(seq, number, at, durationMs, status, error, cause)
    })
  }

  pendingCount(): Promise<number> {
    return fromFile(() => {
      this.#pending += this.#waiting.takeAdded()
      if (this.#now() - this.#countedMs >= COUNT_AGAIN_MS) {
        this.#pending = Number(this.#statements.count.get()?.n)
        this.#countedMs = this.#now()
      }
      return this.#pending
    })
  }

  async clean(createdBeforeS: number): Promise<void> {
    let removed = CLEANED_AT_ONCE
    while (removed === CLEANED_AT_ONCE) {
      removed = await this.#commit(() => {
        const rows = this.#statements.outdated.all(createdBeforeS, CLEANED_AT_ONCE)
        for (const { seq } of rows) {
          this.#statements.removeAttempts.run(Number(seq))
          this.#statements.remove.run(Number(seq))
        }
        return rows.length
      })
    }
  }

  onDue(listener: () => void): () => void {
    return this.#waiting.onDue(listener)
  }

  /** The file belongs to whoever opened it. */
  async close(): Promise<void> {}

  /** Due rows of subscriptions that are not held, oldest first, as many as could be claimed. */
  #candidates(channel: DeliveryChannel, limit: number, nowMs: number, held: HeldTargets): readonly Candidate[] {
    let found: Candidate[] = []
    for (const [subscriptionId, due] of this.#waiting.due(channel, nowMs, limit, held)) {
      const last = found[limit - 1]
      if (last !== undefined && last.due <= due) break
      const rows = this.#statements.due.all(channel, subscriptionId, nowMs, limit)
      if (rows.length === 0) this.#lookAgain(channel, subscriptionId)
      for (const row of rows) found.push({ seq: Number(row.seq), due: Number(row.next_attempt_at), subscriptionId })
      found = found.sort((a, b) => a.due - b.due || a.seq - b.seq).slice(0, limit)
    }
    return found
  }

  #lookAgain(channel: DeliveryChannel, subscriptionId: string): void {
    const row = this.#statements.next.get(channel, subscriptionId)
    const due = row?.next_attempt_at
    this.#waiting.set(channel, subscriptionId, typeof due === 'number' ? due : undefined)
  }

  #commit<T>(work: () => T): Promise<T> {
    return fromFile(() => this.#file.commit(work))
  }
}

interface Candidate {
  readonly seq: number
  readonly due: number
  readonly subscriptionId: string
}
