import type { Query, WireJson, WireObject } from '../../../cluster-client/cluster-client.ts'
import type { FieldSortKey, SortKey } from '../../../query/plan/plan.ts'
import type { Scalar } from '../../../query/plan/predicate.ts'
import type { Field } from '../../../query/schema/field.ts'
import { printIp } from '../../../query/value/ip-text.ts'

type DistanceKey = Extract<SortKey, { kind: 'distance' }>

/** One sort key of the cluster on a field. */
interface Column {
  readonly options: WireObject
  /** Sort value of documents without a value: ascending order, descending order. */
  readonly absent: readonly [WireJson, WireJson]
  /**
   * True if `absent` is sent to the cluster. Else the cluster is told to sort these documents last and uses `absent`
   * implicitly.
   */
  readonly stated?: true
  readonly write: (value: Scalar) => WireJson
}

const LONGS: readonly [bigint, bigint] = [2n ** 63n - 1n, -(2n ** 63n)]
/** Clusters sort small integers as 32 or 64 bits, depending on their version. Sent explicitly, these work with both. */
const INTEGERS: readonly [number, number] = [2 ** 31 - 1, -(2 ** 31)]
const INFINITIES: readonly [string, string] = ['Infinity', '-Infinity']
const NULLS: readonly [null, null] = [null, null]

const asNumber = (value: Scalar): number => Number(value)
const asIs = (value: Scalar): Scalar => value

/**
 * Second sort key for integers. Documents without a value share the largest (or smallest) integer with documents that
 * have it. This key separates them by sorting the same field as a double, with infinity for missing values. It is only
 * evaluated on ties.
 */
const besides = (type: string): Column => ({
  options: { unmapped_type: type, numeric_type: 'double' },
  absent: INFINITIES,
  write: asNumber,
})

/**
 * Sorts in milliseconds, independent of the format; nanoseconds are truncated. The value for missing dates is sent
 * explicitly: with `_last`, a cluster compares it with the dates of other shards in the format of the field, and loses
 * documents.
 */
const DATES: Column = {
  options: { unmapped_type: 'date', numeric_type: 'date' },
  absent: LONGS,
  stated: true,
  write: asNumber,
}

const small = (type: string): Column => ({
  options: { unmapped_type: type },
  absent: INTEGERS,
  stated: true,
  write: asNumber,
})

function columnsOf({ type, path, isId }: Field): readonly Column[] {
  if (isId) return [{ options: {}, absent: NULLS, write: asIs }]
  switch (type) {
    case 'KEYWORD':
      return [{ options: { unmapped_type: 'keyword' }, absent: NULLS, write: asIs }]
    case 'IP':
      return [{ options: { unmapped_type: 'ip' }, absent: NULLS, write: (digits) => printIp(String(digits)) }]
    case 'LONG':
      return [{ options: { unmapped_type: 'long' }, absent: LONGS, write: asIs }, besides('long')]
    case 'INTEGER':
      return [small('integer'), besides('integer')]
    case 'SHORT':
      return [small('short')]
    case 'BYTE':
      return [small('byte')]
    case 'BOOLEAN':
      return [small('boolean')]
    case 'DOUBLE':
      return [{ options: { unmapped_type: 'double', numeric_type: 'double' }, absent: INFINITIES, write: asNumber }]
    case 'FLOAT':
      return [{ options: { unmapped_type: 'float' }, absent: INFINITIES, write: asNumber }]
    case 'DATE':
      return [DATES]
    default:
      throw new Error(`${path} of type ${type} cannot be sorted`)
  }
}

/**
 * Compiles the `sort` of a search or of top hits. Missing values are last. `reversed`: for pages read backwards, with
 * missing values first.
 */
export function compileSort(keys: readonly SortKey[], reversed = false): readonly WireObject[] {
  return keys.flatMap((key) => (key.kind === 'field' ? compileField(key, reversed) : compileDistance(key, reversed)))
}

/** Compiles the `search_after` of a cursor; the same for pages read backwards. */
export function compilePlace(keys: readonly SortKey[], values: readonly (Scalar | null)[]): readonly WireJson[] {
  return keys.flatMap((key, i) => {
    const value = values[i]
    if (value === undefined || key.kind === 'distance') throw new Error('a cursor must have one value per sort field')
    return columnsOf(key.field).map(({ absent, write }) =>
      value === null ? absent[key.descending ? 1 : 0] : write(value),
    )
  })
}

/**
 * Returns the query of a search sorted by the keys. For descending distances, a score separates documents with a
 * location (1) from those without (0): clusters treat the latter as infinitely far, and `compileSort` uses the score to
 * sort them last.
 */
export function compileSortedQuery(keys: readonly SortKey[], selection: Query): Query {
  const farthest = keys.find((key) => key.kind === 'distance' && key.descending)
  const filter = [selection]
  if (farthest === undefined) return { bool: { filter } }
  const placed = { constant_score: { filter: { exists: { field: farthest.field.path } } } }
  return { bool: { filter, should: [placed], minimum_should_match: 0 } }
}

function compileField({ field, descending }: FieldSortKey, reversed: boolean): readonly WireObject[] {
  const order = orderOf(descending !== reversed)
  if (field.isId) return [{ [field.path]: { order } }]
  // Of several values the smallest or largest counts, also in reversed order.
  const mode = descending ? 'max' : 'min'
  return columnsOf(field).map(({ options, absent, stated }) => {
    const missing = stated ? absent[descending ? 1 : 0] : reversed ? '_first' : '_last'
    return { [field.path]: { order, mode, missing, ...options } }
  })
}

function compileDistance({ field, lon, lat, descending }: DistanceKey, reversed: boolean): readonly WireObject[] {
  const distance = {
    _geo_distance: {
      [field.path]: { lat, lon },
      order: orderOf(descending !== reversed),
      mode: descending ? 'max' : 'min',
      unit: 'm',
      distance_type: 'arc',
      ignore_unmapped: true,
    },
  }
  return descending ? [{ _score: { order: orderOf(!reversed) } }, distance] : [distance]
}

const orderOf = (descending: boolean): 'asc' | 'desc' => (descending ? 'desc' : 'asc')
