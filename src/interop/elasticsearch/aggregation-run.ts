import type { Limits } from '../../config/settings.ts'
import type { Bucket, BucketList, ReadEngine } from '../../engine/engine.ts'
import type { BucketKey, MetricValue } from '../../query/aggregation/bucket.ts'
import type { AggregationLevel, MetricPlan } from '../../query/plan/aggregation-plan.ts'
import { and, type Predicate, type Scalar } from '../../query/plan/predicate.ts'
import type { Field } from '../../query/schema/field.ts'
import { type AskedAggregation, type BucketAggregation, type MetricAggregation, plannedMetrics } from './aggregation.ts'
import { fault } from './members.ts'

/**
 * Plans of an engine are chains of levels, aggregations of a request are trees: each bucket aggregation is one plan,
 * with the levels that it is nested in, and its metrics. What belongs together is found by path: the keys of the buckets
 * around it.
 */

export interface AggregationRun {
  readonly engine: ReadEngine
  readonly indices: readonly string[]
  readonly limits: Limits
  readonly signal: AbortSignal
}

/** The documents that aggregations look at, and the buckets around them. */
interface Scope {
  readonly predicate: Predicate
  readonly levels: readonly AggregationLevel[]
}

interface FoundBucket {
  readonly key: BucketKey
  readonly path: string
  readonly count: number
}

interface FoundList {
  readonly buckets: readonly FoundBucket[]
  readonly others: number
}

interface Place {
  readonly count: number
  readonly values: readonly MetricValue[]
}

/** The aggregations of one scope, with their answers by path. */
export interface ScopeAnswer {
  /** Documents in the bucket. */
  readonly countAt: (path: string) => number
  /** The buckets of the last level. */
  readonly listAt: (path: string) => FoundList
  readonly valueAt: (path: string, metric: MetricPlan) => MetricValue
  readonly parts: readonly AnsweredAggregation[]
}

export interface AnsweredAggregation {
  readonly asked: AskedAggregation
  /** Of buckets one, of filters one each; of metrics those with the documents that have a value, if needed. */
  readonly inner: readonly ScopeAnswer[]
}

export const ROOT = ''

const NOTHING: FoundList = { buckets: [], others: 0 }

/** Answers aggregations on the documents that match. */
export function runAggregations(asked: readonly AskedAggregation[], predicate: Predicate, run: AggregationRun) {
  return answerScope(asked, { predicate, levels: [] }, run, false)
}

async function answerScope(
  asked: readonly AskedAggregation[],
  scope: Scope,
  run: AggregationRun,
  wantsCount: boolean,
): Promise<ScopeAnswer> {
  const metrics = metricsOf(asked)
  const found = await readScope(scope, metrics, run, wantsCount)
  const answer = { ...found, valueAt: valueReader(found.places, metrics) }
  const parts: AnsweredAggregation[] = []
  for (const one of asked) parts.push({ asked: one, inner: await answerInner(one, scope, found, answer.valueAt, run) })
  return { ...answer, countAt: (path) => found.places.get(path)?.count ?? 0, parts }
}

const nameOf = ({ kind, field }: MetricPlan): string => `${kind} ${field.path}`

/** The metrics among the aggregations, each once. */
function metricsOf(asked: readonly AskedAggregation[]): readonly MetricPlan[] {
  const all = asked.flatMap((one) => (one.kind === 'metric' ? plannedMetrics(one) : []))
  return [...new Map(all.map((metric) => [nameOf(metric), metric])).values()]
}

function valueReader(places: ReadonlyMap<string, Place>, metrics: readonly MetricPlan[]): ScopeAnswer['valueAt'] {
  const numbers = new Map(metrics.map((metric, i) => [nameOf(metric), i]))
  return (path, metric) => places.get(path)?.values[numbers.get(nameOf(metric)) ?? -1] ?? null
}

interface ReadPlaces {
  readonly places: ReadonlyMap<string, Place>
  readonly listAt: (path: string) => FoundList
  /** Keys of each level. */
  readonly keys: readonly ReadonlyMap<string, BucketKey>[]
}

async function readScope(
  { predicate, levels }: Scope,
  metrics: readonly MetricPlan[],
  { engine, indices, limits, signal }: AggregationRun,
  wantsCount: boolean,
): Promise<ReadPlaces> {
  const selection = { indices, predicate }
  const last = levels.at(-1)
  if (last === undefined) {
    const place =
      metrics.length > 0
        ? await engine.measure({ ...selection, metrics, exactDistinct: limits.exactDistinct }, signal)
        : { total: wantsCount ? await engine.count(selection, signal) : 0, values: [] }
    const places = new Map([[ROOT, { count: place.total, values: place.values }]])
    return { places, listAt: () => NOTHING, keys: [] }
  }
  const plan = [...levels.slice(0, -1), withMetrics(last, metrics)]
  const found = await engine.aggregate({ ...selection, levels: plan, limits }, signal)
  return walk(found, levels.length)
}

/** The last level of a plan with other metrics; the one that decides on its order stays first. */
function withMetrics(level: AggregationLevel, metrics: readonly MetricPlan[]): AggregationLevel {
  const ordering = level.order.by === 'metric' ? level.metrics[level.order.metric] : undefined
  if (ordering === undefined) return { ...level, metrics }
  const at = metrics.findIndex((metric) => nameOf(metric) === nameOf(ordering))
  return at < 0
    ? { ...level, metrics: [...metrics, ordering], order: { ...level.order, by: 'metric', metric: metrics.length } }
    : { ...level, metrics, order: { ...level.order, by: 'metric', metric: at } }
}

const textOf = (key: BucketKey): string => (typeof key === 'object' ? `${key.x} ${key.y}` : JSON.stringify(String(key)))

function walk(list: BucketList, depth: number): ReadPlaces {
  const places = new Map<string, Place>()
  const lists = new Map<string, FoundList>()
  const keys = Array.from({ length: depth }, () => new Map<string, BucketKey>())
  const visit = ({ buckets, others }: BucketList, path: string, level: number): void => {
    const found = buckets.map((bucket: Bucket): FoundBucket => {
      const text = textOf(bucket.key)
      keys[level]?.set(text, bucket.key)
      const inner = `${path}/${text}`
      if (bucket.children) visit(bucket.children, inner, level + 1)
      else if (level === depth - 1) places.set(inner, { count: bucket.count, values: bucket.metrics })
      return { key: bucket.key, path: inner, count: bucket.count }
    })
    if (level === depth - 1) lists.set(path, { buckets: found, others })
  }
  visit(list, ROOT, 0)
  return { places, keys, listAt: (path) => lists.get(path) ?? NOTHING }
}

async function answerInner(
  asked: AskedAggregation,
  scope: Scope,
  found: ReadPlaces,
  valueAt: ScopeAnswer['valueAt'],
  run: AggregationRun,
): Promise<readonly ScopeAnswer[]> {
  switch (asked.kind) {
    case 'buckets': {
      const level = levelOf(asked)
      if (level === undefined) return []
      // The buckets around it are the same, whatever is in them.
      return [await answerScope(asked.children, { ...scope, levels: [...scope.levels, level] }, run, true)]
    }
    case 'filters': {
      const inner: ScopeAnswer[] = []
      for (const { predicate } of asked.filters)
        inner.push(await answerWithin(asked.children, predicate, scope, found, run))
      return inner
    }
    case 'metric': {
      const { field } = asked
      if (field === undefined || !needsCount(asked, field, found, valueAt)) return []
      return [await answerWithin([], { kind: 'exists', field }, scope, found, run)]
    }
  }
}

/** Aggregations on some of the documents of the same buckets. */
function answerWithin(
  asked: readonly AskedAggregation[],
  predicate: Predicate,
  scope: Scope,
  { keys }: ReadPlaces,
  run: AggregationRun,
): Promise<ScopeAnswer> {
  const levels = scope.levels.map((level, i) => withKeys(level, [...(keys[i]?.values() ?? [])]))
  return answerScope(asked, { predicate: and([scope.predicate, predicate]), levels }, run, true)
}

/** The same buckets, even if others have more documents now. */
function withKeys(level: AggregationLevel, keys: readonly BucketKey[]): AggregationLevel {
  const { grouping } = level
  const values = keys.filter((key): key is Scalar => typeof key !== 'object')
  return {
    grouping: grouping.kind === 'term' ? { ...grouping, include: { kind: 'values', values } } : grouping,
    order: { by: 'key', descending: false },
    metrics: [],
    tops: [],
  }
}

/** The number of values is sum / avg; of other fields than numbers, and with an average of 0, documents are counted. */
function needsCount(
  asked: MetricAggregation,
  field: Field,
  { places }: ReadPlaces,
  valueAt: ScopeAnswer['valueAt'],
): boolean {
  if (asked.type === 'geo_centroid') return true
  if (asked.type !== 'value_count' && asked.type !== 'stats') return false
  if (plannedMetrics(asked).length === 0) return true
  return [...places.keys()].some((path) => valueAt(path, { kind: 'avg', field }) === 0)
}

function levelOf(asked: BucketAggregation): AggregationLevel | undefined {
  const { grouping, order, size, children } = asked
  if (grouping === undefined) return undefined
  const level = { grouping, ...(size === undefined ? {} : { size }), tops: [] }
  if (typeof order.by !== 'object')
    return { ...level, order: { by: order.by, descending: order.descending }, metrics: [] }
  const metric = orderingMetric(order.by.metric, children)
  return { ...level, metrics: [metric], order: { by: 'metric', metric: 0, descending: order.descending } }
}

/** `name` of a metric, or `name.max` of one with several values. */
function orderingMetric(name: string, children: readonly AskedAggregation[]): MetricPlan {
  const [own = '', part] = name.split('.')
  const child = children.find((one) => one.name === own)
  const planned = child?.kind === 'metric' && child.type !== 'value_count' ? plannedMetrics(child) : []
  const metric =
    planned.length > 1 || part !== undefined ? planned.find(({ kind }) => kind === (part ?? 'value')) : planned[0]
  const single = part === 'value' ? planned[0] : metric
  if (single !== undefined && single.kind !== 'bounds' && single.kind !== 'centroid') return single
  throw fault('order', 'must name a metric with a number in the aggregation', name)
}
