import type { Query, WireJson, WireObject } from '../../../cluster-client/cluster-client.ts'
import type { Bound, EqualsPredicate, RangePredicate, Scalar } from '../../../query/plan/predicate.ts'
import { type Field, type FieldType, isInteger } from '../../../query/schema/field.ts'
import { printIp } from '../../../query/value/ip-text.ts'
import { anyOf, inChunks, noDocument } from './query-clauses.ts'

/** `index.max_terms_count` of an index that says nothing else. */
const MOST_TERMS = 65_536

/** The milliseconds a date_nanos can hold; a bound beyond them is refused. */
const LAST_NANOS_MS = 9_223_372_036_854

export const exists = (field: Field): Query => ({ exists: { field: field.path } })

/** `nanos`: the field is a date_nanos. */
export function compileEquals({ field, values }: EqualsPredicate, nanos: boolean): Query {
  if (field.type === 'DATE') return equalDates(field, values, nanos)
  const terms = values.flatMap((value) => termsOf(field.type, value))
  return anyOf(inChunks(terms, MOST_TERMS).map((chunk) => ({ terms: { [field.path]: chunk } })))
}

function termsOf(type: FieldType, value: Scalar): readonly WireJson[] {
  if (type === 'IP') return [printIp(String(value))]
  if (typeof value === 'bigint') return inBounds(type, value) ? [value] : []
  // To a cluster -0 is a number of its own, below 0; JSON cannot be made to print it as a number.
  return value === 0 ? [0, '-0.0'] : [value]
}

/** No list of terms takes a date format, so that each date is a range. Neighbours are joined. */
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

// Of the two zeros of a cluster the lower one is -0: both belong to a range, or neither does.
const isInclusiveZero = ({ value, inclusive }: Bound): boolean => value === 0 && inclusive
const isExclusiveZero = ({ value, inclusive }: Bound): boolean => value === 0 && !inclusive

/** The first millisecond of a lower bound, and the first after an upper one. */
function edge(bound: Bound | undefined, isUpper: boolean): number | undefined {
  if (bound === undefined) return undefined
  return Number(bound.value) + (bound.inclusive === isUpper ? 1 : 0)
}

/** From one millisecond to before another, whatever the format of the field. */
function datesFrom(field: Field, from: number | undefined, end: number | undefined, nanos: boolean): Query {
  if (from !== undefined && end !== undefined && from >= end) return noDocument
  if (nanos && ((from ?? 0) > LAST_NANOS_MS || (end ?? 1) <= 0)) return noDocument
  const bounds = {
    ...(from === undefined || (nanos && from < 0) ? {} : { gte: from }),
    ...(end === undefined || (nanos && end > LAST_NANOS_MS) ? {} : { lt: end }),
  }
  return Object.keys(bounds).length === 0 ? exists(field) : range(field, { ...bounds, format: 'epoch_millis' })
}

/** Whether dates so early or late are compared that a date_nanos must be asked in another way. */
export function leavesNanos(p: EqualsPredicate | RangePredicate): boolean {
  if (p.field.type !== 'DATE') return false
  const values = p.kind === 'equals' ? p.values : [p.lower?.value, p.upper?.value].filter((v) => v !== undefined)
  return values.some((value) => Number(value) < 1 || Number(value) >= LAST_NANOS_MS)
}

/** Inclusive bounds inside the type: a cluster refuses others. */
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
