import { afterAll, describe, expect, it } from 'vitest'
import type { WireObject } from '../../../cluster-client/cluster-client.ts'
import type { Cell } from '../../../geo/grid/cell.ts'
import type { Mapping } from '../../../model/mapping.ts'
import type { Grouping } from '../../../query/plan/aggregation-plan.ts'
import { BothEngines, level, type MakePlan, show } from '../both-engines.fixture.ts'
import { aggregate } from './aggregator.ts'

const both = new BothEngines()
afterAll(() => both.close())

const made = (count: number, make: (i: number) => WireObject): readonly WireObject[] =>
  Array.from({ length: count }, (_, i) => make(i))

describe('many cells with the same count', () => {
  const mapping: Mapping = { dynamic: false, properties: { kind: { type: 'keyword' }, where: { type: 'geo_point' } } }
  const documents = made(2400, (i) => ({
    kind: `k${i % 2}`,
    where: [(i % 80) * 4 - 158.1, Math.floor(i / 80) * 4 - 58.1],
  }))

  it('are cut in the order of their keys, also inside others', async () => {
    const index = await both.makeIndex('aggregator-extremes', mapping, documents)
    const cells: Grouping['kind'][] = ['geohash', 'geotile']
    for (const kind of cells) {
      const grouping = (f: Parameters<MakePlan>[0]): Grouping => ({
        kind: kind as 'geohash',
        field: f('where'),
        level: 8,
      })
      const answer = await both.compare([index], (f) => ({ levels: [level(grouping(f), { size: 3 })] }))
      expect(answer.buckets.map(({ count }) => count)).toEqual([1, 1, 1])
      await both.compare([index], (f) => ({
        levels: [level({ kind: 'term', field: f('kind') }, { size: 2 }), level(grouping(f), { size: 2 })],
      }))
    }
  })
})

describe('combinations that were not picked', () => {
  const mapping: Mapping = { dynamic: false, properties: { at: { type: 'integer' }, kind: { type: 'keyword' } } }
  const COUNT = 120
  const all = made(COUNT, (i) => ({
    at: i,
    kind: Array.from({ length: COUNT }, (_, k) => `k${k}`),
  }))
  const own = made(COUNT, (i) => ({ at: i, kind: `k${(i * 7) % COUNT}` }))

  it('do not matter, and are asked for in parts', async () => {
    const index = await both.makeIndex('aggregator-extremes', mapping, [...all, ...own])
    const answer = await both.compare([index], (f) => ({
      levels: [
        level({ kind: 'histogram', field: f('at'), interval: 1 }, { order: { by: 'key', descending: false } }),
        level({ kind: 'term', field: f('kind') }, { size: 1 }),
        level({ kind: 'histogram', field: f('at'), interval: 100 }),
      ],
    }))
    expect(answer.buckets.length).toBe(COUNT)
    expect(show({ buckets: answer.buckets.slice(0, 2), others: 0 })).toBe(
      '0 2 [k0 2 [0 2], others 119], 1 2 [k7 2 [0 2], others 119]',
    )
  })
})

describe('more buckets than a cluster makes at once', () => {
  const mapping: Mapping = { dynamic: false, properties: { kind: { type: 'keyword' }, at: { type: 'integer' } } }
  const documents = made(400, (i) => ({ kind: ['x', 'y'], at: Array.from({ length: 100 }, (_, k) => 100 * i + k) }))
  const plan =
    (buckets: number): MakePlan =>
    (f) => ({
      levels: [
        level({ kind: 'term', field: f('kind') }, { size: 2 }),
        level({ kind: 'histogram', field: f('at'), interval: 1 }, { order: { by: 'key', descending: false } }),
      ],
      buckets,
    })

  it('are asked for in parts where they are allowed, else refused', async () => {
    const index = await both.makeIndex('aggregator-extremes', mapping, documents)
    const { buckets } = await both.ask([index], plan(80_002))
    expect(buckets.map(({ children }) => children?.buckets.length)).toEqual([40_000, 40_000])
    expect(buckets[1]?.children?.buckets.at(-1)).toMatchObject({ key: 39_999, count: 1 })
    for (const limit of [80_001, 100]) {
      await expect(both.ask([index], plan(limit))).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' })
    }
  })
})

describe('terms beyond the candidates of a shard', () => {
  const mapping: Mapping = { dynamic: false, properties: { kind: { type: 'keyword' }, size: { type: 'integer' } } }
  /** Two frequent terms among many with one document each. */
  const documents = made(9000, (i) => ({
    kind: i % 3 === 0 ? 'often' : i % 100 === 1 ? 'seldom' : `k${i}`,
    size: i % 7,
  }))

  it('have exact counts where they hold others, and none is lost', async () => {
    const index = await both.makeIndex('aggregator-extremes', mapping, documents, 3)
    const answer = await both.compare([index], (f) => ({
      levels: [
        level({ kind: 'term', field: f('kind') }, { size: 2 }),
        level({ kind: 'term', field: f('size') }, { size: 1 }),
      ],
    }))
    expect(answer.buckets.map(({ key, count }) => [key, count])).toEqual([
      ['often', 3000],
      ['seldom', 60],
    ])
    expect(answer.others).toBe(9000 - 3060)
  })
})

describe('large shapes in fine grids', () => {
  const mapping: Mapping = { dynamic: false, properties: { kind: { type: 'keyword' }, area: { type: 'geo_shape' } } }
  const square = (west: number, south: number, width: number): WireObject => {
    const [east, north] = [west + width, south + width / 2]
    return { type: 'Polygon', coordinates: [[[west, south], [east, south], [east, north], [west, north], [west, south]]] } // biome-ignore format: one ring
  }
  const large = made(3, (i) => ({ kind: 'large', area: square(1.3 + i, 1.1, 20) }))
  const small = made(40, (i) => ({ kind: 'small', area: square(10.01 + i / 1000, 5.01, 0.0004) }))
  const scope: Cell = { kind: 'tile', z: 14, x: 8647, y: 7963 }

  it('are refused before a node would be harmed; small ones are not', async () => {
    const index = await both.makeIndex('aggregator-extremes', mapping, [...large, ...small])
    const fine =
      (only: string, more: object = {}): MakePlan =>
      (f) => ({
        predicate: { kind: 'equals', field: f('kind'), values: [only] },
        levels: [level({ kind: 'geotile', field: f('area'), level: 18, ...more })],
      })
    await expect(both.ask([index], fine('large'))).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' })
    expect((await both.compare([index], fine('small'))).buckets.length).toBeGreaterThan(10)
  })

  it('are read where only the cells of a scope are wanted, up to a number of documents', async () => {
    const index = await both.makeIndex('aggregator-extremes', mapping, [...large, ...small])
    const scoped: MakePlan = (f) => ({
      predicate: { kind: 'cell', field: f('area'), cell: scope, by: 'shape' },
      levels: [level({ kind: 'geotile', field: f('area'), level: 18, scope })],
    })
    const answer = await both.compare([index], scoped)
    expect(answer.buckets.length).toBe(256)
    const context = { ...both.context, limits: { scan: 1 } }
    await expect(aggregate(context, await both.planOf([index], scoped))).rejects.toMatchObject({
      code: 'NOT_IMPLEMENTED',
    })
  })
})

describe('indices in which a field has different types', () => {
  const typed = (kind: 'keyword' | 'long', size: 'long' | 'keyword'): Mapping => ({
    dynamic: false,
    properties: { id: { type: 'keyword' }, kind: { type: kind }, size: { type: size } },
  })
  const documents = made(30, (i) => ({ id: `d${i}`, kind: String(i % 4), size: String(i) }))

  it('count as indices without it, where it is not of the type of the first', async () => {
    // The type in the first index by name counts, and metrics need numbers.
    const some = [
      await both.makeIndex('aggregator-extremes-first', typed('keyword', 'long'), documents),
      await both.makeIndex('aggregator-extremes-second', typed('long', 'keyword'), documents),
    ]
    for (const make of [
      (f) => ({ levels: [level({ kind: 'term', field: f('kind') }, { size: 2 })] }),
      (f) => ({
        levels: [level({ kind: 'term', field: f('id') }, { size: 3, metrics: [{ kind: 'max', field: f('size') }] })],
      }),
      (f) => ({
        levels: [
          level(
            { kind: 'term', field: f('id') },
            { size: 2, tops: [{ size: 2, sort: [{ kind: 'field', field: f('size'), descending: false }] }] },
          ),
        ],
      }),
    ] satisfies MakePlan[]) {
      const answer = await both.compare(some, make)
      expect(answer.total).toBe(60)
      expect(answer.buckets.length).toBeGreaterThan(1)
    }
  })
})

describe('buckets in many others', () => {
  const mapping: Mapping = {
    dynamic: false,
    properties: {
      kind: { type: 'keyword' },
      at: { type: 'date' },
      size: { type: 'double' },
      code: { type: 'long' },
      where: { type: 'geo_point' },
      area: { type: 'geo_shape' },
    },
  }
  const instant = (ms: number): string => new Date(ms).toISOString()
  const place = (i: number): readonly number[] => [(i % 40) * 8 - 158.1, Math.floor(i / 40) * 4 - 58.1]
  const documents = made(1200, (i) => ({
    kind: [`k${i % 3}`, `k${i % 5}`],
    at: i % 9 === 0 ? [instant((i - 600) * 1000 - 1), instant((i - 500) * 1000)] : instant((i - 600) * 1000),
    size: i / 10 - 30,
    code: (i - 600) * 10,
    where: i % 10 === 0 ? [place(i), place(i + 1)] : place(i),
    area: { type: 'LineString', coordinates: [place(i), place(i).map((ordinate) => ordinate + 0.01)] },
  }))

  it('are asked for in parts', async () => {
    const index = await both.makeIndex('aggregator-extremes', mapping, documents)
    const groupings: ((f: Parameters<MakePlan>[0]) => Grouping)[] = [
      (f) => ({ kind: 'datehistogram', field: f('at'), interval: { kind: 'fixed', length: 1000 } }),
      (f) => ({ kind: 'histogram', field: f('at'), interval: 999.5 }),
      (f) => ({ kind: 'histogram', field: f('size'), interval: 0.07 }),
      (f) => ({ kind: 'histogram', field: f('code'), interval: 10 }),
      (f) => ({ kind: 'geotile', field: f('where'), level: 9 }),
      (f) => ({ kind: 'geohash', field: f('where'), level: 6 }),
      (f) => ({ kind: 'geotile', field: f('area'), level: 8 }),
    ]
    for (const grouping of groupings) {
      const answer = await both.compare([index], (f) => ({
        levels: [level(grouping(f)), level({ kind: 'term', field: f('kind') }, { size: 2 })],
      }))
      expect(answer.buckets.length).toBeGreaterThan(1000)
    }
  })
})
