import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ClusterCall, ClusterClient } from '../../../cluster-client/cluster-client.ts'
import type { Mapping } from '../../../model/mapping.ts'
import type { AggregationLevel } from '../../../query/plan/aggregation-plan.ts'
import type { Field } from '../../../query/schema/field.ts'
import { BothEngines, level } from '../both-engines.fixture.ts'
import { aggregate } from './aggregator.ts'

const both = new BothEngines()
const mapping: Mapping = {
  dynamic: false,
  properties: {
    id: { type: 'keyword' },
    kind: { type: 'keyword' },
    size: { type: 'integer' },
    seen: { type: 'date' },
    where: { type: 'geo_point' },
    area: { type: 'geo_shape' },
  },
}
let index = ''

beforeAll(async () => {
  const documents = Array.from({ length: 60 }, (_, i) => ({
    id: `d${i}`,
    kind: `k${i % 7}`,
    size: i,
    seen: i * 40 * 86_400_000,
    where: [i, i / 2],
    area: { type: 'Point', coordinates: [i, i / 2] },
  }))
  index = await both.makeIndex('aggregator-requests', mapping, documents)
})
afterAll(() => both.close())

type Fields = (path: string) => Field
const terms = (f: Fields, more: Partial<AggregationLevel> = {}): AggregationLevel =>
  level({ kind: 'term', field: f('kind') }, { size: 3, ...more })
const days = (f: Fields, more: Partial<AggregationLevel> = {}): AggregationLevel =>
  level({ kind: 'datehistogram', field: f('seen'), interval: { kind: 'fixed', length: 86_400_000 } }, more)
const months = (f: Fields): AggregationLevel =>
  level({ kind: 'datehistogram', field: f('seen'), interval: { kind: 'calendar', unit: 'month' } })
const tops = (f: Fields): AggregationLevel['tops'] => [
  { size: 1, sort: [{ kind: 'field', field: f('id'), descending: false }] },
]
const cells = (f: Fields, path: string, zoom: number): AggregationLevel =>
  level({ kind: 'geotile', field: f(path), level: zoom })

const plans: readonly (readonly [string, number, (f: Fields) => readonly AggregationLevel[]])[] = [
  ['terms', 1, (f) => [terms(f)]],
  [
    'terms by a metric that some may lack',
    1,
    (f) => [
      terms(f, {
        order: { by: 'metric', metric: 0, descending: false },
        metrics: [{ kind: 'max', field: f('size') }],
      }),
    ],
  ],
  ['days', 1, (f) => [days(f)]],
  ['terms with documents', 2, (f) => [terms(f, { tops: tops(f) })]],
  ['days in terms', 2, (f) => [terms(f), days(f)]],
  ['terms in months', 1, (f) => [months(f), terms(f)]],
  ['terms in days, which may be many', 2, (f) => [days(f), terms(f)]],
  ['terms in terms', 2, (f) => [terms(f), level({ kind: 'term', field: f('size') }, { size: 2 })]],
  ['months in terms in terms, with documents', 4, (f) => [terms(f), terms(f), { ...months(f), tops: tops(f) }]],
  ['fine cells of points', 1, (f) => [cells(f, 'where', 20)]],
  ['cells of shapes', 1, (f) => [cells(f, 'area', 9)]],
  ['fine cells of shapes', 2, (f) => [cells(f, 'area', 14)]],
]

it.each(plans)('%s take %i requests', async (_, most, levels) => {
  const calls: ClusterCall[] = []
  const { client } = both.context
  const counting: ClusterClient = {
    send: (call) => {
      calls.push(call)
      return client.send(call)
    },
    close: () => client.close(),
  }
  const plan = await both.planOf([index], (f) => ({ levels: levels(f) }))
  const { buckets } = await aggregate({ ...both.context, client: counting }, plan)
  expect(buckets.length).toBeGreaterThan(2)
  expect(calls.filter(({ path }) => path.endsWith('_search')).length).toBe(most)
})
