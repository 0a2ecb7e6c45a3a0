import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../model/json/document.ts'
import type { Mapping } from '../../../model/mapping.ts'
import type { AggregationPlan } from '../../../query/plan/aggregation-plan.ts'
import type { Predicate } from '../../../query/plan/predicate.ts'
import { type LoadedEngine, loadEngine, storageStates } from '../storage-states.fixture.ts'

const mapping: Mapping = {
  properties: {
    id: { type: 'keyword' },
    kind: { type: 'keyword' },
    kinds: { type: 'keyword' },
    area: { type: 'geo_shape' },
  },
}

const square = (side: number): JsonObject => ({
  type: 'Polygon',
  coordinates: [
    [
      [1, 1],
      [1 + side, 1],
      [1 + side, 1 + side],
      [1, 1 + side],
      [1, 1],
    ],
  ],
})

/** DuckDB stores equal shapes once, the large one among them. */
const documents: readonly JsonObject[] = Array.from({ length: 8_000 }, (_, i) => {
  const kind = i % 20 === 0 ? 'vast' : 'small'
  return { id: `id-${i}`, kind, kinds: [kind, 'any'], area: square(kind === 'vast' ? 30 : 0.5) }
})

describe.each(storageStates)('a shape in too many cells, documents %s', (state) => {
  let loaded: LoadedEngine
  beforeAll(async () => {
    loaded = await loadEngine(state, [{ name: 'areas', mapping, documents }])
  })
  afterAll(() => loaded.close())

  const plan = (predicate: Predicate, outer?: string): AggregationPlan => {
    const order = { by: 'count', descending: true } as const
    const cells = {
      grouping: { kind: 'geotile', field: loaded.field('area'), level: 12 } as const,
      metrics: [],
      tops: [],
      order,
      size: 3,
    }
    const kinds = outer && {
      grouping: { kind: 'term', field: loaded.field(outer), include: { kind: 'values', values: ['small'] } } as const,
      metrics: [],
      tops: [],
      order,
      size: 1,
    }
    return {
      indices: ['areas'],
      predicate,
      levels: kinds ? [kinds, cells] : [cells],
      limits: { buckets: 1_000, bucketHits: 1_000 },
    }
  }
  const ofKind = (kind: string): Predicate => ({ kind: 'equals', field: loaded.field('kind'), values: [kind] })
  const all: Predicate = { kind: 'everything' }

  it('is refused where it is selected', async () => {
    for (const predicate of [all, ofKind('vast')]) {
      await expect(loaded.engine.aggregate(plan(predicate))).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' })
    }
  })

  it('does not keep others from being counted', async () => {
    const { buckets } = await loaded.engine.aggregate(plan(ofKind('small')))
    expect(buckets.map(({ count }) => count)).toEqual([7600, 7600, 7600])
  })

  it.each(['kind', 'kinds'])('does not matter outside the buckets of %s that are kept', async (outer) => {
    const { buckets } = await loaded.engine.aggregate(plan(all, outer))
    expect(buckets.map(({ key, count }) => [key, count])).toEqual([['small', 7600]])
    expect(buckets[0]?.children?.buckets.map(({ count }) => count)).toEqual([7600, 7600, 7600])
  })
})
