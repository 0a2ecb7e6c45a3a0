import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { H3Locator } from '../../../geo/grid/h3-locator.ts'
import type { Mapping } from '../../../model/mapping.ts'
import type { AggregationPlan } from '../../../query/plan/aggregation-plan.ts'
import { everything } from '../../../query/plan/predicate.ts'
import { type LoadedEngine, loadEngine, storageStates } from '../storage-states.fixture.ts'

const mapping: Mapping = { properties: { id: { type: 'keyword' }, where: { type: 'geo_point' } } }

const documents = Array.from({ length: 1_000 }, (_, i) => ({ id: `id-${i}`, where: [(i % 40) / 10, i / 400] }))

describe.each(storageStates)('H3 cells of 1,000 places, documents %s', (state) => {
  let loaded: LoadedEngine
  beforeAll(async () => {
    loaded = await loadEngine(state, [{ name: 'places', mapping, documents }])
  })
  afterAll(() => loaded.close())
  afterEach(() => vi.restoreAllMocks())

  const plan = (buckets: number, level = 15): AggregationPlan => ({
    indices: ['places'],
    predicate: everything,
    levels: [
      {
        grouping: { kind: 'geohex', field: loaded.field('where'), level },
        metrics: [],
        tops: [],
        order: { by: 'count', descending: true },
      },
    ],
    limits: { buckets, bucketHits: 100 },
  })

  it('are refused when they are too many, by SQL before any is looked for', async () => {
    const asked = vi.spyOn(H3Locator.prototype, 'locate')
    await expect(loaded.engine.aggregate(plan(200))).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' })
    if (state === 'read by SQL') expect(asked).not.toHaveBeenCalled()
  })

  it('are counted when only finding them tells', async () => {
    await expect(loaded.engine.aggregate(plan(900))).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' })
    expect((await loaded.engine.aggregate(plan(1_000))).buckets).toHaveLength(1_000)
  })

  it('are found when they are few, however many documents there are', async () => {
    const { buckets } = await loaded.engine.aggregate(plan(200, 3))
    expect(buckets.reduce((sum, { count }) => sum + count, 0)).toBe(1_000)
  })
})
