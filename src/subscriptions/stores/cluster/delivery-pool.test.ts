import { describe, expect, it } from 'vitest'
import { DeliveryPool, type SeenDelivery } from './delivery-pool.ts'

const delivery = (n: number, changes: Partial<SeenDelivery> = {}): SeenDelivery => ({
  id: `d${n}`,
  subscriptionId: 's',
  version: { seqNo: n, primaryTerm: 1 },
  due: 100 - (n % 2),
  order: n,
  ...changes,
})

describe('deliveries that are known to wait', () => {
  it('are taken in the order they are due', () => {
    const pool = new DeliveryPool()
    for (const n of [4, 1, 3, 2]) pool.put(delivery(n))
    expect([0, 1, 2, 3, 4].map(() => pool.take('s')?.id)).toEqual(['d1', 'd3', 'd2', 'd4', undefined])
    expect(pool.queue.size).toBe(0)
  })

  it('are kept as they were seen last', () => {
    const pool = new DeliveryPool()
    pool.put(delivery(1, { version: { seqNo: 9, primaryTerm: 1 }, due: 500 }))
    pool.put(delivery(1, { due: 100 }))
    expect(pool.get('d1')?.due).toBe(500)
    pool.put(delivery(1, { version: { seqNo: 2, primaryTerm: 2 }, due: 600 }))
    expect(pool.get('d1')?.due).toBe(600)
  })

  it('are read again of a subscription that had more, once those are under way', () => {
    const pool = new DeliveryPool()
    for (let n = 0; n < 40; n++) pool.put(delivery(n, { due: n }))
    expect([pool.full(), pool.takeEmpty(9)]).toEqual([['s'], []])
    for (let n = 0; n < 32; n++) {
      const taken = pool.take('s')
      expect(taken?.id).toBe(`d${n}`)
      pool.put(delivery(n, { version: { seqNo: 99 + n, primaryTerm: 1 }, due: 9_000, attempts: [] }))
    }
    expect([pool.full(), pool.takeEmpty(9)]).toEqual([[], ['s']])
    // Claimed deliveries do not reduce the room for those read now.
    for (let n = 32; n < 40; n++) pool.put(delivery(n, { due: n }))
    expect([pool.full(), pool.takeEmpty(9)]).toEqual([[], []])
    expect(pool.take('s')?.id).toBe('d32')
  })
})
