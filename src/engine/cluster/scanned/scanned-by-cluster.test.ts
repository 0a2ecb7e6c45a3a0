import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { h3CellOf } from '../../../geo/grid/h3-cell.ts'
import type { AggregationLevel, AggregationPlan, Grouping } from '../../../query/plan/aggregation-plan.ts'
import { everything, type Predicate } from '../../../query/plan/predicate.ts'
import { clusterUnderTest } from '../cluster-under-test.fixture.ts'
import { dropTestIndices, fieldOf, makeTestIndex } from '../test-index.fixture.ts'
import { fetchDocuments } from './document-fetch.ts'
import { aggregateByScan } from './scanned-aggregation.ts'
import { measureByScan } from './scanned-measure.ts'

const context = clusterUnderTest(100)
const field = {
  id: fieldOf('id', 'KEYWORD'),
  name: fieldOf('about.name.raw', 'KEYWORD'),
  kind: fieldOf('about.kind', 'KEYWORD'),
  code: fieldOf('code', 'LONG'),
  size: fieldOf('size', 'INTEGER'),
  where: fieldOf('where', 'GEO_POINT'),
  area: fieldOf('area', 'GEO_SHAPE'),
}

const properties = {
  id: { type: 'keyword' },
  about: {
    properties: { name: { type: 'text', fields: { raw: { type: 'keyword' } } }, kind: { type: 'keyword' } },
  },
  code: { type: 'long' },
  size: { type: 'integer' },
  where: { type: 'geo_point' },
  area: { type: 'geo_shape' },
}

const square = (x: number, y: number) =>
  `POLYGON ((${x} ${y}, ${x + 2} ${y}, ${x + 2} ${y + 2}, ${x} ${y + 2}, ${x} ${y}))`

const documents = [
  {
    id: 'a',
    about: { name: 'Ferry', kind: 'ship' },
    code: 9007199254740993n,
    size: 1,
    where: '10,20',
    area: square(0, 0),
  },
  { id: 'b', 'about.kind': 'ship', about: { name: ['Ferry', 'Tug'] }, code: 9007199254740995n, where: [20, 10] },
  { id: 'c', about: { kind: 'port', name: 'Genova' }, size: 3, where: { lon: -70, lat: -30 }, area: square(10, 20) },
  { id: 'd', about: { kind: 'port' }, size: [5, -5], where: ['-30,-70', '10,20'] },
]

/** In this index `size` and `code` have another type. */
const otherProperties = { ...properties, size: { type: 'keyword' }, code: { type: 'keyword' } }
const others = [{ id: 'e', about: { kind: 'ship' }, code: 7, size: '9', where: '10,20' }]

let first = ''
let second = ''
beforeAll(async () => {
  first = await makeTestIndex(context, 'scanned', properties, documents)
  second = await makeTestIndex(context, 'scanned-other', otherProperties, others)
})
afterAll(() => dropTestIndices(context, [first, second]))

const level = (grouping: Grouping, more: Partial<AggregationLevel> = {}): AggregationLevel => ({
  grouping,
  order: { by: 'count', descending: true },
  metrics: [],
  tops: [],
  ...more,
})

const planOf = (
  levels: readonly AggregationLevel[],
  indices: readonly string[] = [first],
  predicate: Predicate = everything,
): AggregationPlan => ({ indices, predicate, levels, limits: { buckets: 65_535, bucketHits: 1000 } })

const east = h3CellOf(20, 10, 1)
const south = h3CellOf(-70, -30, 1)
const hexes: Grouping = { kind: 'geohex', field: field.where, level: 1 }

describe('plans with a primitive the cluster lacks', () => {
  it('are answered from the documents, picks included', async () => {
    const sort = [
      { kind: 'field' as const, field: field.size, descending: true },
      { kind: 'field' as const, field: field.id, descending: false },
    ]
    const tops = [
      { size: 2, sort },
      { size: 1, sort: sort.slice(1), having: field.area },
    ]
    const metrics = [{ kind: 'sum' as const, field: field.size }]
    const { total, buckets } = await aggregateByScan(context, planOf([level(hexes, { tops, metrics })]), 'H3 cells')
    expect(total).toBe(4)
    expect(buckets.map(({ key, count, metrics: m }) => ({ key, count, m }))).toEqual([
      { key: east, count: 3, m: [1] },
      { key: south, count: 2, m: [3] },
    ])
    const ids = buckets.map((b) => b.tops.map((found) => found.map(({ source }) => source.id)))
    expect(ids).toEqual([
      [['d', 'a'], ['a']],
      [['d', 'c'], ['c']],
    ])
    // Whole documents, with integers as written.
    expect(buckets[0]?.tops[0]?.[1]).toMatchObject({
      index: first,
      source: { about: { name: 'Ferry' } },
      text: expect.stringContaining('9007199254740993'),
    })
  })

  it('find values at dotted keys and of sub-fields, and tell long integers apart', async () => {
    const term = (of: keyof typeof field): AggregationLevel => level({ kind: 'term', field: field[of] }, { size: 10 })
    const shown = async (of: keyof typeof field) =>
      (await aggregateByScan(context, planOf([term(of)]), 'H3 cells')).buckets.map((b) => [b.key, b.count])
    expect(await shown('kind')).toEqual([
      ['port', 2],
      ['ship', 2],
    ])
    expect(await shown('name')).toEqual([
      ['Ferry', 2],
      ['Genova', 1],
      ['Tug', 1],
    ])
    expect(await shown('code')).toEqual([
      [9007199254740993n, 1],
      [9007199254740995n, 1],
    ])
  })

  it('count values of several indices only where the field has its type', async () => {
    const metrics = (['size', 'code'] as const).map((of) => ({ kind: 'max' as const, field: field[of] }))
    const plan = planOf([level(hexes, { metrics, size: 1 })], [first, second])
    const { total, buckets, others: cut } = await aggregateByScan(context, plan, 'H3 cells')
    expect({ total, cut }).toEqual({ total: 5, cut: 2 })
    expect(buckets).toMatchObject([{ key: east, count: 4, metrics: [5, Number(9007199254740995n)] }])
  })

  it('measure shapes', async () => {
    const metrics = [
      { kind: 'centroid' as const, field: field.area },
      { kind: 'bounds' as const, field: field.area },
    ]
    const plan = { indices: [first], predicate: everything, metrics }
    expect(await measureByScan(context, plan, 'centroids of shapes')).toEqual({
      total: 4,
      values: [[6, 11], { west: 0, south: 0, east: 12, north: 22 }],
    })
  })

  it('read only what is selected', async () => {
    const predicate: Predicate = { kind: 'equals', field: field.kind, values: ['port'] }
    const { total, buckets } = await aggregateByScan(context, planOf([level(hexes)], [first], predicate), 'H3 cells')
    expect(total).toBe(2)
    expect(buckets.map((b) => [b.key, b.count])).toEqual([
      [south, 2],
      [east, 1],
    ])
  })

  it('are not implemented beyond the documents that may be read', async () => {
    const narrow = { ...context, limits: { scan: 3 } }
    await expect(aggregateByScan(narrow, planOf([level(hexes)]), 'H3 cells')).rejects.toMatchObject({
      code: 'NOT_IMPLEMENTED',
      message: expect.stringMatching(/OpenSearch.*H3 cells/),
    })
  })

  it('are not implemented at all for grids of shapes', async () => {
    const plan = planOf([level({ kind: 'geotile', field: field.area, level: 3 })])
    await expect(aggregateByScan(context, plan, 'grids of shapes')).rejects.toMatchObject({ code: 'NOT_IMPLEMENTED' })
  })

  it('leave out documents that are gone by the time they are fetched', async () => {
    const names = ['2', 'gone', '0', '2'].map((id) => ({ index: first, id }))
    const found = await fetchDocuments(context, names)
    expect(found.map((document) => document?.source.id)).toEqual(['c', undefined, 'a', 'c'])
  })
})
