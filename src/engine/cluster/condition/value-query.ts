import type { Query, WireJson, WireObject } from '../../../cluster-client/cluster-client.ts'
import type { FieldType } from '../../../model/field-type.ts'
import type { Bound, EqualsPredicate, RangePredicate, Scalar } from '../../../query/plan/predicate.ts'
import { type Field, isInteger } from '../../../query/schema/field.ts'
import { printIp } from '../../../query/value/ip-text.ts'
import { anyOf, everyDocument, inChunks, noDocument } from './query-clauses.ts'

/** Default of `index.max_terms_count`. */
const MOST_TERMS = 65_536

/** Milliseconds. Upper bound of a date_nanos; a bound beyond it is rejected. */
const LAST_NANOS_MS = 9_223_372_036_854

export const exists = (field: Field): Query => (field.isId ? everyDocument : { exists: { field: field.path } })

/** `nanos`: true if the field is a date_nanos. */
export function compileEquals({ field, values }: EqualsPredicate, nanos: boolean): Query {
  if (field.isId) return { ids: { values: values.map(String) } }
  if (field.type === 'DATE') return equalDates(field, values, nanos)
  const terms = values.flatMap((value) => termsOf(field.type, value))
  return anyOf(inChunks(terms, MOST_TERMS).map((chunk) => ({ terms: { [field.path]: chunk } })))
}

function termsOf(type: FieldType, value: Scalar): readonly WireJson[] {
  if (type === 'IP') return [printIp(String(value))]
  if (typeof value === 'bigint') return inBounds(type, value) ? [value] : []
  // A cluster treats -0 as a separate number below 0. JSON cannot print it as a number.
  return value === 0 ? [0, '-0.0'] : [value]
}

/** Compiles each date to a range, since lists of terms have no date format. Adjacent dates are merged. */
function equalDates(field: Field, values: readonly Scalar[], nanos: boolean): Query {
  const spans: { from: number; end: number }[] = []
  for (const ms of values.map(Number).sort((a, b) => a - b)) {
    const last = spans.at(-1)
    if (last !== undefined && ms <= last.end) last.end = ms + 1
    else spans.push({ from: ms, end: ms + 1 })
  }
  return anyOf(spans.map(({ from, end }) => datesFrom(field, from, end, nanos)))
}

export function compileRange(p: RangePredicate, nanos: boolean): Query {
  const { field, lower, upper } = p
  if (field.type === 'DATE') {
    return datesFrom(field, edge(lower, false), edge(upper, true), nanos)
  }
  if (isInteger(field.type)) return integerRange(p)
  const bounds: Record<string, WireJson> = {}
  if (lower !== undefined) bounds[lower.inclusive ? 'gte' : 'gt'] = isInclusiveZero(lower) ? '-0.0' : lower.value
  if (upper !== undefined) bounds[upper.inclusive ? 'lte' : 'lt'] = isExclusiveZero(upper) ? '-0.0' : upper.value
  return range(field, bounds)
}

// A cluster sorts -0 below 0. A range must contain both or neither.
const isInclusiveZero = ({ value, inclusive }: Bound): boolean => value === 0 && inclusive
const isExclusiveZero = ({ value, inclusive }: Bound): boolean => value === 0 && !inclusive

/** Returns the first millisecond of a lower bound, or the first one after an upper bound. */
function edge(bound: Bound | undefined, isUpper: boolean): number | undefined {
  if (bound === undefined) return undefined
  return Number(bound.value) + (bound.inclusive === isUpper ? 1 : 0)
}

/** Compiles [from, end) in milliseconds, independent of the format of the field. */
function datesFrom(field: Field, from: number | undefined, end: number | undefined, nanos: boolean): Query {
  if (from !== undefined && end !== undefined && from >= end) return noDocument
  if (nanos && ((from ?? 0) > LAST_NANOS_MS || (end ?? 1) <= 0)) return noDocument
  const bounds = {
    ...(from === undefined || (nanos && from < 0) ? {} : { gte: from }),
    ...(end === undefined || (nanos && end > LAST_NANOS_MS) ? {} : { lt: end }),
  }
  return Object.keys(bounds).length === 0 ? exists(field) : range(field, { ...bounds, format: 'epoch_millis' })
}

/** True if a date is compared that may be outside the range of a date_nanos. */
export function leavesNanos(p: EqualsPredicate | RangePredicate): boolean {
  if (p.field.type !== 'DATE') return false
  const values = p.kind === 'equals' ? p.values : [p.lower?.value, p.upper?.value].filter((v) => v !== undefined)
  return values.some((value) => Number(value) < 1 || Number(value) >= LAST_NANOS_MS)
}

/** Clamps the bounds to the range of the type: a cluster rejects others. */
function integerRange({ field, lower, upper }: RangePredicate): Query {
  const { min, max } = integersOf(field.type)
  const from = lower === undefined ? min : BigInt(lower.value) + (lower.inclusive ? 0n : 1n)
  const to = upper === undefined ? max : BigInt(upper.value) - (upper.inclusive ? 0n : 1n)
  if (from > max || to < min || from > to) return noDocument
  return range(field, { gte: from < min ? min : from, lte: to > max ? max : to })
}

const range = (field: Field, bounds: WireObject): Query => ({ range: { [field.path]: bounds } })

const BITS: Partial<Record<FieldType, bigint>> = { INTEGER: 32n, SHORT: 16n, BYTE: 8n }

function integersOf(type: FieldType): { readonly min: bigint; readonly max: bigint } {
  const half = 1n << ((BITS[type] ?? 64n) - 1n)
  return { min: -half, max: half - 1n }
}

function inBounds(type: FieldType, value: bigint): boolean {
  const { min, max } = integersOf(type)
  return value >= min && value <= max
}
