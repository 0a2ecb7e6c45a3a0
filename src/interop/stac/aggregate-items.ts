import type { Limits } from '../../config/settings.ts'
import type { Bucket } from '../../engine/engine.ts'
import type { Operation } from '../../explore/operation.ts'
import type { Json, JsonObject } from '../../model/json/document.ts'
import type { BucketKey } from '../../query/aggregation/bucket.ts'
import type { DateInterval, Grouping, MetricPlan } from '../../query/plan/aggregation-plan.ts'
import { and, type Predicate } from '../../query/plan/predicate.ts'
import { resolveSelection } from '../../query/request/effective-query.ts'
import { type Field, isGeo } from '../../query/schema/field.ts'
import { compareCodePoints } from '../../query/value/code-point-order.ts'
import { inTurns, mapInTurns } from '../../turn.ts'
import { JSON_MEDIA, linksJson } from '../link.ts'
import { printTime } from '../properties.ts'
import type { AskedAggregation } from './aggregations.ts'
import {
  filterOf,
  type ItemConditions,
  itemPredicate,
  nameOfCollection,
  type SearchedCollection,
} from './item-search.ts'
import { checkConditions } from './search-items.ts'

export interface AggregationForm {
  /** Absent: chosen by the period of the items. */
  readonly interval: TimeUnit | undefined
  readonly geohash: number
  readonly geotile: number
}

export const timeUnits = ['year', 'quarter', 'month', 'week', 'day', 'hour', 'minute', 'second'] as const
export type TimeUnit = (typeof timeUnits)[number]

/** From each of several collections, so many times more terms are read than are returned. */
const READ_FACTOR = 10
/** A chosen interval gives about this many buckets at most. */
const MOST_TIMES = 100

/** The items of one collection that are aggregated. */
interface Part {
  readonly collection: SearchedCollection
  readonly operation: Operation
  readonly predicate: Predicate
}

/** Aggregates the items of collections. */
export async function aggregateItems(
  asked: readonly AskedAggregation[],
  conditions: ItemConditions,
  collections: readonly SearchedCollection[],
  form: AggregationForm,
  limits: Limits,
  base: string,
): Promise<JsonObject> {
  checkConditions(conditions, collections)
  const parts = collections.map((collection): Part => {
    const { operation } = collection
    const selected = resolveSelection({ filter: filterOf(conditions, collection) }, operation)
    return { collection, operation, predicate: and([selected, itemPredicate(conditions.ids, collection)]) }
  })
  const aggregations = await Promise.all(asked.map((one) => aggregate(one, parts, form, limits)))
  const links = linksJson([
    { href: `${base}/stac`, rel: 'root', type: JSON_MEDIA },
    { href: `${base}/stac/aggregations`, rel: 'aggregations', type: JSON_MEDIA },
  ])
  return { type: 'AggregationCollection', aggregations, links }
}

async function aggregate(
  asked: AskedAggregation,
  parts: readonly Part[],
  form: AggregationForm,
  limits: Limits,
): Promise<JsonObject> {
  const { kind, name } = asked
  switch (kind) {
    case 'total': {
      const counts = await Promise.all(parts.map(countOf))
      return { name, data_type: 'integer', value: counts.reduce((sum, count) => sum + count, 0) }
    }
    case 'min':
    case 'max': {
      const [first, last] = await periodOf(parts)
      const value = kind === 'min' ? first : last
      return { name, data_type: 'datetime', value: value === undefined ? null : (printTime(value) ?? null) }
    }
    case 'collections': {
      const counts = await Promise.all(parts.map(countOf))
      const buckets = parts.map(({ collection }, i) => ({ key: nameOfCollection(collection), count: counts[i] ?? 0 }))
      return distribution(name, 'string', byCount(buckets.filter(({ count }) => count > 0)), 0)
    }
    case 'times':
      return aggregateTimes(name, parts, form, limits.stacBuckets)
    case 'geohash':
    case 'geotile': {
      const level = form[kind]
      const grouping = (field: Field): Grouping => ({ kind, field, level })
      const { buckets, others } = await group(parts, 'geometry', isGeo, grouping, limits.stacBuckets)
      const cells = await named(buckets, (key) => cellName(key, level))
      return cutTo(limits.stacBuckets, name, 'string', parts.length === 1 ? cells : byCount(cells), others)
    }
    case 'terms':
      return aggregateTerms(name, asked.of, parts, limits.stacTerms)
    case 'stats':
      return { name, data_type: 'numeric', value: await statisticsOf(asked.of, parts) }
  }
}

const countOf = ({ operation, predicate }: Part): Promise<number> =>
  predicate.kind === 'nothing'
    ? Promise.resolve(0)
    : operation.engine.count({ indices: operation.collection.schema.indices, predicate }, operation.signal)

interface Measured {
  readonly total: number
  readonly values: readonly number[]
}

/** Measures a property in each collection that has it, over the items with a value. */
async function measure(
  name: string,
  kinds: readonly MetricPlan['kind'][],
  parts: readonly Part[],
): Promise<Measured[]> {
  const measured = parts.map(async ({ operation, collection, predicate: selected }): Promise<Measured[]> => {
    const field = collection.names.field(name)
    if (field === undefined) return []
    const predicate = and([selected, { kind: 'exists', field }])
    if (predicate.kind === 'nothing') return []
    const metrics = kinds.map((kind): MetricPlan => ({ kind, field }))
    const { indices } = operation.collection.schema
    const { total, values } = await operation.engine.measure({ indices, predicate, metrics }, operation.signal)
    return total === 0 ? [] : [{ total, values: values.map(Number) }]
  })
  return (await Promise.all(measured)).flat()
}

/** Least and greatest time of the items. */
async function periodOf(parts: readonly Part[]): Promise<readonly [number?, number?]> {
  const measured = await measure('datetime', ['min', 'max'], parts)
  if (measured.length === 0) return []
  const at = (i: number): readonly number[] => measured.map(({ values }) => values[i] ?? 0)
  return [Math.min(...at(0)), Math.max(...at(1))]
}

/** `avg` weighs the collections by their items with a value. */
async function statisticsOf(name: string, parts: readonly Part[]): Promise<Json> {
  const measured = await measure(name, ['min', 'max', 'avg', 'sum'], parts)
  const count = measured.reduce((sum, { total }) => sum + total, 0)
  if (count === 0) return { count }
  const at = (i: number): readonly number[] => measured.map(({ values }) => values[i] ?? 0)
  const avg = measured.reduce((sum, { total, values }) => sum + (values[2] ?? 0) * (total / count), 0)
  const sum = at(3).reduce((all, one) => all + one, 0)
  return { count, min: Math.min(...at(0)), max: Math.max(...at(1)), avg, sum }
}

type Counts = Map<string, { readonly key: BucketKey; count: number }>

const BY_COUNT = { by: 'count', descending: true } as const
const BY_KEY = { by: 'key', descending: false } as const

/** Groups by a property in each collection that has it, and adds the buckets of equal keys. */
async function group(
  parts: readonly Part[],
  name: string,
  fits: (type: Field['type']) => boolean,
  grouping: (field: Field) => Grouping,
  size: number | undefined,
): Promise<{ readonly buckets: Counts; readonly others: number }> {
  const buckets: Counts = new Map()
  let others = 0
  const answers = parts.map(async ({ operation, collection, predicate }) => {
    const field = collection.names.field(name)
    if (field === undefined || !fits(field.type) || predicate.kind === 'nothing') return
    const { collection: opened, engine, limits, signal } = operation
    const level = {
      grouping: grouping(field),
      order: grouping(field).kind === 'datehistogram' ? BY_KEY : BY_COUNT,
      ...(size === undefined ? {} : { size }),
      ...{ metrics: [], tops: [] },
    } as const
    const plan = { indices: opened.schema.indices, predicate, levels: [level], limits }
    const found = await engine.aggregate(plan, signal)
    others += found.others
    await inTurns(found.buckets, ({ key, count }) => add(buckets, key, count))
  })
  await Promise.all(answers)
  return { buckets, others }
}

function add(buckets: Counts, key: Bucket['key'], count: number): void {
  const name = typeof key === 'object' ? `${key.x}/${key.y}` : String(key)
  const known = buckets.get(name)
  if (known === undefined) buckets.set(name, { key, count })
  else known.count += count
}

interface NamedCount {
  readonly key: string
  readonly count: number
}

const named = (buckets: Counts, nameOf: (key: BucketKey) => string): Promise<readonly NamedCount[]> =>
  mapInTurns(buckets.values(), ({ key, count }) => ({ key: nameOf(key), count }))

const byCount = (buckets: readonly NamedCount[]): readonly NamedCount[] =>
  buckets.toSorted((a, b) => b.count - a.count || compareCodePoints(a.key, b.key))

const cellName = (key: BucketKey, level: number): string =>
  typeof key === 'object' ? `${level}/${key.x}/${key.y}` : String(key)

const distribution = (name: string, type: string, buckets: readonly NamedCount[], overflow: number): JsonObject => ({
  name,
  data_type: 'frequency_distribution',
  overflow,
  buckets: buckets.map(({ key, count }) => ({ key, data_type: type, frequency: count })),
})

async function aggregateTerms(name: string, of: string, parts: readonly Part[], most: number): Promise<JsonObject> {
  const grouping = (field: Field): Grouping => ({ kind: 'term', field })
  const fits = (type: Field['type']): boolean => type === 'KEYWORD' || type === 'BOOLEAN'
  const { buckets, others } = await group(parts, of, fits, grouping, parts.length === 1 ? most : READ_FACTOR * most)
  return cutTo(most, name, 'string', byCount(await named(buckets, String)), others)
}

/** The first buckets; the items of the others are counted as overflow. */
function cutTo(most: number, name: string, type: string, buckets: readonly NamedCount[], others: number): JsonObject {
  const cut = buckets.slice(most).reduce((sum, { count }) => sum + count, 0)
  return distribution(name, type, buckets.slice(0, most), others + cut)
}

const DAY = 86_400_000
/** Lengths in milliseconds, of months and longer the least. */
const LENGTHS: Readonly<Record<TimeUnit, number>> = {
  year: 365 * DAY,
  quarter: 90 * DAY,
  month: 28 * DAY,
  week: 7 * DAY,
  day: DAY,
  hour: 3_600_000,
  minute: 60_000,
  second: 1000,
}

async function aggregateTimes(
  name: string,
  parts: readonly Part[],
  form: AggregationForm,
  most: number,
): Promise<JsonObject> {
  const unit = form.interval ?? (await fittingUnit(parts))
  const isCalendar = unit === 'year' || unit === 'quarter' || unit === 'month' || unit === 'week'
  const interval: DateInterval = isCalendar ? { kind: 'calendar', unit } : { kind: 'fixed', length: LENGTHS[unit] }
  const grouping = (field: Field): Grouping => ({ kind: 'datehistogram', field, interval })
  const { buckets } = await group(parts, 'datetime', (type) => type === 'DATE', grouping, undefined)
  // Engines return times in their order; those of several collections are merged.
  const found = [...buckets.values()]
  const sorted = parts.length === 1 ? found : found.toSorted((a, b) => Number(a.key) - Number(b.key))
  const times = await mapInTurns(sorted, ({ key, count }) => ({ key: printTime(Number(key)) ?? String(key), count }))
  return { ...cutTo(most, name, 'datetime', times, 0), interval: unit }
}

/** The shortest unit that gives few buckets. */
async function fittingUnit(parts: readonly Part[]): Promise<TimeUnit> {
  const [first = 0, last = 0] = await periodOf(parts)
  return timeUnits.findLast((unit) => (last - first) / LENGTHS[unit] <= MOST_TIMES) ?? 'year'
}
