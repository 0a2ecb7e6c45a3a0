import type { Limits } from '../../config/settings.ts'
import type { Box } from '../../geo/area.ts'
import type { Position } from '../../model/geometry.ts'
import { setOwn } from '../../model/json/json-object.ts'
import type { BucketKey, MetricValue } from '../../query/aggregation/bucket.ts'
import { checkBucketCount } from '../../query/aggregation/bucket-limits.ts'
import { FormatFault } from '../../query/date/date-format.ts'
import { datePrinter, fieldDatePrinter } from '../../query/date/date-printer.ts'
import { parseFieldFormat } from '../../query/date/field-date.ts'
import { type Field, isInteger, isNumber } from '../../query/schema/field.ts'
import type { AskedAggregation, BucketAggregation, FilterAggregation, MetricAggregation } from './aggregation.ts'
import type { AnsweredAggregation, ScopeAnswer } from './aggregation-run.ts'
import { nextStart } from './date-interval.ts'
import { fault, type Members } from './members.ts'
import { printValue } from './sort.ts'

interface Printing {
  readonly limits: Limits
  /** Names have the kind of the answer in front: `sterms#name`. */
  readonly hasTypes: boolean
  buckets: number
}

/** Prints the aggregations of a path as Elasticsearch does. */
export function printAggregations(answer: ScopeAnswer, path: string, limits: Limits, hasTypes: boolean): Members {
  return printAll(answer, path, { limits, hasTypes, buckets: 0 })
}

function printAll({ parts, ...scope }: ScopeAnswer, path: string, printing: Printing): Members {
  const printed: Record<string, unknown> = {}
  for (const part of parts) {
    const { asked } = part
    const name = printing.hasTypes ? `${typeName(asked)}#${asked.name}` : asked.name
    const meta = asked.meta === undefined ? {} : { meta: asked.meta }
    setOwn(printed, name, { ...meta, ...printOne(part, { parts, ...scope }, path, printing) })
  }
  return printed
}

function typeName({ type, ...asked }: AskedAggregation): string {
  if (type !== 'terms' || asked.kind !== 'buckets') return type
  const field = asked.field?.type ?? 'KEYWORD'
  if (field === 'KEYWORD' || field === 'IP') return 'sterms'
  return isNumber(field) && !isInteger(field) ? 'dterms' : 'lterms'
}

function printOne(part: AnsweredAggregation, scope: ScopeAnswer, path: string, printing: Printing): Members {
  const { asked, inner } = part
  switch (asked.kind) {
    case 'buckets':
      return printBuckets(asked, inner[0], path, printing)
    case 'filters':
      return printFilters(asked, inner, path, printing)
    case 'metric':
      return printMetric(asked, scope, inner[0], path)
  }
}

function spend(printing: Printing, count: number): void {
  printing.buckets += count
  checkBucketCount(printing.buckets, printing.limits)
}

function printBuckets(
  asked: BucketAggregation,
  inner: ScopeAnswer | undefined,
  path: string,
  printing: Printing,
): Members {
  const { buckets, others } = inner?.listAt(path) ?? { buckets: [], others: 0 }
  const counted = buckets.filter(({ count }) => count >= asked.minCount)
  const all = asked.minCount === 0 ? withEmpty(asked, counted, printing) : counted
  spend(printing, all.length)
  const print = keyPrinter(asked)
  const printed = all.map((bucket) => ({
    ...print(bucket.key),
    doc_count: bucket.count,
    ...(inner === undefined ? {} : printAll(inner, bucket.path, printing)),
  }))
  const rest = asked.type === 'terms' ? { doc_count_error_upper_bound: 0, sum_other_doc_count: others } : {}
  return { ...rest, buckets: asked.isKeyed ? byKey(printed, asked) : printed }
}

type Printed = Members & { readonly key?: unknown; readonly key_as_string?: string }

function byKey(buckets: readonly Printed[], { type }: BucketAggregation): Members {
  const named: Record<string, unknown> = {}
  for (const bucket of buckets) {
    const text = type === 'histogram' && Number.isInteger(bucket.key) ? `${bucket.key}.0` : String(bucket.key)
    setOwn(named, bucket.key_as_string ?? text, bucket)
  }
  return named
}

interface Counted {
  readonly key: BucketKey
  readonly path: string
  readonly count: number
}

/** Buckets without documents between those of a histogram in the order of its keys. */
function withEmpty({ grouping, order }: BucketAggregation, found: readonly Counted[], printing: Printing) {
  if (order.by !== 'key' || (grouping?.kind !== 'histogram' && grouping?.kind !== 'datehistogram')) return found
  const following = (key: number): number => {
    if (grouping.kind === 'datehistogram') return nextStart(key, grouping.interval)
    return (Math.round(key / grouping.interval) + 1) * grouping.interval
  }
  const ascending = order.descending ? found.toReversed() : found
  const all: Counted[] = []
  for (const bucket of ascending) {
    const key = Number(bucket.key)
    const last = all.at(-1)
    if (last !== undefined) {
      // Keys are rounded: less than half an interval before the bucket is the bucket itself.
      const end = key - (key - Number(last.key) > 0 ? Math.abs(following(key) - key) / 2 : 0)
      for (let empty = following(Number(last.key)); empty < end; empty = following(empty)) {
        all.push({ key: empty, path: `empty ${empty}`, count: 0 })
        checkBucketCount(printing.buckets + all.length, printing.limits)
      }
    }
    all.push(bucket)
  }
  return order.descending ? all.toReversed() : all
}

function keyPrinter(asked: BucketAggregation): (key: BucketKey) => Printed {
  const { grouping, field } = asked
  if (grouping === undefined || field === undefined) return (key) => ({ key })
  if (grouping.kind === 'geotile') {
    return (key) => ({ key: typeof key === 'object' ? `${grouping.level}/${key.x}/${key.y}` : String(key) })
  }
  if (field.type === 'DATE' && grouping.kind !== 'geohash') {
    const print = dateText(field, asked.format)
    return (key) => ({ key_as_string: print(Number(key)), key: Number(key) })
  }
  if (field.type === 'BOOLEAN') return (key) => ({ key: key === true ? 1 : 0, key_as_string: String(key) })
  return (key) => ({ key: typeof key === 'object' ? null : printValue(field, key) })
}

function dateText(field: Field, format: string | undefined): (ms: number) => string {
  if (format === undefined) return fieldDatePrinter(field.format)
  try {
    const [first] = parseFieldFormat(format)
    return first === undefined ? fieldDatePrinter(field.format) : datePrinter(first)
  } catch (error) {
    if (!(error instanceof FormatFault)) throw error
    throw fault('format', error.reason, format)
  }
}

function printFilters(
  { form, filters, children }: FilterAggregation,
  inner: readonly ScopeAnswer[],
  path: string,
  printing: Printing,
): Members {
  if (form !== 'single') spend(printing, filters.length)
  const printed = inner.map((answer, i) => {
    const content = children.length === 0 ? {} : printAll(answer, path, printing)
    const { key, more } = filters[i] ?? { more: {} }
    return {
      ...(key === undefined || form === 'keyed' ? {} : { key }),
      ...more,
      doc_count: answer.countAt(path),
      ...content,
    }
  })
  if (form === 'single') return printed[0] ?? { doc_count: 0 }
  if (form === 'list') return { buckets: printed }
  const named: Record<string, unknown> = {}
  for (const [i, bucket] of printed.entries()) setOwn(named, filters[i]?.key ?? String(i), bucket)
  return { buckets: named }
}

function printMetric(
  { type, field, format }: MetricAggregation,
  scope: ScopeAnswer,
  present: ScopeAnswer | undefined,
  path: string,
): Members {
  if (type === 'cardinality' || type === 'value_count' || type === 'sum') {
    if (field === undefined) return { value: 0 }
  }
  if (field === undefined)
    return type === 'stats' ? emptyStats : type.startsWith('geo') ? noPlace(type) : { value: null }
  const at = (kind: 'min' | 'max' | 'avg' | 'sum' | 'cardinality' | 'bounds' | 'centroid'): MetricValue =>
    scope.valueAt(path, { kind, field })
  const numberAt = (kind: 'min' | 'max' | 'avg' | 'sum' | 'cardinality'): number | null => {
    const value = at(kind)
    return typeof value === 'number' ? value : null
  }
  const count = (): number => {
    const [sum, avg] = [numberAt('sum'), numberAt('avg')]
    if (present !== undefined && (avg === null || avg === 0)) return present.countAt(path)
    return sum === null || avg === null || avg === 0 ? 0 : Math.round(sum / avg)
  }
  const print = field.type === 'DATE' ? dateText(field, format) : undefined
  const withText = (name: string, value: number | null): Members => ({
    [name]: value,
    ...(print === undefined || value === null ? {} : { [`${name}_as_string`]: print(value) }),
  })
  switch (type) {
    case 'cardinality':
      return { value: numberAt('cardinality') ?? 0 }
    case 'sum':
      return withText('value', numberAt('sum') ?? 0)
    case 'value_count':
      return { value: count() }
    case 'stats': {
      const values = count()
      if (values === 0) return emptyStats
      const parts = (['min', 'max', 'avg', 'sum'] as const).map((kind) => withText(kind, numberAt(kind)))
      return Object.assign({ count: values }, ...parts)
    }
    case 'geo_bounds': {
      const box = at('bounds')
      return isBox(box) ? { bounds: printBox(box) } : {}
    }
    case 'geo_centroid': {
      const point = at('centroid')
      const located = isPosition(point) ? { location: { lat: point[1], lon: point[0] } } : {}
      return { ...located, count: present?.countAt(path) ?? 0 }
    }
    default:
      return withText('value', numberAt(type))
  }
}

const emptyStats = { count: 0, min: null, max: null, avg: null, sum: 0 }
const noPlace = (type: string): Members => (type === 'geo_centroid' ? { count: 0 } : {})

const isPosition = (value: MetricValue): value is Position => Array.isArray(value)
const isBox = (value: MetricValue): value is Box => typeof value === 'object' && value !== null && 'west' in value

const printBox = ({ west, south, east, north }: Box) => ({
  top_left: { lat: north, lon: west },
  bottom_right: { lat: south, lon: east },
})
