import { describe, expect, it } from 'vitest'
import { answerBytes } from './answer-bytes.ts'

const bucket = (i: number): object => ({ key: `term ${i}`, count: i, metrics: [i + 0.5, null], tops: [] })
const buckets = (count: number): object => ({
  total: 1,
  others: 0,
  buckets: Array.from({ length: count }, (_, i) => bucket(i)),
})

describe('the memory of an answer', () => {
  it('is at least the length of its JSON', () => {
    for (const value of [0, 'text', buckets(1), buckets(100)]) {
      expect(answerBytes(value, Number.POSITIVE_INFINITY) + 1).toBeGreaterThanOrEqual(JSON.stringify(value).length)
    }
  })

  it('grows with every part of it', () => {
    const small = { text: 'a', list: [1], big: 1n, nothing: null }
    const bytes = answerBytes(small, Number.POSITIVE_INFINITY)
    for (const larger of [
      { ...small, text: 'ab' },
      { ...small, list: [1, 2] },
      { ...small, list: [1.5] },
      { ...small, big: 2n ** 64n },
      { ...small, nothing: {} },
      { ...small, more: true },
    ]) {
      expect(answerBytes(larger, Number.POSITIVE_INFINITY)).toBeGreaterThan(bytes)
    }
  })

  it('is not worked out further than it matters', () => {
    const all = answerBytes(buckets(10_000), Number.POSITIVE_INFINITY)
    const some = answerBytes(buckets(10_000), all / 2)
    expect(some).toBeGreaterThan(all / 2)
    expect(some).toBeLessThan(all)
  })
})
