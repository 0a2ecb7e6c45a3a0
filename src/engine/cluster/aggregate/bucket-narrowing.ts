import type { Query, WireObject } from '../../../cluster-client/cluster-client.ts'
import type { Box } from '../../../geo/area.ts'
import { cellBounds } from '../../../geo/grid/cell.ts'
import type { FieldType } from '../../../model/field-type.ts'
import type { BucketKey } from '../../../query/aggregation/bucket.ts'
import type {
  DateHistogramGrouping,
  GridGrouping,
  Grouping,
  HistogramGrouping,
} from '../../../query/plan/aggregation-plan.ts'
import type { Scalar } from '../../../query/plan/predicate.ts'
import type { Field } from '../../../query/schema/field.ts'
import { writeTerm } from '../condition/term-value.ts'

/** Maximum number of terms and boxes in a query. */
const MOST_TERMS = 10_000
const MOST_BOXES = 50

/** Degrees. Margin around boxes, far larger than the rounding of clusters. */
const MARGIN = 1e-5

/**
 * Returns a query that matches all documents of these buckets and few others, so that nodes can skip the rest. It is
 * only an optimization and never decides which bucket a document is in. Undefined if no such query exists.
 */
export function narrowTo(grouping: Grouping, keys: readonly BucketKey[]): Query | undefined {
  switch (grouping.kind) {
    case 'term':
      return narrowTerms(grouping.field, keys as readonly Scalar[])
    case 'histogram':
      return narrowNumbers(grouping, keys as readonly number[])
    case 'datehistogram':
      return narrowDates(grouping, keys as readonly number[])
    default:
      return narrowCells(grouping, keys)
  }
}

const LISTED: ReadonlySet<FieldType> = new Set(['KEYWORD', 'IP', 'BOOLEAN', 'LONG', 'INTEGER', 'SHORT', 'BYTE'])

function narrowTerms({ path, type }: Field, keys: readonly Scalar[]): Query | undefined {
  if (!LISTED.has(type) || keys.length > MOST_TERMS) return undefined
  return { terms: { [path]: keys.map((key) => writeTerm(key, type)) } }
}

/** Clusters reject or round bounds beyond these. */
const FARTHEST: Readonly<Partial<Record<FieldType, number>>> = {
  DATE: 8e15,
  LONG: 2 ** 53,
  INTEGER: 2 ** 31 - 1,
  SHORT: 2 ** 15 - 1,
  BYTE: 2 ** 7 - 1,
  DOUBLE: 1e300,
  FLOAT: 1e38,
}

function narrowNumbers({ field, interval }: HistogramGrouping, keys: readonly number[]): Query {
  const { first, last } = endsOf(keys)
  // Keys are rounded products, so one more interval is added on each side.
  return rangeOf(field, Math.floor(first - interval), Math.ceil(last + 2 * interval))
}

const DAY = 86_400_000
const LONGEST = { year: 366 * DAY, quarter: 92 * DAY, month: 31 * DAY, week: 7 * DAY } as const

function narrowDates({ field, interval }: DateHistogramGrouping, keys: readonly number[]): Query {
  const { first, last } = endsOf(keys)
  return rangeOf(field, first, last + (interval.kind === 'fixed' ? interval.length : LONGEST[interval.unit]))
}

function endsOf(keys: readonly number[]): { readonly first: number; readonly last: number } {
  const first = keys.reduce((least, key) => Math.min(least, key), Number.POSITIVE_INFINITY)
  const last = keys.reduce((most, key) => Math.max(most, key), Number.NEGATIVE_INFINITY)
  return { first, last }
}

function rangeOf({ path, type }: Field, first: number, last: number): Query {
  const farthest = FARTHEST[type] ?? 0
  const bounds = {
    ...(first >= -farthest ? { gte: first } : {}),
    ...(last <= farthest ? { lte: last } : {}),
    ...(type === 'DATE' ? { format: 'epoch_millis' } : {}),
  }
  return 'gte' in bounds || 'lte' in bounds ? { range: { [path]: bounds } } : { exists: { field: path } }
}

function narrowCells(grouping: GridGrouping, keys: readonly BucketKey[]): Query | undefined {
  if (grouping.kind === 'geohex') return undefined
  const boxes = keys.map((key) => boxOf(grouping, key))
  const listed = boxes.length > MOST_BOXES ? [boxes.reduce(around)] : boxes
  const queries = listed.map((box) => compileBox(grouping.field, box))
  return queries.length === 1 ? queries[0] : { bool: { should: queries, minimum_should_match: 1 } }
}

/** Returns a box slightly larger than the cell. The outermost tile rows extend to the poles. */
function boxOf({ level }: GridGrouping, key: BucketKey): Box {
  const isTile = typeof key === 'object'
  const { west, south, east, north } = cellBounds(
    isTile ? { kind: 'tile', z: level, x: key.x, y: key.y } : { kind: 'geohash', hash: String(key) },
  )
  return {
    west: Math.max(-180, west - MARGIN),
    south: isTile && key.y === 2 ** level - 1 ? -90 : Math.max(-90, south - MARGIN),
    east: Math.min(180, east + MARGIN),
    north: isTile && key.y === 0 ? 90 : Math.min(90, north + MARGIN),
  }
}

const around = (a: Box, b: Box): Box => ({
  west: Math.min(a.west, b.west),
  south: Math.min(a.south, b.south),
  east: Math.max(a.east, b.east),
  north: Math.max(a.north, b.north),
})

function compileBox({ path, type }: Field, { west, south, east, north }: Box): WireObject {
  if (type === 'GEO_POINT') {
    const box = { top_left: { lat: north, lon: west }, bottom_right: { lat: south, lon: east } }
    return { geo_bounding_box: { [path]: box, ignore_unmapped: true } }
  }
  const coordinates = [
    [west, north],
    [east, south],
  ]
  const shape = { type: 'envelope', coordinates }
  return { geo_shape: { [path]: { shape, relation: 'intersects' }, ignore_unmapped: true } }
}
