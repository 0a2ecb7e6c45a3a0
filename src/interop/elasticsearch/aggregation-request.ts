import { isGeo, isNumber } from '../../query/schema/field.ts'
import type { AskedAggregation, MetricAggregation, MetricType } from './aggregation.ts'
import { fieldOf, formatOf, isGroupable, misfit } from './aggregation-field.ts'
import { readGrid, readHistogram, readTerms } from './bucket-aggregations.ts'
import { readFilters } from './filter-aggregations.ts'
import { checkNames, fault, type Members, placeOf, readMembers } from './members.ts'
import type { QueryContext } from './query-context.ts'

interface Reading {
  readonly context: QueryContext
  /** Aggregations and filters that may still be read. */
  left: number
}

/** Reads `aggs` of a request. */
export function readAggregations(value: unknown, place: string, context: QueryContext): readonly AskedAggregation[] {
  return readAll(value, place, { context, left: context.limits.stacAggregations }, 0)
}

function spend(reading: Reading, count: number, place: string): void {
  reading.left -= count
  if (reading.left >= 0) return
  const { stacAggregations } = reading.context.limits
  throw fault(place, `must have at most ${stacAggregations} aggregations and filters (limits.stacAggregations)`)
}

function readAll(value: unknown, place: string, reading: Reading, depth: number): readonly AskedAggregation[] {
  if (value === undefined) return []
  const members = readMembers(value, place)
  const names = Object.keys(members)
  spend(reading, names.length, place)
  const most = reading.context.limits.aggregationDepth
  if (names.length > 0 && depth > most) {
    throw fault(place, `must not be nested more than ${most} times (limits.aggregationDepth)`)
  }
  return names.map((name) =>
    readOne(name, readMembers(members[name], placeOf(place, name)), placeOf(place, name), reading, depth),
  )
}

const NESTED = ['aggs', 'aggregations']

function readOne(name: string, members: Members, place: string, reading: Reading, depth: number): AskedAggregation {
  const { meta, ...rest } = members
  const types = Object.keys(rest).filter((type) => !NESTED.includes(type))
  const [type] = types
  if (type === undefined || types.length > 1) throw fault(place, 'must have one member, the kind of the aggregation')
  const at = placeOf(place, type)
  const options = readMembers(rest[type], at)
  const nested = NESTED.find((member) => rest[member] !== undefined) ?? 'aggs'
  const children = readAll(rest[nested], placeOf(place, nested), reading, depth + 1)
  const named = { name, ...(meta === undefined ? {} : { meta }) }
  const metric = METRICS.find((known) => known === type)
  if (metric !== undefined) {
    if (children.length > 0) throw fault(placeOf(place, nested), 'must not be in a metric')
    return { ...named, ...readMetric(metric, options, at, reading.context) }
  }
  switch (type) {
    case 'terms':
      return { ...named, ...readTerms(options, at, reading.context, children) }
    case 'histogram':
    case 'date_histogram':
      return { ...named, ...readHistogram(type, options, at, reading.context, children) }
    case 'geohash_grid':
    case 'geotile_grid':
      return { ...named, ...readGrid(type, options, at, reading.context, children) }
    case 'filter':
    case 'filters':
    case 'range':
    case 'date_range':
    case 'missing': {
      const asked = readFilters(type, options, rest[type], at, reading.context)
      spend(reading, Math.max(0, asked.filters.length - 1), at)
      return { ...named, ...asked, kind: 'filters', type, children }
    }
    default:
      throw fault(at, 'is not a supported kind of aggregation')
  }
}

const METRICS: readonly MetricType[] = [
  'min',
  'max',
  'avg',
  'sum',
  'stats',
  'cardinality',
  'value_count',
  'geo_bounds',
  'geo_centroid',
]

function readMetric(type: MetricType, options: Members, place: string, context: QueryContext): MetricAggregation {
  checkNames(options, place, ['field', 'format', 'precision_threshold', 'wrap_longitude', 'execution_hint'])
  const field = fieldOf(options, place, context)
  const isOfGeo = type === 'geo_bounds' || type === 'geo_centroid'
  if (field !== undefined && type !== 'value_count') {
    const fits = isOfGeo
      ? isGeo(field.type)
      : type === 'cardinality'
        ? isGroupable(field)
        : isNumber(field.type) || field.type === 'DATE'
    if (!fits) throw misfit(field, place)
  }
  return { kind: 'metric', type, field, ...formatOf(options, place) }
}
