import type { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { SqliteFile } from '../../../storage/sqlite-file.ts'
import type { Attempt, Delivery, DeliveryChannel } from '../../record/delivery-record.ts'
import {
  type AttemptOutcome,
  type DeliveryFilter,
  type DeliveryStore,
  type HeldTargets,
  MOST_ATTEMPTS_KEPT,
} from '../../record/delivery-store.ts'
import type { Head } from '../shared/claim-queue.ts'
import { JoinedCalls } from '../shared/joined-calls.ts'
import { fromFile } from '../shared/store-problem.ts'
import { prepareDeliveries, type Row, toAttempt, toDelivery } from './sqlite-delivery-layout.ts'
import { conditionOf, LISTED, prepareStatements } from './sqlite-delivery-statements.ts'
import { WaitingDeliveries } from './sqlite-waiting-deliveries.ts'

export { insertDeliveries, prepareDeliveries } from './sqlite-delivery-layout.ts'

/** Rows removed per transaction by a cleanup. Others can write in between. */
const CLEANED_AT_ONCE = 1_000
/** Maximum number of outcomes per commit, and milliseconds the first one waits for others. */
const MOST_RECORDED = 256
const RECORD_MS = 20
/** Milliseconds between full counts of waiting deliveries. In between, additions and removals are tracked. */
const COUNT_AGAIN_MS = 60_000

/** Deliveries in the SQLite file. The file is closed by its owner. */
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
  /** Batches outcomes, so that the disk is flushed once for all that end at about the same time. */
  readonly #records = new JoinedCalls<Recorded, undefined>(
    (outcomes) => this.#commit((look) => outcomes.map((one) => this.#write(one, look))),
    MOST_RECORDED,
    RECORD_MS,
  )
  #pending = 0
  #countedMs = Number.NEGATIVE_INFINITY

  constructor(file: SqliteFile, now: () => number) {
    this.#file = file
    this.#database = file.database
    this.#now = now
    this.#statements = prepareStatements(file.database)
    this.#waiting = new WaitingDeliveries(file.database)
    this.#readWaiting('webhook')
    this.#readWaiting('kafka')
  }

  async claim(
    channel: DeliveryChannel,
    limit: number,
    nowMs: number,
    claimMs: number,
    held: HeldTargets,
  ): Promise<readonly Delivery[]> {
    const queue = this.#waiting.queues[channel]
    if (limit === 0) return []
    for (;;) {
      await queue.prepare(held)
      if (queue.hasDue(nowMs)) {
        const claimed = await this.#commit((look) => this.#take({ channel, limit, nowMs, claimMs, held }, look))
        if (claimed.length > 0) return claimed
      } else if (!queue.hasFresh) return []
      // All subscriptions checked are held. Yield before the next attempt.
      await nextTurn()
    }
  }

  #take({ channel, limit, nowMs, claimMs, held }: Claim, look: Look): readonly Delivery[] {
    const claimed: Delivery[] = []
    const passed = { count: 0 }
    while (claimed.length < limit) {
      const subscriptionId = this.#waiting.queues[channel].next(nowMs, held, passed)
      if (subscriptionId === undefined) break
      const row = this.#statements.due.get(channel, subscriptionId, nowMs)
      // Undefined: cancelled or rescheduled since it was queued.
      if (row !== undefined) {
        held.onTaken?.(subscriptionId)
        this.#statements.claim.run(nowMs + claimMs, Number(row.seq))
        claimed.push({ ...toDelivery(row), state: 'DELIVERING', nextAttemptAt: Number(row.next_attempt_at) })
      }
      look(channel, subscriptionId)
    }
    return claimed
  }

  async nextDue(channel: DeliveryChannel, nowMs: number, held: HeldTargets): Promise<number | undefined> {
    const queue = this.#waiting.queues[channel]
    do await queue.prepare(held)
    while (queue.hasFresh)
    return queue.nextDue(nowMs, held)
  }

  record(id: string, channel: DeliveryChannel, outcome: AttemptOutcome): Promise<void> {
    return this.#records.call({ id, channel, outcome })
  }

  #write({ id, channel, outcome }: Recorded, look: Look): undefined {
    const { attempt, state, nextAttemptAt = null, status = null, error = null, deliveredAt = null } = outcome
    const row = this.#statements.find.get(id, channel)
    if (row === undefined) return
    const seq = Number(row.seq)
    const { number, at, durationMs, cause } = attempt
    const next = state === 'PENDING' ? nextAttemptAt : null
    this.#statements.log.run(seq, number, at, durationMs, attempt.status ?? null, attempt.error ?? null, cause)
    if (number > MOST_ATTEMPTS_KEPT) this.#statements.forgetAttempts.run(seq, number - MOST_ATTEMPTS_KEPT)
    this.#statements.record.run(state, number, next, status, error, deliveredAt, seq)
    if (next === null) this.#pending -= 1
    look(channel, String(row.subscription_id))
  }

  release(deliveries: readonly Delivery[]): Promise<void> {
    return this.#commit(() => {
      for (const { id, channel, subscriptionId, nextAttemptAt = 0 } of deliveries) {
        const row = this.#statements.release.get(nextAttemptAt, id, channel)
        if (row === undefined) continue
        this.#waiting.queues[channel].added(subscriptionId, { due: nextAttemptAt, order: Number(row.seq) })
      }
    })
  }

  cancel(subscriptionId: string): Promise<void> {
    return this.#commit((look) => {
      this.#pending -= Number(this.#statements.cancel.run(subscriptionId).changes)
      look('webhook', subscriptionId)
      look('kafka', subscriptionId)
    })
  }

  async redeliver(filter: DeliveryFilter, nowMs: number): Promise<number> {
    const { where, values } = conditionOf(filter)
    const count = await this.#commit((look) => {
      const sql = `UPDATE delivery SET state = 'PENDING', manual = 1, earlier_attempts = attempts, next_attempt_at = ?,
        delivered_at = NULL WHERE ${where} AND state <> 'DELIVERING' AND NOT (state = 'FAILED' AND attempts = 0)`
      const changed = Number(this.#database.prepare(sql).run(nowMs, ...values).changes)
      this.#countedMs = Number.NEGATIVE_INFINITY
      look('webhook', filter.subscriptionId)
      look('kafka', filter.subscriptionId)
      return changed
    })
    this.#waiting.listeners.tell()
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
    return this.#waiting.listeners.add(listener)
  }

  /** The file is closed by its owner. */
  async close(): Promise<void> {}

  /** Takes one lookup per subscription, not per delivery. */
  #readWaiting(channel: DeliveryChannel): void {
    let row = this.#statements.nextWaiting.get(channel, '')
    while (row !== undefined) {
      const subscriptionId = String(row.subscription_id)
      this.#waiting.queues[channel].set(subscriptionId, headOf(row))
      row = this.#statements.nextWaiting.get(channel, subscriptionId)
    }
  }

  async #commit<T>(work: (look: Look) => T): Promise<T> {
    const looked: (readonly [DeliveryChannel, string])[] = []
    const look: Look = (channel, subscriptionId) => {
      looked.push([channel, subscriptionId])
      this.#waiting.queues[channel].set(subscriptionId, headOf(this.#statements.next.get(channel, subscriptionId)))
    }
    try {
      return await fromFile(() => this.#file.commit(() => work(look)))
    } catch (error) {
      // The transaction was rolled back, so the next claim must look these up again.
      for (const [channel, subscriptionId] of looked) this.#waiting.queues[channel].added(subscriptionId, UNKNOWN)
      throw error
    }
  }
}

/** Looks up when the next delivery of a subscription is due. */
type Look = (channel: DeliveryChannel, subscriptionId: string) => void

interface Claim {
  readonly channel: DeliveryChannel
  readonly limit: number
  readonly nowMs: number
  readonly claimMs: number
  readonly held: HeldTargets
}

/** Outcome of an attempt. */
interface Recorded {
  readonly id: string
  readonly channel: DeliveryChannel
  readonly outcome: AttemptOutcome
}

const UNKNOWN: Head = { due: 0, order: 0 }

function headOf(row: Row | undefined): Head | undefined {
  return row === undefined ? undefined : { due: Number(row.next_attempt_at), order: Number(row.seq) }
}
