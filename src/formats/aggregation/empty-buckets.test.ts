import { describe, expect, it } from 'vitest'
import type { AggregationResult, Bucket } from '../../engine/engine.ts'
import type { AggregationLevel, BucketOrder } from '../../query/plan/aggregation-plan.ts'
import type { Field } from '../../query/schema/field.ts'
import { fillBuckets } from './empty-buckets.ts'

const number: Field = { path: 'n', type: 'LONG', indexed: true, nested: false }
const byKey: BucketOrder = { by: 'key', descending: false }

const level = (interval: number, more: Partial<AggregationLevel> = {}): AggregationLevel => ({
  grouping: { kind: 'histogram', field: number, interval },
  order: byKey,
  metrics: [],
  tops: [],
  ...more,
})
const terms = (more: Partial<AggregationLevel> = {}): AggregationLevel => ({
  grouping: { kind: 'term', field: number },
  order: { by: 'count', descending: true },
  metrics: [],
  tops: [],
  ...more,
})
const bucket = (key: number, count: number, more: Partial<Bucket> = {}): Bucket => ({
  key,
  count,
  metrics: [],
  tops: [],
  ...more,
})
const result = (...buckets: Bucket[]): AggregationResult => ({ total: 9, others: 0, buckets })
const limits = { buckets: 100, bucketHits: 100 }

const fill = (levels: readonly AggregationLevel[], found: AggregationResult, buckets = 100): AggregationResult =>
  fillBuckets(found, { levels, limits: { ...limits, buckets } })
const pairs = ({ buckets }: { readonly buckets: readonly Bucket[] }) => buckets.map(({ key, count }) => [key, count])

describe('fillBuckets', () => {
  it('adds the empty buckets from the first to the last one', () => {
    const filled = fill([level(2.5)], result(bucket(-2.5, 1), bucket(0, 3), bucket(10, 1)))
    expect(pairs(filled)).toEqual([
      [-2.5, 1],
      [0, 3],
      [2.5, 0],
      [5, 0],
      [7.5, 0],
      [10, 1],
    ])
  })

  it('orders anew, so that empty ones come where they belong', () => {
    const order: BucketOrder = { by: 'count', descending: true }
    const filled = fill([level(1, { order })], result(bucket(4, 5), bucket(2, 3), bucket(0, 3)))
    expect(pairs(filled)).toEqual([
      [4, 5],
      [0, 3],
      [2, 3],
      [1, 0],
      [3, 0],
    ])
  })

  it('gives empty buckets a sum of 0 and no average, and puts those without result last', () => {
    const metrics = [
      { kind: 'avg', field: number },
      { kind: 'sum', field: number },
      { kind: 'cardinality', field: number },
    ] as const
    const order: BucketOrder = { by: 'metric', metric: 0, descending: true }
    const found = result(bucket(0, 1, { metrics: [1, 1, 1] }), bucket(2, 1, { metrics: [7, 7, 1] }))
    const filled = fill([level(1, { metrics, order })], found)
    expect(filled.buckets.map(({ key, metrics }) => [key, metrics])).toEqual([
      [2, [7, 7, 1]],
      [0, [1, 1, 1]],
      [1, [null, 0, 0]],
    ])
    const bySum: BucketOrder = { by: 'metric', metric: 1, descending: false }
    expect(pairs(fill([level(1, { metrics, order: bySum })], found))).toEqual([
      [1, 0],
      [0, 1],
      [2, 1],
    ])
  })

  it('fills nested histograms inside each parent, and gives empty parents a child without buckets', () => {
    const child = (...buckets: Bucket[]) => ({ children: { buckets, others: 0 } })
    const found = result(bucket(0, 2, child(bucket(1, 1), bucket(3, 1))), bucket(2, 1, child(bucket(8, 1))))
    const filled = fill([level(1), level(1)], found)
    expect(filled.buckets.map(({ children }) => children && pairs(children))).toEqual([
      [
        [1, 1],
        [2, 0],
        [3, 1],
      ],
      [],
      [[8, 1]],
    ])
  })

  it('leaves terms as they are, with what was cut', () => {
    const found = { ...result(bucket(7, 2), bucket(1, 1)), others: 5 }
    expect(fill([terms()], found)).toEqual(found)
  })

  it('refuses more places for documents than the limit, those of empty buckets included', () => {
    const tops = [
      { size: 20, sort: [] },
      { size: 1, sort: [], having: number },
    ]
    expect(fill([level(1, { tops })], result(bucket(0, 1), bucket(4, 1))).buckets).toHaveLength(5)
    expect(() => fill([level(1, { tops })], result(bucket(0, 1), bucket(5, 1)))).toThrow(/'120'.*limits\.bucketHits/)
  })

  it('refuses too many buckets, all levels and empty ones together, before it builds them', () => {
    const far = result(bucket(0, 1), bucket(1e15, 1))
    expect(() => fill([level(1)], far)).toThrow(/limits\.buckets/)
    const child = { children: { buckets: [bucket(0, 1), bucket(3, 1)], others: 0 } }
    const nested = result(bucket(0, 1, child), bucket(2, 1, child))
    // Three parents, one of them empty, and four children in each of the others.
    expect(pairs(fill([level(1), level(1)], nested, 11))).toHaveLength(3)
    expect(() => fill([level(1), level(1)], nested, 10)).toThrow(/10 buckets/)
  })

  it('gives each double one bucket where neighbours share it', () => {
    const filled = fill([level(1)], result(bucket(2 ** 60, 1), bucket(2 ** 60 + 1024, 1)), 2000)
    const keys = filled.buckets.map(({ key }) => key)
    expect(new Set(keys).size).toBe(keys.length)
    expect(keys.at(0)).toBe(2 ** 60)
    expect(keys.at(-1)).toBe(2 ** 60 + 1024)
  })
})
