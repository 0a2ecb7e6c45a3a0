import { PatternFault, parseKeywordPattern } from '../../query/pattern/keyword-pattern-parser.ts'
import type { Grouping, TermInclude } from '../../query/plan/aggregation-plan.ts'
import type { Scalar } from '../../query/plan/predicate.ts'
import { type Field, isGeo, isNumber } from '../../query/schema/field.ts'
import { readTypedText } from '../../query/value/typed-text.ts'
import type { AskedAggregation, AskedOrder, BucketAggregation } from './aggregation.ts'
import { fieldOf, formatOf, isGroupable, misfit } from './aggregation-field.ts'
import { readDateInterval } from './date-interval.ts'
import {
  checkNames,
  fault,
  listOf,
  type Members,
  notSupported,
  placeOf,
  readBoolean,
  readInteger,
  readMembers,
  readNumber,
  readTexts,
} from './members.ts'
import type { QueryContext } from './query-context.ts'

/** Aggregations that make buckets of the values of a field. */

const TERM_OPTIONS = ['field', 'size', 'order', 'include', 'min_doc_count', 'format']
const TERM_IGNORED = [
  'shard_size',
  'show_term_doc_count_error',
  'collect_mode',
  'execution_hint',
  'shard_min_doc_count',
]

export function readTerms(
  options: Members,
  place: string,
  context: QueryContext,
  children: readonly AskedAggregation[],
): BucketAggregation {
  checkNames(options, place, [...TERM_OPTIONS, ...TERM_IGNORED])
  const field = fieldOf(options, place, context)
  if (field !== undefined && !isGroupable(field)) throw misfit(field, place)
  const include =
    field === undefined ? undefined : readInclude(options.include, field, placeOf(place, 'include'), context)
  return {
    kind: 'buckets',
    type: 'terms',
    field,
    grouping: field && { kind: 'term', field, ...(include === undefined ? {} : { include }) },
    order: readOrder(options.order, placeOf(place, 'order'), { by: 'count', descending: true }),
    size: readInteger(options.size, placeOf(place, 'size'), 1, context.limits.buckets) ?? 10,
    minCount: readInteger(options.min_doc_count, placeOf(place, 'min_doc_count'), 1, 1_000_000_000) ?? 1,
    isKeyed: false,
    ...formatOf(options, place),
    children,
  }
}

function readInclude(value: unknown, field: Field, place: string, context: QueryContext): TermInclude | undefined {
  if (value === undefined) return undefined
  if (Array.isArray(value)) {
    context.budget.spend(value.length, place)
    const values = readTexts(value, place).map((text): Scalar => {
      const found = readTypedText(field, text)
      if (found === undefined || found === null) throw fault(place, `must fit a field of type ${field.type}`, text)
      return found
    })
    return { kind: 'values', values }
  }
  if (typeof value !== 'string' || field.type !== 'KEYWORD') throw notSupported(place)
  try {
    const { node } = parseKeywordPattern(value, context.limits.patternLength)
    return { kind: 'pattern', pattern: { anchoredStart: true, anchoredEnd: true, node } }
  } catch (error) {
    if (!(error instanceof PatternFault)) throw error
    throw fault(place, error.reason, value)
  }
}

/** `{"_count":"asc"}`, or a list of it with `_key` last, by which ties are always broken. */
function readOrder(value: unknown, place: string, otherwise: AskedOrder): AskedOrder {
  if (value === undefined) return otherwise
  const [first, second, third] = listOf(value).flatMap((item) => Object.entries(readMembers(item, place)))
  const isTie = second === undefined || (['_key', '_term'].includes(second[0]) && second[1] === 'asc')
  if (first === undefined || !isTie || third !== undefined)
    throw fault(place, 'must have one key, and _key asc after it')
  const [name, direction] = first
  if (direction !== 'asc' && direction !== 'desc') throw fault(placeOf(place, name), 'must be asc or desc', direction)
  const by = name === '_count' ? 'count' : name === '_key' || name === '_term' ? 'key' : { metric: name }
  return { by, descending: direction === 'desc' }
}

const HISTOGRAM_OPTIONS = ['field', 'order', 'min_doc_count', 'keyed', 'format', 'time_zone', 'offset']

export function readHistogram(
  type: 'histogram' | 'date_histogram',
  options: Members,
  place: string,
  context: QueryContext,
  children: readonly AskedAggregation[],
): BucketAggregation {
  checkNames(options, place, [...HISTOGRAM_OPTIONS, 'interval', 'calendar_interval', 'fixed_interval'])
  const zone = options.time_zone
  if (zone !== undefined && !/^(z|utc|gmt|[+-]00:?00)$/i.test(String(zone))) {
    throw fault(placeOf(place, 'time_zone'), 'must be UTC', zone)
  }
  if (options.offset !== undefined && !/^[+-]?0[a-z]*$/.test(String(options.offset))) {
    throw notSupported(placeOf(place, 'offset'))
  }
  const field = fieldOf(options, place, context)
  const isOfDates = type === 'date_histogram'
  if (field !== undefined && !(field.type === 'DATE' || (!isOfDates && isNumber(field.type))))
    throw misfit(field, place)
  return {
    kind: 'buckets',
    type,
    field,
    grouping: field && readHistogramGrouping(isOfDates, field, options, place),
    order: readOrder(options.order, placeOf(place, 'order'), { by: 'key', descending: false }),
    minCount: readInteger(options.min_doc_count, placeOf(place, 'min_doc_count'), 0, 1_000_000_000) ?? 0,
    isKeyed: readBoolean(options.keyed, placeOf(place, 'keyed')) === true,
    ...formatOf(options, place),
    children,
  }
}

function readHistogramGrouping(isOfDates: boolean, field: Field, options: Members, place: string): Grouping {
  if (isOfDates) return { kind: 'datehistogram', field, interval: readDateInterval(options, place) }
  const interval = readNumber(options.interval, placeOf(place, 'interval'))
  if (interval <= 0) throw fault(placeOf(place, 'interval'), 'must be greater than 0', interval)
  return { kind: 'histogram', field, interval }
}

const GRIDS = {
  geohash_grid: { kind: 'geohash', least: 1, most: 12, otherwise: 5 },
  geotile_grid: { kind: 'geotile', least: 0, most: 29, otherwise: 7 },
} as const

const GRID_SIZE = 10_000

export function readGrid(
  type: keyof typeof GRIDS,
  options: Members,
  place: string,
  context: QueryContext,
  children: readonly AskedAggregation[],
): BucketAggregation {
  checkNames(options, place, ['field', 'precision', 'size', 'shard_size'])
  const { kind, least, most, otherwise } = GRIDS[type]
  const field = fieldOf(options, place, context)
  if (field !== undefined && !isGeo(field.type)) throw misfit(field, place)
  const level = readInteger(options.precision, placeOf(place, 'precision'), least, most) ?? otherwise
  return {
    kind: 'buckets',
    type,
    field,
    grouping: field && { kind, field, level },
    order: { by: 'count', descending: true },
    size:
      readInteger(options.size, placeOf(place, 'size'), 1, context.limits.buckets) ??
      Math.min(GRID_SIZE, context.limits.buckets),
    minCount: 1,
    isKeyed: false,
    children,
  }
}
