import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { newDelivery, T } from '../delivery/delivery.fixture.ts'
import type { NewDelivery } from '../record/delivery-record.ts'
import type { HeldTargets } from '../record/delivery-store.ts'
import { deliveryStores, type OpenedDeliveries } from './delivery-stores.fixture.ts'

const NOW = T * 1000 + 500
const CLAIM = 60_000

describe.each(deliveryStores)('deliveries of very many subscriptions in %s', (_name, open) => {
  const opened: OpenedDeliveries[] = []
  let insert: OpenedDeliveries['insert']
  let claimIds: (limit: number, nowMs: number, held: HeldTargets) => Promise<readonly string[]>

  beforeEach(() => {
    const { store, ...next } = open()
    opened.push({ store, ...next })
    insert = next.insert
    claimIds = async (limit, nowMs, held) =>
      (await store.claim('webhook', limit, nowMs, CLAIM, held)).map(({ id }) => id)
  })
  afterAll(async () => {
    for (const one of opened) await one.close()
  })

  const ofMany = (count: number): readonly NewDelivery[] =>
    Array.from({ length: count }, (_, n) => newDelivery(`m${n}`, { subscriptionId: `s${n}`, createdAt: T - 9 }))

  it.each([10, 2_000])('are claimed by looking at those there is room for, not at the %i that wait', async (count) => {
    await insert(ofMany(count))
    let asked = 0
    let room = 0
    const freed = new Set<string>()
    const held: HeldTargets = {
      lineOf: () => 'line',
      holdOf: () => {
        asked += 1
        return room > 0 ? undefined : { key: 'line' }
      },
      onTaken: () => {
        room -= 1
      },
      takeFreed: () => {
        const keys = [...freed]
        freed.clear()
        return keys
      },
    }
    const claimed: (readonly [number, number])[] = []
    for (const places of [0, 1, 0, 3]) {
      asked = 0
      room = places
      if (places > 0) freed.add('line')
      claimed.push([(await claimIds(10, NOW, held)).length, asked])
    }
    expect(claimed).toEqual([
      [0, 1],
      [1, 2],
      [0, 0],
      [3, 4],
    ])
  })

  it('let others have a turn while very many are found to be held', async () => {
    await insert(ofMany(3_000))
    let inTurn = 0
    let most = 0
    let isOver = false
    const held: HeldTargets = {
      lineOf: () => 'line',
      holdOf: (subscriptionId) => {
        inTurn += 1
        most = Math.max(most, inTurn)
        return { key: subscriptionId }
      },
    }
    const beat = (): void => {
      inTurn = 0
      if (!isOver) setImmediate(beat)
    }
    beat()
    expect(await claimIds(10, NOW, held)).toEqual([])
    isOver = true
    expect(most).toBeGreaterThan(0)
    expect(most).toBeLessThanOrEqual(600)
  })
})
