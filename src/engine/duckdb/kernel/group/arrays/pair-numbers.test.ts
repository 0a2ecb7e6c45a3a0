import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PairNumbers } from './pair-numbers.ts'
import { PairSet } from './pair-set.ts'

/** Small numbers, and numbers whose matrix would be too large. */
const first = fc.oneof(fc.nat(5), fc.nat(3000), fc.nat(2 ** 20))
const second = fc.oneof(fc.nat(70), fc.nat(3000), fc.constant(2 ** 31 + 5))
const batches = fc.array(fc.array(fc.tuple(first, second), { maxLength: 20 }), { maxLength: 8 })

const columns = (pairs: readonly (readonly [number, number])[]) =>
  [Uint32Array.from(pairs, ([a]) => a), Uint32Array.from(pairs, ([, b]) => b)] as const

describe('PairNumbers', () => {
  it('numbers pairs by appearance', () => {
    fc.assert(
      fc.property(batches, (all) => {
        const numbers = new PairNumbers()
        const known = new Map<string, number>()
        for (const pairs of all) {
          const [firsts, seconds] = columns(pairs)
          const out = new Uint32Array(pairs.length)
          numbers.numberAll(firsts, seconds, pairs.length, out)
          for (const [i, [a, b]] of pairs.entries()) {
            const number = known.get(`${a}/${b}`) ?? known.size
            known.set(`${a}/${b}`, number)
            expect(out[i]).toBe(number)
            expect([numbers.first(number), numbers.second(number)]).toEqual([a, b])
          }
        }
        expect(numbers.count).toBe(known.size)
      }),
    )
  })
})

describe('PairSet', () => {
  it('counts the distinct values of each bucket', () => {
    const most = 2 ** 20 + 1
    fc.assert(
      fc.property(batches, (all) => {
        const set = new PairSet()
        const counts = new Uint32Array(most)
        let [buckets, values] = [1, 1]
        for (const pairs of all) {
          const [owners, own] = columns(pairs)
          buckets = owners.reduce((a, b) => Math.max(a, b + 1), buckets)
          values = own.reduce((a, b) => Math.max(a, b + 1), values)
          set.addAll(owners, own, pairs.length, buckets, values, counts)
        }
        const distinct = new Set(all.flat().map(([a, b]) => `${a}/${b}`))
        const expected = new Map<number, number>()
        for (const name of distinct) {
          const bucket = Number(name.split('/')[0])
          expected.set(bucket, (expected.get(bucket) ?? 0) + 1)
        }
        for (const [bucket, count] of expected) expect(counts[bucket]).toBe(count)
        expect(counts.reduce((a, b) => a + b)).toBe(distinct.size)
      }),
      { numRuns: 60 },
    )
  })
})
