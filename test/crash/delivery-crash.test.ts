import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SqliteFile } from '../../src/storage/sqlite-file.ts'
import { newDelivery, newSubscription } from '../../src/subscriptions/delivery/delivery.fixture.ts'
import { openReceiver, type Receiver } from '../../src/subscriptions/delivery/receiver.fixture.ts'
import { insertDeliveries, prepareDeliveries } from '../../src/subscriptions/stores/sqlite/sqlite-delivery-store.ts'
import { sqliteSubscriptionStore } from '../../src/subscriptions/stores/sqlite/sqlite-subscription-store.ts'

const COUNT = 20
/** A little longer than a claim. */
const CLAIM_MS = 61_000

let directory: string
let path: string
let receiver: Receiver

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'periplus-delivery-crash-'))
  path = join(directory, 'periplus.sqlite')
  receiver = await openReceiver()
  const file = SqliteFile.open(path)
  prepareDeliveries(file)
  await sqliteSubscriptionStore(file).insert(newSubscription('s1', receiver.url))
  const createdAt = Math.floor(Date.now() / 1000)
  file.transaction(() => {
    const deliveries = Array.from({ length: COUNT }, (_, n) => newDelivery(`d${n}`, { createdAt }))
    insertDeliveries(file.database, deliveries)
  })
  file.close()
})
afterEach(async () => {
  await receiver.close()
  rmSync(directory, { recursive: true })
})

/** Answers what ended it. */
function deliver(...options: readonly (string | number)[]): Promise<string> {
  const script = join(import.meta.dirname, 'delivery-process.ts')
  const given = ['--disable-warning=ExperimentalWarning', script, path, ...options.map(String)]
  const child = spawn(process.execPath, given, { stdio: ['ignore', 'inherit', 'inherit'] })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code, signal) => resolve(signal ?? `exit ${code}`))
  })
}

describe('deliveries of a server that is killed', () => {
  it.each([
    ['claimed', 1],
    ['claimed', 2],
    ['sent', 1],
    ['sent', 7],
    ['recorded', 1],
    ['recorded', 11],
  ])('when %s for the time no. %i arrive after the next start, with the same bytes', async (point, count) => {
    expect(await deliver(point, count)).toBe('SIGKILL')
    expect(await deliver('end', 0, CLAIM_MS)).toBe('exit 0')
    const bodies = new Map<string, Set<string>>()
    for (const { headers, body } of receiver.received) {
      const id = String(headers['webhook-id'])
      bodies.set(id, (bodies.get(id) ?? new Set()).add(body))
    }
    expect([...bodies.keys()].sort()).toEqual(Array.from({ length: COUNT }, (_, n) => `msg_d${n}`).sort())
    expect([...bodies.values()].map(({ size }) => size)).toEqual(Array.from({ length: COUNT }, () => 1))
    const file = SqliteFile.open(path)
    const states = file.database.prepare('SELECT DISTINCT state FROM delivery').all()
    file.close()
    expect(states.map(({ state }) => state)).toEqual(['DELIVERED'])
  })
})
