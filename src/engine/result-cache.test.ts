import { describe, expect, it } from 'vitest'
import { ResultCache } from './result-cache.ts'

/** A value that takes about `bytes` of memory. */
const answerOf = (bytes: number): { text: string } => ({ text: 'x'.repeat(bytes / 2) })

describe('the result cache', () => {
  it('answers with what was kept for the same versions', () => {
    const cache = new ResultCache(100_000)
    cache.put('count a', '1', 0)
    expect(cache.get('count a', '1')).toMatchObject({ value: 0 })
    expect(cache.get('count b', '1')).toBeUndefined()
  })

  it('drops an answer of other versions', () => {
    const cache = new ResultCache(100_000)
    cache.put('count a', '1', 7)
    expect(cache.get('count a', '2')).toBeUndefined()
    expect([cache.size, cache.bytes]).toEqual([0, 0])
    expect(cache.get('count a', '1')).toBeUndefined()
  })

  it('stays below its bound; what was not asked for the longest leaves first', () => {
    const cache = new ResultCache(100_000)
    for (let i = 0; i < 9; i++) cache.put(`q${i}`, '1', answerOf(10_000))
    expect(cache.size).toBe(9)
    expect(cache.bytes).toBeGreaterThan(90_000)
    cache.get('q0', '1')
    cache.put('q9', '1', answerOf(20_000))
    expect(cache.bytes).toBeLessThanOrEqual(100_000)
    expect(cache.get('q0', '1')).toBeDefined()
    expect(cache.get('q9', '1')).toBeDefined()
    expect(cache.get('q1', '1')).toBeUndefined()
  })

  it('counts the questions too', () => {
    const cache = new ResultCache(100_000)
    for (let i = 0; i < 100; i++) cache.put(`q${i}${'x'.repeat(5_000)}`, '1', 1)
    expect(cache.size).toBe(9)
    expect(cache.bytes).toBeLessThanOrEqual(100_000)
  })

  it('keeps answers whose estimate is no whole number of bytes', () => {
    const cache = new ResultCache(100_000)
    cache.put('q', '1', { key: 0x123n })
    expect(cache.get('q', '1')).toMatchObject({ value: { key: 0x123n } })
    expect(Number.isInteger(cache.bytes)).toBe(true)
  })

  it('does not keep an answer that takes more than a quarter of it', () => {
    const cache = new ResultCache(100_000)
    cache.put('small', '1', answerOf(24_000))
    cache.put('large', '1', answerOf(26_000))
    cache.put(
      'many',
      '1',
      Array.from({ length: 1_000 }, (_, i) => ({ key: i })),
    )
    expect(cache.get('small', '1')).toBeDefined()
    expect(cache.get('large', '1')).toBeUndefined()
    expect(cache.get('many', '1')).toBeUndefined()
    expect(cache.size).toBe(1)
  })

  it('forgets the former answer also when the new one is too large', () => {
    const cache = new ResultCache(100_000)
    cache.put('q', '1', 1)
    cache.put('q', '2', answerOf(50_000))
    expect([cache.size, cache.bytes]).toEqual([0, 0])
  })

  it('keeps count of its bytes when an answer is replaced', () => {
    const cache = new ResultCache(100_000)
    cache.put('q', '1', answerOf(10_000))
    cache.put('q', '1', answerOf(10_000))
    expect(cache.size).toBe(1)
    expect(cache.bytes).toBeLessThan(11_000)
  })

  it('freezes what it keeps', () => {
    const value = { total: 1, buckets: [{ key: 'a', metrics: [{ west: 1 }] }] }
    new ResultCache(100_000).put('q', '1', value)
    expect(() => value.buckets.push({ key: 'b', metrics: [] })).toThrow(TypeError)
    expect(() => Object.assign(value.buckets[0]?.metrics[0] ?? {}, { west: 2 })).toThrow(TypeError)
    expect(value.buckets[0]?.metrics[0]).toEqual({ west: 1 })
  })
})
