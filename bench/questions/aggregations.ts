import { gridQuestions } from './grids.ts'
import { aggregated, average, days, inTimeRange, months, newestOf, ofKind, terms } from './opensearch-parts.ts'
import type { Question } from './question.ts'
import { agg, explore, explorer, f, inGroup, inRange } from './question-parts.ts'
import { countsBy, rowsInTime, rowsOfKind, topCounts } from './sql-parts.ts'

const DAY = agg('datehistogram:seen:interval-1day')
const MONTH = agg('datehistogram:seen:interval-1month')

const rankings = inGroup('aggregations', [
  {
    name: 'term top 10 of 5,000',
    expects: 'buckets',
    periplus: () => explore('_aggregate', agg('term:owner:size-10')),
    opensearch: () => aggregated(terms('owner', 10)),
    sql: () => topCounts('owner', 10),
  },
  {
    name: 'term top 10 of 5,000 in a time range',
    expects: 'buckets',
    periplus: (d) => explore('_aggregate', agg('term:owner:size-10'), inRange(d)),
    opensearch: (d) => aggregated(terms('owner', 10), inTimeRange(d)),
    sql: (d) => topCounts('owner', 10, { where: [rowsInTime(d)] }),
  },
  {
    name: 'term top 10 of all ids',
    expects: 'buckets',
    periplus: () => explore('_aggregate', agg('term:id:size-10')),
    opensearch: () => aggregated(terms('id', 10)),
    sql: () => topCounts('id', 10),
  },
  {
    name: 'term (20) + avg',
    expects: 'buckets',
    periplus: () => explore('_aggregate', agg('term:kind:size-20:collect_field-speed:collect_fct-avg')),
    opensearch: () => aggregated(terms('kind', 20, { m: average('speed') })),
    sql: () => topCounts('kind', 20, { metrics: ['avg(speed)'] }),
  },
  {
    name: 'latest document of each kind',
    expects: 'buckets',
    periplus: () => explore('_aggregate', agg('term:kind:size-20:fetch_hits-1(-seen,id)')),
    opensearch: () => aggregated(terms('kind', 20, { h: newestOf('seen', 'id') })),
  },
])

const histograms = inGroup('aggregations', [
  {
    name: 'day histogram',
    expects: 'buckets',
    periplus: () => explore('_aggregate', DAY),
    opensearch: () => aggregated(days),
    sql: (_d, { day }) => countsBy(day('seen')),
    sqlKeys: ['day'],
  },
  {
    name: 'month histogram',
    expects: 'buckets',
    periplus: () => explore('_aggregate', MONTH),
    opensearch: () => aggregated(months),
    sql: (_d, { month }) => countsBy(month('seen')),
    sqlKeys: ['month'],
  },
  {
    name: 'day histogram of one kind',
    expects: 'buckets',
    periplus: (d) => explore('_aggregate', DAY, f('kind', 'eq', d.kind)),
    opensearch: (d) => aggregated(days, ofKind(d)),
    sql: (d, { day }) => countsBy(day('seen'), { where: [rowsOfKind(d)] }),
    sqlKeys: ['day'],
  },
  {
    name: 'histogram',
    expects: 'buckets',
    periplus: () => explore('_aggregate', agg('histogram:speed:interval-1')),
    opensearch: () => aggregated({ histogram: { field: 'speed', interval: 1 } }),
    sql: () => countsBy('floor(speed)'),
  },
])

const nested = inGroup('aggregations', [
  {
    name: 'term > term',
    expects: 'buckets',
    periplus: () => explore('_aggregate', agg('term:kind:size-20'), agg('term:owner:size-5')),
    opensearch: () => aggregated(terms('kind', 20, { b: terms('owner', 5) })),
    sql: () => ({
      select: 'kind, owner, count(*) AS n',
      tail: 'GROUP BY kind, owner QUALIFY row_number() OVER (PARTITION BY kind ORDER BY n DESC, owner) <= 5',
    }),
    sqlKeys: ['value', 'value'],
  },
  {
    name: 'term > month histogram',
    expects: 'buckets',
    periplus: () => explore('_aggregate', agg('term:kind:size-20'), MONTH),
    opensearch: () => aggregated(terms('kind', 20, { b: months })),
    sql: (_d, { month }) => ({ select: `kind, ${month('seen')}, count(*)`, tail: 'GROUP BY 1, 2' }),
    sqlKeys: ['value', 'month'],
  },
  {
    name: 'term > day histogram',
    expects: 'buckets',
    periplus: () => explore('_aggregate', agg('term:kind:size-10'), DAY),
    opensearch: () => aggregated(terms('kind', 10, { b: days })),
  },
  {
    name: 'term > term > month histogram',
    expects: 'buckets',
    periplus: () => explore('_aggregate', agg('term:kind:size-10'), agg('term:owner:size-5'), MONTH),
    opensearch: () => aggregated(terms('kind', 10, { b: terms('owner', 5, { c: months }) })),
  },
])

const otherDatasets = inGroup('aggregations', [
  {
    name: 'four indices: term (20) + avg',
    dataset: 'quarters',
    expects: 'buckets',
    periplus: () => explorer('quarters')('_aggregate', agg('term:kind:size-20:collect_field-speed:collect_fct-avg')),
    opensearch: () => aggregated(terms('kind', 20, { m: average('speed') })),
  },
  {
    name: 'flights: day histogram',
    dataset: 'flights',
    expects: 'buckets',
    periplus: () => explorer('flights')('_aggregate', DAY),
    opensearch: () => aggregated(days),
    sql: (_d, { day }) => countsBy(day('seen')),
    sqlKeys: ['day'],
  },
  {
    name: 'flights: top 10 origins + avg delay',
    dataset: 'flights',
    expects: 'buckets',
    periplus: () => explorer('flights')('_aggregate', agg('term:origin:size-10:collect_field-delay:collect_fct-avg')),
    opensearch: () => aggregated(terms('origin', 10, { m: average('delay') })),
    sql: () => topCounts('origin', 10, { metrics: ['avg(delay)'] }),
  },
])

/** Requests of a dashboard: grids, rankings, timelines, and these below one another. */
export const aggregationQuestions: readonly Question[] = [
  ...gridQuestions,
  ...rankings,
  ...histograms,
  ...nested,
  ...otherDatasets,
]
