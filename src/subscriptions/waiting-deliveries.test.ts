import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { WaitingDeliveries } from './waiting-deliveries.ts'

describe('subscriptions that wait', () => {
  it('are named in the order of their earliest delivery, held and later ones left out', () => {
    const entries = fc.uniqueArray(fc.tuple(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: 9 })), {
      selector: ([name]) => name,
    })
    fc.assert(
      fc.property(entries, fc.integer({ min: 0, max: 9 }), fc.integer({ min: 1, max: 8 }), (given, now, limit) => {
        const database = new DatabaseSync(':memory:')
        const waiting = new WaitingDeliveries(database)
        for (const [name, due] of given) waiting.added('webhook', `s${name}`, due)
        const held = { isHeld: (id: string) => Number(id.slice(1)) % 3 === 0 }
        const expected = given
          .filter(([name, due]) => name % 3 !== 0 && due <= now)
          .map(([, due]) => due)
          .sort((a, b) => a - b)
        const found = waiting.due('webhook', now, limit, held)
        expect(found.map(([, due]) => due)).toEqual(expected.slice(0, limit))
        expect(new Set(found.map(([id]) => id)).size).toBe(found.length)
        expect(found.every(([id]) => !held.isHeld(id))).toBe(true)
        expect(waiting.due('kafka', now, limit, held)).toEqual([])
        database.close()
      }),
    )
  })
})
