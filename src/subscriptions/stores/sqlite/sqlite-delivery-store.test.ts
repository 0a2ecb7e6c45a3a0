import { describe, expect, it } from 'vitest'
import { SqliteFile } from '../../../storage/sqlite-file.ts'
import { newDelivery, T } from '../../delivery/delivery.fixture.ts'
import type { AttemptOutcome, HeldTargets } from '../../record/delivery-store.ts'
import { prepareStatements } from './sqlite-delivery-statements.ts'
import { insertDeliveries, sqliteDeliveryStore } from './sqlite-delivery-store.ts'

const NOW = T * 1000 + 500
const CLAIM = 60_000
const none: HeldTargets = { lineOf: () => 'line', holdOf: () => undefined }

const succeeded = (number: number): AttemptOutcome => ({
  attempt: { number, at: T + number, durationMs: 12, status: 200, cause: 'schedule' },
  state: 'DELIVERED',
  status: 200,
  deliveredAt: T + number,
})

describe('deliveries in SQLite', () => {
  it('are told of once they are inserted, and wait for whoever opens the file next', async () => {
    const file = SqliteFile.open(':memory:')
    const store = sqliteDeliveryStore(file)
    const told = new Promise<void>((resolve) => store.onDue(resolve))
    await file.commit(() => insertDeliveries(file.database, [newDelivery('a')]))
    await told
    expect((await sqliteDeliveryStore(file).claim('webhook', 1, NOW, CLAIM, none)).map(({ id }) => id)).toEqual([
      'msg_a',
    ])
    file.close()
  })

  it('are claimed, recorded and found at the start by single look-ups, whatever waits', () => {
    const file = SqliteFile.open(':memory:')
    sqliteDeliveryStore(file)
    const { nextWaiting, next, due, claim, find, record, log, release } = prepareStatements(file.database)
    const plans = [nextWaiting, next, due, claim, find, record, log, release].map(({ sourceSQL }) =>
      file.database
        .prepare(`EXPLAIN QUERY PLAN ${sourceSQL}`)
        .all()
        .map(({ detail }) => String(detail))
        .join('; '),
    )
    expect(plans.filter((plan) => /SCAN|TEMP B-TREE/.test(plan))).toEqual([])
    for (const plan of plans.slice(0, 3))
      expect(plan).toMatch(/^SEARCH delivery USING (COVERING )?INDEX delivery_waiting /)
    file.close()
  })

  it('whose outcome could not be written are found again', async () => {
    const file = SqliteFile.open(':memory:')
    const store = sqliteDeliveryStore(file)
    await file.commit(() => insertDeliveries(file.database, [newDelivery('a')]))
    await store.claim('webhook', 1, NOW, CLAIM, none)
    // As with a full disk: the commit fails and all its writes are rolled back.
    file.database.exec(`PRAGMA foreign_keys = ON;
      CREATE TABLE there (id INTEGER PRIMARY KEY);
      CREATE TABLE missing (id INTEGER REFERENCES there (id) DEFERRABLE INITIALLY DEFERRED);
      CREATE TRIGGER full AFTER INSERT ON attempt BEGIN INSERT INTO missing VALUES (1); END`)
    await expect(store.record('msg_a', 'webhook', succeeded(1))).rejects.toThrow(
      'The store of subscriptions is unavailable',
    )
    file.database.exec('DROP TRIGGER full')
    expect((await store.claim('webhook', 1, NOW + CLAIM, CLAIM, none)).map(({ id }) => id)).toEqual(['msg_a'])
    file.close()
  })

  it('that were undone are not found, nor counted for long', async () => {
    const file = SqliteFile.open(':memory:')
    let now = 0
    const store = sqliteDeliveryStore(file, () => now)
    await store.pendingCount()
    const undone = file.commit(() => {
      insertDeliveries(file.database, [newDelivery('a')])
      throw new Error('no')
    })
    await expect(undone).rejects.toThrow('no')
    expect(await store.claim('webhook', 1, NOW, CLAIM, none)).toEqual([])
    expect(await store.nextDue('webhook', NOW, none)).toBeUndefined()
    now += 60_000
    expect(await store.pendingCount()).toBe(0)
    file.close()
  })
})
