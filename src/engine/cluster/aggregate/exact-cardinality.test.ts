import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { WireObject } from '../../../cluster-client/cluster-client.ts'
import type { Field } from '../../../query/schema/field.ts'
import { clusterUnderTest } from '../cluster-under-test.fixture.ts'
import { sendSearch } from '../request/search-call.ts'
import { dropTestIndices, fieldOf, makeTestIndex } from '../test-index.fixture.ts'
import { type EstimatedCardinality, exactCardinalities } from './exact-cardinality.ts'
import { compileMetrics, readMetrics } from './metric-query.ts'

/** The hashes of some multiples collide: of 11, 17 and 22 as texts, of 13 and 15 as numbers. */
const FACTORS = [1, 2, 11, 13, 15, 17, 22]
const SETS = FACTORS.length
const VALUES = 2900

/** One document for each set of numbers. */
const sets: readonly WireObject[] = FACTORS.map((factor, set) => {
  const numbers = Array.from({ length: VALUES }, (_, i) => i * factor)
  return { set, number: numbers, text: numbers.map((n) => `v${n}`), fraction: numbers.map((n) => n / 8) }
})

const others: readonly WireObject[] = [
  { set: 100, number: Array.from({ length: 3500 }, (_, i) => i) },
  { set: 101, fraction: ['-0.0', 0, 1] },
  { set: 102, fraction: ['-0.0', 1] },
]

describe('numbers of distinct values', () => {
  const context = clusterUnderTest()
  const set = fieldOf('set', 'INTEGER')
  const fields = [fieldOf('number', 'LONG'), fieldOf('text', 'KEYWORD'), fieldOf('fraction', 'DOUBLE')]
  let index = ''

  beforeAll(async () => {
    const types = { set: 'integer', number: 'long', text: 'keyword', fraction: 'double' }
    const properties = Object.fromEntries(Object.entries(types).map(([path, type]) => [path, { type }]))
    index = await makeTestIndex(context, 'exact-cardinality', properties, [...sets, ...others], 3)
  })
  afterAll(() => dropTestIndices(context, [index]))

  const ofSet = (value: number): WireObject => ({ term: { [set.path]: value } })

  const estimate = async (field: Field): Promise<readonly EstimatedCardinality[]> => {
    const metrics = [{ kind: 'cardinality' as const, field }]
    const aggs = { sets: { terms: { field: set.path, size: 200 }, aggs: compileMetrics(metrics) } }
    const { aggregations = {} } = await sendSearch(context, [index], { size: 0, aggs })
    const { buckets } = aggregations.sets as unknown as { buckets: readonly (WireObject & { key: number })[] }
    const inOrder = buckets.toSorted((a, b) => a.key - b.key)
    return inOrder.map((bucket) => ({
      query: ofSet(bucket.key),
      field,
      estimate: Number(readMetrics(metrics, bucket)[0]),
    }))
  }

  it('are exact up to 3,000 where the cluster is one off', async () => {
    const estimated = (await Promise.all(fields.map(estimate))).flatMap((one) => one.slice(0, SETS))
    expect(new Set(estimated.map((one) => one.estimate)).size).toBeGreaterThan(1)
    const exact = await exactCardinalities(context, [index], estimated)
    expect(exact).toEqual(estimated.map(() => VALUES))
  })

  it('stay as estimated beyond', async () => {
    const estimated = (await estimate(fieldOf('number', 'LONG'))).slice(SETS, SETS + 1)
    const [exact = 0] = await exactCardinalities(context, [index], estimated)
    expect(exact).toBe(estimated[0]?.estimate)
    expect(Math.abs(exact - 3500)).toBeLessThan(0.05 * 3500)
  })

  it('count one zero', async () => {
    const estimated = (await estimate(fieldOf('fraction', 'DOUBLE'))).slice(SETS + 1)
    expect(estimated.map((one) => one.estimate)).toEqual([3, 2])
    expect(await exactCardinalities(context, [index], estimated)).toEqual([2, 2])
  })

  it('are in the order asked for, of none too', async () => {
    const estimated = [4000, VALUES, 7, VALUES - 1].map((n, i) => ({
      query: ofSet(i),
      field: fieldOf('number', 'LONG'),
      estimate: n,
    }))
    expect(await exactCardinalities(context, [index], estimated)).toEqual([4000, VALUES, 7, VALUES])
    expect(await exactCardinalities(context, [index], [])).toEqual([])
  })

  it('refuse what the cluster refuses', async () => {
    const wrong = [{ query: { nonsense: {} }, field: fieldOf('number', 'LONG'), estimate: 200 }]
    await expect(exactCardinalities(context, [index], wrong)).rejects.toThrow('nonsense')
    const missing = [{ query: ofSet(1), field: fieldOf('number', 'LONG'), estimate: 200 }]
    await expect(exactCardinalities(context, [`${index}-not`], missing)).rejects.toThrow('no such index')
  })
})
