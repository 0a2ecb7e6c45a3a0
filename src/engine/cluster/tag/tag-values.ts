import type { Query, WireJson, WireObject } from '../../../cluster-client/cluster-client.ts'
import type { FieldType } from '../../../model/field-type.ts'
import type { Scalar } from '../../../query/plan/predicate.ts'
import { type Field, isInteger } from '../../../query/schema/field.ts'
import { compareCodePoints } from '../../../query/value/code-point-order.ts'
import { parseIp } from '../../../query/value/ip-address.ts'
import { writeTerm } from '../condition/term-value.ts'
import type { TagSnapshot } from './tag-snapshot.ts'

/** Values per request. */
export const VALUES_AT_ONCE = 1_000

/** A field and the documents to read its values from. */
export interface ValueSource {
  readonly snapshot: TagSnapshot
  readonly field: Field
  /** Indices where the field has its type. */
  readonly indices: readonly string[]
  readonly query: Query
}

/** Yields the distinct values of a field in ascending order; read lazily. */
export async function* distinctValues(source: ValueSource, signal: AbortSignal): AsyncGenerator<Scalar, void> {
  const streams = source.indices.map((index) => valuesIn(index, source, signal))
  const heads = await Promise.all(streams.map(async (stream) => (await stream.next()).value))
  let last: Scalar | undefined
  for (;;) {
    const at = lowest(heads)
    const value = heads[at]
    if (value === undefined) return
    // Skips duplicates: values in several indices, and 0 and -0 of floating-point fields.
    if (last === undefined || compareValues(last, value) !== 0) yield value
    last = value
    heads[at] = (await streams[at]?.next())?.value ?? undefined
  }
}

function lowest(heads: readonly (Scalar | undefined)[]): number {
  let best = -1
  for (const [i, head] of heads.entries()) {
    if (head === undefined) continue
    const least = heads[best]
    if (least === undefined || compareValues(head, least) < 0) best = i
  }
  return best
}

interface CompositeAnswer {
  readonly values?: {
    readonly after_key?: WireObject
    readonly buckets: readonly { readonly key: { readonly value: WireJson } }[]
  }
}

async function* valuesIn(
  index: string,
  { snapshot, field, query }: ValueSource,
  signal: AbortSignal,
): AsyncGenerator<Scalar, undefined> {
  let after: WireObject | undefined
  do {
    const composite = {
      size: VALUES_AT_ONCE,
      sources: [{ value: { terms: { field: field.path } } }],
      ...(after === undefined ? {} : { after }),
    }
    const body = { size: 0, track_total_hits: false, query: filtered(query), aggs: { values: { composite } } }
    const { aggregations } = await snapshot.search(index, body, signal)
    const { values } = (aggregations ?? {}) as CompositeAnswer
    for (const { key } of values?.buckets ?? []) yield readValue(key.value, field.type)
    after = (values?.buckets.length ?? 0) < VALUES_AT_ONCE ? undefined : values?.after_key
  } while (after !== undefined)
  return undefined
}

interface TermsAnswer {
  readonly values?: { readonly buckets: readonly { readonly key: WireJson; readonly doc_count: number }[] }
}

/** Returns the number of documents per value. At most `VALUES_AT_ONCE` values. */
export async function countByValue(
  { snapshot, field, indices, query }: ValueSource,
  values: readonly Scalar[],
  signal: AbortSignal,
): Promise<ReadonlyMap<Scalar, number>> {
  const counts = new Map<Scalar, number>(values.map((value) => [value, 0]))
  const include = values.flatMap((value) => [writeTerm(value, field.type), ...(isZero(value) ? ['-0.0'] : [])])
  const terms = {
    field: field.path,
    include,
    size: include.length,
    ...(field.type === 'DATE' ? { format: 'epoch_millis' } : {}),
  }
  const body = { size: 0, track_total_hits: false, query: filtered(query), aggs: { values: { terms } } }
  for (const index of indices) {
    const { aggregations } = await snapshot.search(index, body, signal)
    for (const { key, doc_count: count } of ((aggregations ?? {}) as TermsAnswer).values?.buckets ?? []) {
      const value = readValue(key, field.type)
      counts.set(value, (counts.get(value) ?? 0) + count)
    }
  }
  return counts
}

const isZero = (value: Scalar): boolean => value === 0

export const filtered = (...queries: readonly Query[]): Query => ({ bool: { filter: queries } })

/** Returns the request parts that make hits contain the values for `readValue`. */
export const valueRequest = ({ path, type }: Field): WireObject => ({
  docvalue_fields: [type === 'DATE' ? { field: path, format: 'epoch_millis' } : { field: path }],
})

/** Converts a doc value of the cluster to a value as used in `Predicate`. */
export function readValue(raw: WireJson, type: FieldType): Scalar {
  switch (type) {
    case 'KEYWORD':
      return String(raw)
    case 'IP':
      return parseIp(String(raw)) ?? String(raw)
    case 'BOOLEAN':
      return raw === true || raw === 'true' || Number(raw) === 1
    case 'DATE':
      // A date_nanos has a fraction.
      return Math.floor(Number(raw)) + 0
    default:
      return isInteger(type) ? BigInt(raw as number | bigint) : Number(raw) + 0
  }
}

/** Compares two values of one type: numbers and dates by size, false before true, texts by code point. */
function compareValues(a: Scalar, b: Scalar): number {
  if (typeof a === 'string' && typeof b === 'string') return compareCodePoints(a, b)
  return a < b ? -1 : a > b ? 1 : 0
}
