import { describe, expect, it } from 'vitest'
import { nextBrokerWait, nextWait, readRetryAfter } from './delivery-schedule.ts'

const NOW = Date.parse('2026-11-15T10:00:00Z')

describe('the schedule of attempts', () => {
  it('has ten, over three days', () => {
    const waits = Array.from({ length: 11 }, (_, failed) => nextWait(failed, 0))
    const s = 1000
    const h = 3600 * s
    expect(waits).toEqual([0, 5 * s, 300 * s, 1800 * s, 2 * h, 5 * h, 10 * h, 14 * h, 20 * h, 24 * h, undefined])
    const seconds = waits.reduce<number>((sum, wait) => sum + (wait ?? 0), 0) / s
    expect(seconds).toBe(75 * 3600 + 35 * 60 + 5)
  })

  it('lengthens each wait by a tenth at most', () => {
    expect([nextWait(1, 0.5), nextWait(1, 1), nextWait(9, 1)]).toEqual([5250, 5500, 95_040_000])
  })

  it('of a broker doubles to a minute', () => {
    expect([1, 2, 3, 6, 7, 8, 5000].map(nextBrokerWait)).toEqual([1000, 2000, 4000, 32_000, 60_000, 60_000, 60_000])
  })
})

describe('Retry-After', () => {
  it.each<readonly [string | undefined, number | undefined]>([
    ['120', 120_000],
    [' 0 ', 0],
    ['Sun, 15 Nov 2026 10:01:00 GMT', 60_000],
    ['Sunday, 15-Nov-26 10:01:00 GMT', 60_000],
    ['Sun, 15 Nov 2026 09:00:00 GMT', 0],
    ['-5', undefined],
    ['1.5', undefined],
    ['soon', undefined],
    ['', undefined],
    [undefined, undefined],
    ['Sun, 99 Nov 2026 10:01:00 GMT', undefined],
    ['2026-11-15T10:01:00Z', undefined],
  ])('%j means %s ms', (text, expected) => {
    expect(readRetryAfter(text, NOW)).toBe(expected)
  })
})
