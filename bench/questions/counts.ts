import { aggregated, counted, filtered, inTimeRange, ofKind } from './opensearch-parts.ts'
import { explore, explorer, f, inGroup, inRange } from './question-parts.ts'
import { countRows, rowsInTime, rowsOfKind } from './sql-parts.ts'

/** Minutes. */
const DELAYED = 60

/** One number: how many documents, or a metric of all of them. */
export const countQuestions = inGroup('counts', [
  {
    name: 'count all',
    expects: 'count',
    periplus: () => explore('_count'),
    opensearch: () => counted,
    sql: () => countRows(),
  },
  {
    name: 'count term',
    expects: 'count',
    periplus: (d) => explore('_count', f('kind', 'eq', d.kind)),
    opensearch: (d) => ({ ...counted, ...filtered(ofKind(d)) }),
    sql: (d) => countRows(rowsOfKind(d)),
  },
  {
    name: 'count term + time range',
    expects: 'count',
    periplus: (d) => explore('_count', f('kind', 'eq', d.kind), inRange(d)),
    opensearch: (d) => ({ ...counted, ...filtered(ofKind(d), inTimeRange(d)) }),
    sql: (d) => countRows(rowsOfKind(d), rowsInTime(d)),
  },
  {
    name: 'span of the dates',
    expects: 'number',
    periplus: () => explore('_compute', 'field=seen', 'metric=spanning'),
    opensearch: () => aggregated({ stats: { field: 'seen' } }),
    sql: () => ({ select: 'max(seen) - min(seen)' }),
  },
  {
    name: 'cardinality (5,000 owners)',
    expects: 'number',
    periplus: () => explore('_compute', 'field=owner', 'metric=cardinality'),
    opensearch: () => aggregated({ cardinality: { field: 'owner', precision_threshold: 40_000 } }),
    sql: (_d, { exactCardinality }) => ({ select: exactCardinality('owner') }),
  },
  {
    name: 'four indices: count term + time range',
    dataset: 'quarters',
    expects: 'count',
    periplus: (d) => explorer('quarters')('_count', f('kind', 'eq', d.kind), inRange(d)),
    opensearch: (d) => ({ ...counted, ...filtered(ofKind(d), inTimeRange(d)) }),
  },
  {
    name: 'flights: count of the delayed ones',
    dataset: 'flights',
    expects: 'count',
    periplus: () => explorer('flights')('_count', f('delay', 'gte', String(DELAYED))),
    opensearch: () => ({ ...counted, ...filtered({ range: { delay: { gte: DELAYED } } }) }),
    sql: () => countRows(`delay >= ${DELAYED}`),
  },
])
