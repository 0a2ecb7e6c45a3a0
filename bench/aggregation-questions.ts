import { bounds, f, filtered } from './question-parts.ts'
import type { Draw, HttpCall, Question } from './questions.ts'

const get = (operation: string, ...parameters: readonly string[]): HttpCall => ({
  method: 'GET',
  path: `/explore/bench/${operation}?${parameters.join('&')}`,
})
const agg = (text: string): string => `agg=${encodeURIComponent(text)}`

const exact = { size: 0, track_total_hits: true }
const MOST_BUCKETS = 65_535

const tiles = (precision: number, more: object = {}): object => ({
  geotile_grid: { field: 'location', precision, size: MOST_BUCKETS },
  ...more,
})
const days = { date_histogram: { field: 'seen', fixed_interval: '1d' } }

const timeRange = (d: Draw): object => ({ range: { seen: { gte: d.from, lte: d.to } } })

/** Aggregation requests of a dashboard: grids, timelines, rankings, metrics. */
export const aggregationQuestions: readonly Question[] = [
  {
    name: 'geotile z6, world',
    periplus: () => get('_aggregate', agg('geotile:location:interval-6')),
    opensearch: () => ({ ...exact, aggs: { a: tiles(6) } }),
  },
  {
    name: 'geotile z6 + avg + max',
    periplus: () =>
      get(
        '_aggregate',
        agg('geotile:location:interval-6:collect_field-speed:collect_fct-avg:collect_field-seen:collect_fct-max'),
      ),
    opensearch: () => ({
      ...exact,
      aggs: { a: tiles(6, { aggs: { m: { avg: { field: 'speed' } }, n: { max: { field: 'seen' } } } }) },
    }),
  },
  {
    name: 'geotile z10 inside a z4 tile',
    isQuick: true,
    tileZoom: 4,
    periplus: ({ tile: t }) => get(`_geoaggregate/${t.z}/${t.x}/${t.y}`, agg('geotile:location:interval-10')),
    opensearch: (d) => ({ ...exact, ...filtered(bounds(d.tile)), aggs: { a: tiles(10) } }),
  },
  {
    name: 'the same + time range + term',
    tileZoom: 4,
    periplus: (d) =>
      get(
        `_geoaggregate/${d.tile.z}/${d.tile.x}/${d.tile.y}`,
        agg('geotile:location:interval-10'),
        f('seen', 'range', `[${d.from}<${d.to}]`),
        f('kind', 'eq', d.kind),
      ),
    opensearch: (d) => ({
      ...exact,
      ...filtered(bounds(d.tile), timeRange(d), { term: { kind: d.kind } }),
      aggs: { a: tiles(10) },
    }),
  },
  {
    name: 'term top 10 of 5,000',
    isQuick: true,
    periplus: () => get('_aggregate', agg('term:owner:size-10')),
    opensearch: () => ({ ...exact, aggs: { a: { terms: { field: 'owner', size: 10 } } } }),
  },
  {
    name: 'term top 10 of 5,000 in a time range',
    periplus: (d) => get('_aggregate', agg('term:owner:size-10'), f('seen', 'range', `[${d.from}<${d.to}]`)),
    opensearch: (d) => ({ ...exact, ...filtered(timeRange(d)), aggs: { a: { terms: { field: 'owner', size: 10 } } } }),
  },
  {
    name: 'term (20) + avg',
    periplus: () => get('_aggregate', agg('term:kind:size-20:collect_field-speed:collect_fct-avg')),
    opensearch: () => ({
      ...exact,
      aggs: { a: { terms: { field: 'kind', size: 20 }, aggs: { m: { avg: { field: 'speed' } } } } },
    }),
  },
  {
    name: 'day histogram',
    periplus: () => get('_aggregate', agg('datehistogram:seen:interval-1day')),
    opensearch: () => ({ ...exact, aggs: { a: days } }),
  },
  {
    name: 'month histogram',
    periplus: () => get('_aggregate', agg('datehistogram:seen:interval-1month')),
    opensearch: () => ({ ...exact, aggs: { a: { date_histogram: { field: 'seen', calendar_interval: 'month' } } } }),
  },
  {
    name: 'day histogram of one kind',
    isQuick: true,
    periplus: (d) => get('_aggregate', agg('datehistogram:seen:interval-1day'), f('kind', 'eq', d.kind)),
    opensearch: (d) => ({ ...exact, ...filtered({ term: { kind: d.kind } }), aggs: { a: days } }),
  },
  {
    name: 'term > day histogram',
    periplus: () => get('_aggregate', agg('term:kind:size-10'), agg('datehistogram:seen:interval-1day')),
    opensearch: () => ({ ...exact, aggs: { a: { terms: { field: 'kind', size: 10 }, aggs: { b: days } } } }),
  },
  {
    name: 'term > term',
    periplus: () => get('_aggregate', agg('term:kind:size-10'), agg('term:owner:size-5')),
    opensearch: () => ({
      ...exact,
      aggs: {
        a: { terms: { field: 'kind', size: 10 }, aggs: { b: { terms: { field: 'owner', size: 5 } } } },
      },
    }),
  },
  {
    name: 'histogram',
    periplus: () => get('_aggregate', agg('histogram:speed:interval-1')),
    opensearch: () => ({ ...exact, aggs: { a: { histogram: { field: 'speed', interval: 1 } } } }),
  },
  {
    name: 'span of the dates',
    isQuick: true,
    periplus: () => get('_compute', 'field=seen', 'metric=spanning'),
    opensearch: () => ({ ...exact, aggs: { a: { stats: { field: 'seen' } } } }),
  },
  {
    name: 'cardinality',
    periplus: () => get('_compute', 'field=owner', 'metric=cardinality'),
    opensearch: () => ({ ...exact, aggs: { a: { cardinality: { field: 'owner', precision_threshold: 40_000 } } } }),
  },
  {
    name: 'latest document of each kind',
    periplus: () => get('_aggregate', agg('term:kind:size-20:fetch_hits-1(-seen,id)')),
    opensearch: () => ({
      ...exact,
      aggs: {
        a: {
          terms: { field: 'kind', size: 20 },
          aggs: { h: { top_hits: { size: 1, sort: [{ seen: 'desc' }, { id: 'asc' }], _source: ['seen', 'id'] } } },
        },
      },
    }),
  },
]
