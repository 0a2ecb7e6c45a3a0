import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseKeywordPattern } from '../../../query/pattern/keyword-pattern-parser.ts'
import type { AggregationLevel, BucketOrder, Grouping, MetricPlan } from '../../../query/plan/aggregation-plan.ts'
import type { Field } from '../../../query/schema/field.ts'
import { BothEngines, level, type MakePlan, show } from '../both-engines.fixture.ts'
import { awkwardDocuments, mapping, narrowed, narrowMapping } from './awkward-buckets.fixture.ts'

const both = new BothEngines()
const documents = awkwardDocuments(150)
const layouts = ['one shard', 'three shards', 'two indices'] as const
const indices = new Map<string, readonly string[]>()

beforeAll(async () => {
  const one = await both.makeIndex('aggregator', mapping, documents)
  const three = await both.makeIndex('aggregator', mapping, documents, 3)
  const narrow = await both.makeIndex('aggregator', narrowMapping, documents.slice(0, 70).map(narrowed), 2)
  indices.set('one shard', [one]).set('three shards', [three]).set('two indices', [one, narrow])
})
afterAll(() => both.close())

const compare = (layout: string, make: MakePlan) => both.compare(indices.get(layout) ?? [], make)
const refused = (make: MakePlan) => both.ask(indices.get('one shard') ?? [], make)

type Fields = (path: string) => Field
const term = (field: Field): Grouping => ({ kind: 'term', field })
const byKey = (descending: boolean): BucketOrder => ({ by: 'key', descending })
const byCount = (descending: boolean): BucketOrder => ({ by: 'count', descending })
const byMetric = (descending: boolean, metric = 0): BucketOrder => ({ by: 'metric', metric, descending })
const byId = (f: Fields) => ({ kind: 'field', field: f('id'), descending: false }) as const

const termFields = ['kind', 'tags', 'address', 'flag', 'seen', 'day', 'code', 'port', 'ratio', 'size']
const orders: readonly BucketOrder[] = [byCount(true), byCount(false), byKey(true), byKey(false)]

describe.each(layouts)('on %s', (layout) => {
  it.each(termFields)('terms of %s, in every order, cut or not', async (path) => {
    for (const order of orders) {
      for (const size of [2, 60]) {
        const answer = await compare(layout, (f) => ({ levels: [level(term(f(path)), { order, size })] }))
        expect(answer.buckets.length).toBeGreaterThan(1)
      }
    }
  })

  const values: readonly [string, readonly (string | number | bigint | boolean)[]][] = [
    ['kind', ['ferry', 'nothing', 'a"b\\c', '🙂']],
    ['address', ['00000000000000000000ffff0a000001', '00000000000000000000000000000001']],
    ['flag', [true]],
    ['seen', [-1, 0, -259200001]],
    ['day', [1262304000000, Date.UTC(2010, 0, 11)]],
    ['code', [9007199254740993n, -7n]],
    ['port', [-3n, 100n]],
    ['ratio', [0.1, 2.5]],
    ['size', [-0.25, 3.5]],
    ['flag', []],
    ['kind', []],
  ]
  it.each(values)('only some terms of %s (%#)', async (path, included) => {
    for (const size of [1, 10]) {
      await compare(layout, (f) => ({
        levels: [level({ kind: 'term', field: f(path), include: { kind: 'values', values: included } }, { size })],
      }))
    }
  })

  it.each(['.*y', 'b.*|f.*', 't[a-z]{2,6}', '.', 'a"b\\\\c', 'nothing'])('terms like %s', async (text) => {
    const pattern = { ...parseKeywordPattern(text, 100), anchoredStart: true, anchoredEnd: true }
    await compare(layout, (f) => ({
      levels: [level({ kind: 'term', field: f('kind'), include: { kind: 'pattern', pattern } }, { size: 2 })],
    }))
  })

  it.each(['avg', 'min', 'max', 'sum', 'cardinality'] as const)('terms by %s, those without one last', async (kind) => {
    for (const descending of [true, false]) {
      for (const size of [3, 9, 10]) {
        const answer = await compare(layout, (f) => ({
          levels: [
            level(term(f('kind')), {
              size,
              order: byMetric(descending, 1),
              metrics: [
                { kind: 'max', field: f('port') },
                { kind, field: f('size') },
              ],
            }),
          ],
        }))
        const isLast = answer.buckets.at(-1)?.key === 'tanker'
        if (size === 10 && kind !== 'sum' && kind !== 'cardinality') expect(isLast).toBe(true)
      }
    }
  })

  const histograms: readonly (readonly [string, (f: Fields) => Grouping])[] = [
    ...['year', 'quarter', 'month', 'week'].map(
      (unit) => [unit, (f: Fields) => dates(f('seen'), { kind: 'calendar', unit: unit as 'year' })] as const,
    ),
    ...[1000, 86_400_000, 3 * 86_400_000, 185_542_587_100_800_000].map(
      (length) => [`${length} ms`, (f: Fields) => dates(f('seen'), { kind: 'fixed', length })] as const,
    ),
    ...['size', 'ratio', 'port', 'code', 'seen'].flatMap((path) =>
      [0.3, 1e9 + 0.5].map(
        (interval) => [`${path} by ${interval}`, (f: Fields) => numbers(f(path), interval)] as const,
      ),
    ),
  ]
  it.each(histograms)('histogram: %s', async (_, grouping) => {
    for (const order of [byCount(false), byKey(true)]) {
      await compare(layout, (f) => ({ levels: [level(grouping(f), { order })] }))
    }
    const metrics = (f: Fields): readonly MetricPlan[] => [{ kind: 'min', field: f('size') }]
    const byLeast = await compare(layout, (f) => ({
      levels: [level(grouping(f), { order: byMetric(true), metrics: metrics(f) })],
    }))
    expect(byLeast.buckets.length).toBeGreaterThan(0)
  })

  const grids = [
    ['geotile', 'where', [0, 1, 5, 12, 20]],
    ['geohash', 'where', [1, 3, 7, 12]],
    ['geotile', 'area', [0, 1, 5]],
    ['geohash', 'area', [1, 2]],
    ['geohex', 'where', [0, 3]],
  ] as const
  it.each(grids)('%s of %s', async (kind, path, steps) => {
    for (const step of steps) {
      for (const more of [{}, { size: 3 }] satisfies Partial<AggregationLevel>[]) {
        await compare(layout, (f) => ({ levels: [level({ kind, field: f(path), level: step }, more)] }))
      }
    }
  })

  it('nests, with metrics and documents on every level', async () => {
    const metrics = (f: Fields): readonly MetricPlan[] => [
      { kind: 'avg', field: f('size') },
      { kind: 'cardinality', field: f('tags') },
      { kind: 'max', field: f('seen') },
      { kind: 'bounds', field: f('where') },
      { kind: 'centroid', field: f('where') },
    ]
    const tops = (f: Fields): AggregationLevel['tops'] => [
      { size: 2, sort: [{ kind: 'field', field: f('size'), descending: true }, byId(f)] },
      { size: 1, sort: [{ kind: 'field', field: f('port'), descending: false }, byId(f)], having: f('area') },
    ]
    const answer = await compare(layout, (f) => ({
      levels: [
        level(term(f('kind')), { size: 4, metrics: metrics(f), tops: tops(f), order: byMetric(false) }),
        level(dates(f('seen'), { kind: 'calendar', unit: 'year' }), {
          order: byKey(false),
          metrics: metrics(f),
          tops: tops(f),
        }),
        level(term(f('port')), { size: 2, order: byMetric(true, 1), metrics: metrics(f), tops: tops(f) }),
      ],
    }))
    expect(
      answer.buckets.flatMap((b) => b.children?.buckets.flatMap((c) => c.children?.buckets ?? []) ?? []).length,
    ).toBeGreaterThan(10)
  })

  const nestings: readonly (readonly [string, (f: Fields) => readonly AggregationLevel[]])[] = [
    [
      'three cut levels',
      (f) => [
        level(term(f('tags')), { size: 2 }),
        level(term(f('kind')), { size: 3 }),
        level(term(f('flag')), { size: 1 }),
      ],
    ],
    ['cells, cut, then terms', (f) => [level(tiles(f('where'), 2), { size: 3 }), level(term(f('kind')), { size: 2 })]],
    [
      'cells of shapes, cut, then days',
      (f) => [
        level(tiles(f('area'), 3), { size: 4 }),
        level(term(f('day')), { size: 2 }),
        level(tiles(f('where'), 1), { size: 1 }),
      ],
    ],
    [
      'dates, then cut cells',
      (f) => [
        level(dates(f('seen'), { kind: 'calendar', unit: 'year' })),
        level({ kind: 'geohash', field: f('where'), level: 2 }, { size: 2 }),
      ],
    ],
    [
      'numbers, terms, numbers',
      (f) => [
        level({ kind: 'histogram', field: f('size'), interval: 2.5 }),
        level(term(f('code')), { size: 1 }),
        level({ kind: 'histogram', field: f('ratio'), interval: 0.2 }),
      ],
    ],
    [
      'terms of every kind',
      (f) => [
        level(term(f('address')), { size: 3 }),
        level(term(f('ratio')), { size: 2 }),
        level(term(f('seen')), { size: 2 }),
        level(term(f('flag')), { size: 2 }),
      ],
    ],
    [
      'the least first, where some have none',
      (f) => [
        level(term(f('kind')), { size: 10, order: byMetric(true), metrics: [{ kind: 'min', field: f('size') }] }),
        level(term(f('tags')), { size: 1, order: byMetric(false), metrics: [{ kind: 'max', field: f('size') }] }),
      ],
    ],
  ]
  it.each(nestings)('nests %s', async (_, levels) => {
    const answer = await compare(layout, (f) => ({ levels: levels(f) }))
    expect(answer.buckets.some(({ children }) => (children?.buckets.length ?? 0) > 0)).toBe(true)
  })

  it('answers of a selection', async () => {
    const answer = await compare(layout, (f) => ({
      predicate: { kind: 'range', field: f('port'), lower: { value: 1n, inclusive: true } },
      levels: [level(term(f('kind')), { size: 3 }), level(term(f('port')), { size: 2 })],
    }))
    expect(answer.total).toBeGreaterThan(20)
    await compare(layout, (f) => ({ predicate: { kind: 'nothing' }, levels: [level(term(f('kind')), { size: 3 })] }))
  })

  const cells = [
    { kind: 'tile', z: 1, x: 1, y: 0 },
    { kind: 'tile', z: 3, x: 4, y: 4 },
    { kind: 'geohash', hash: 's' },
    { kind: 'geohash', hash: 'k0' },
  ] as const
  it.each(cells)('of several places only those in a cell count: %j', async (scope) => {
    for (const [kind, path, step] of [
      ['geotile', 'where', 5],
      ['geotile', 'where', 0],
      ['geohash', 'where', 1],
      ['geohash', 'where', 3],
      ['geotile', 'area', 4],
      ['geohash', 'area', 2],
      ['geotile', 'area', 1],
    ] as const) {
      await compare(layout, (f) => ({
        predicate: { kind: 'cell', field: f(path), cell: scope, by: path === 'area' ? 'shape' : 'point' },
        levels: [level({ kind, field: f(path), level: step, scope }), level(term(f('kind')), { size: 2 })],
      }))
    }
  })
})

const dates = (field: Field, interval: Extract<Grouping, { kind: 'datehistogram' }>['interval']): Grouping => ({
  kind: 'datehistogram',
  field,
  interval,
})
const numbers = (field: Field, interval: number): Grouping => ({ kind: 'histogram', field, interval })
const tiles = (field: Field, zoom: number): Grouping => ({ kind: 'geotile', field, level: zoom })

describe('documents of buckets', () => {
  it('come in order, ties by id, and only those that have a value', async () => {
    const answer = await compare('one shard', (f) => ({
      levels: [
        level(term(f('flag')), {
          size: 1,
          tops: [
            { size: 3, sort: [{ kind: 'field', field: f('day'), descending: true }, byId(f)] },
            { size: 100, sort: [byId(f)], having: f('where') },
          ],
        }),
      ],
    }))
    const [days, placed] = answer.buckets[0]?.tops ?? []
    expect(days?.map(({ source }) => source.day)).toEqual(['2013-03-11', '2013-03-11', '2013-03-11'])
    expect(placed?.every(({ source }) => 'where' in source)).toBe(true)
  })

  it('are refused when they are too many', async () => {
    const many: MakePlan = (f) => ({
      levels: [level(term(f('kind')), { size: 5, tops: [{ size: 3, sort: [byId(f)] }] })],
      bucketHits: 14,
    })
    await expect(refused(many)).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      message: expect.stringContaining('limits.bucketHits'),
    })
    await compare('one shard', (f) => ({ ...many(f), bucketHits: 15 }))
    const large: MakePlan = (f) => ({
      levels: [level(term(f('kind')), { size: 5, tops: [{ size: 101, sort: [byId(f)] }] })],
    })
    await expect(refused(large)).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      message: expect.stringContaining('101'),
    })
  })
})

describe('limits', () => {
  const limited: readonly (readonly [string, number, (f: Fields) => readonly AggregationLevel[]])[] = [
    ['terms', 4, (f) => [level(term(f('kind')), { size: 5 })]],
    ['cells', 10, (f) => [level(tiles(f('where'), 8))]],
    ['cells of shapes', 20, (f) => [level(tiles(f('area'), 5))]],
    ['dates', 6, (f) => [level(dates(f('seen'), { kind: 'fixed', length: 1000 }))]],
    ['nested', 12, (f) => [level(term(f('kind')), { size: 3 }), level(term(f('port')), { size: 4 })]],
  ]
  it.each(limited)('more %s than allowed are refused', async (_, buckets, levels) => {
    await expect(refused((f) => ({ levels: levels(f), buckets }))).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      message: expect.stringContaining('limits.buckets'),
    })
  })

  it('counts buckets of all levels together', async () => {
    await compare('one shard', (f) => ({
      levels: [level(term(f('kind')), { size: 3 }), level(term(f('flag')), { size: 2 })],
      buckets: 9,
    }))
  })
})

it('tells counts, nested ones and what was cut', async () => {
  const answer = await compare('one shard', (f) => ({
    levels: [level(term(f('tags')), { size: 2 }), level(term(f('flag')), { size: 1 })],
  }))
  expect(show(answer)).toBe('b 30 [true 25, others 1], a 20 [true 10], others 50')
})
