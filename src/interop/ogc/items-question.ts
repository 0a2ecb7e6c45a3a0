import type { OpenCollection } from '../../collections/open-collection.ts'
import type { Limits } from '../../config/settings.ts'
import { problem } from '../../errors.ts'
import { boxArea } from '../../geo/area/box-area.ts'
import { GeometryFault } from '../../geo/geometry-fault.ts'
import { mapPositions } from '../../geo/map-positions.ts'
import type { Json } from '../../model/json/document.ts'
import type { Cql2 } from '../../query/cql2/expression.ts'
import { printCql2Json } from '../../query/cql2/printer.ts'
import { readTime } from '../../query/cql2/time-literal.ts'
import { parseCql2 } from '../../query/filter/cql2-filter.ts'
import { type Field, isNumber } from '../../query/schema/field.ts'
import type { Crs } from './crs.ts'

/** Filters of a request, as sent. */
export interface ItemFilters {
  readonly bbox?: string | undefined
  readonly bboxCrs: Crs
  readonly datetime?: string | undefined
  /** A CQL2 expression: its text, or its JSON form. */
  readonly filter?: unknown
  readonly filterCrs: Crs
  /** Values that properties must be equal to. */
  readonly equal: readonly (readonly [Field, string])[]
}

/**
 * Combines the filters of a request to one CQL2 expression in JSON form, so that the query core treats them like those
 * of exploration. Undefined without filters.
 */
export function filterExpression(filters: ItemFilters, collection: OpenCollection, limits: Limits): Json | undefined {
  const { geometry_path, timestamp_path } = collection.reference.params
  const { bbox, datetime, filter } = filters
  const parts: Json[] = [
    ...(bbox === undefined ? [] : [meets(geometry_path, readBbox(bbox, filters.bboxCrs))]),
    ...(datetime === undefined ? [] : [happens(timestamp_path, datetime)]),
    ...filters.equal.map(([field, value]) => isEqual(field, value)),
    ...(filter === undefined ? [] : [readFilter(filter, filters.filterCrs, limits)]),
  ]
  return parts.length <= 1 ? parts[0] : { op: 'and', args: parts }
}

export const meets = (path: string, bbox: readonly number[]): Json => ({
  op: 's_intersects',
  args: [{ property: path }, { bbox }],
})

export function readBbox(text: string, { toLonLat }: Crs): readonly number[] {
  const fail = (reason: string): never => {
    throw problem('INVALID_PARAMETER', { parameter: 'bbox', value: text, reason })
  }
  const items = text.split(',')
  if (!items.every((item) => /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(item)))
    fail('must be a list of numbers')
  const numbers = items.map(Number)
  try {
    boxArea(numbers, toLonLat)
  } catch (error) {
    if (!(error instanceof GeometryFault)) throw error
    fail(error.reason)
  }
  const half = numbers.length / 2
  const [west = 0, south = 0] = toLonLat([numbers[0] ?? 0, numbers[1] ?? 0])
  const [east = 0, north = 0] = toLonLat([numbers[half] ?? 0, numbers[half + 1] ?? 0])
  return [west, south, east, north]
}

/** An instant, a day, or an interval with `..` or nothing for an open end; all ends belong to it. */
function happens(path: string, text: string): Json {
  const ends = text.split('/')
  const times = ends.map((end) => (end === '' || end === '..' ? undefined : readTime(end)))
  const isBroken = ends.some((end, i) => times[i] === undefined && (ends.length === 1 || (end !== '' && end !== '..')))
  const [from, to] = times
  if (ends.length > 2 || isBroken || (from !== undefined && to !== undefined && to.last < from.first)) {
    const reason = isBroken
      ? 'must be a date or time of RFC 3339, or two of them separated by a slash, with .. for an open end'
      : 'must not end before it starts'
    throw problem('INVALID_PARAMETER', { parameter: 'datetime', value: text, reason })
  }
  const only = ends[0] ?? ''
  const period = ends.length === 1 ? [only, only] : ends.map((end) => (end === '' ? '..' : end))
  return { op: 't_intersects', args: [{ property: path }, { interval: period }] }
}

function isEqual({ path, type }: Field, text: string): Json {
  const compared = (value: Json): Json => ({ op: '=', args: [{ property: path }, value] })
  if (isNumber(type)) {
    if (text.trim() !== '' && Number.isFinite(Number(text))) return compared(Number(text))
    throw problem('INVALID_PARAMETER', { parameter: path, value: text, reason: 'must be a number' })
  }
  if (type !== 'BOOLEAN') return compared(text)
  const lower = text.toLowerCase()
  if (lower === 'true' || lower === 'false') return compared(lower === 'true')
  throw problem('INVALID_PARAMETER', { parameter: path, value: text, reason: 'must be true or false' })
}

function readFilter(filter: unknown, { toLonLat, uri }: Crs, limits: Limits): Json {
  const { node } = parseCql2(filter, 'filter', limits)
  const isLonLat = uri.endsWith('CRS84')
  return printCql2Json(isLonLat ? node : converted(node, toLonLat))
}

/** Converts the geometries of an expression to longitude and latitude. */
export function converted(node: Cql2, toLonLat: Crs['toLonLat']): Cql2 {
  const all = (nodes: readonly Cql2[]): readonly Cql2[] => nodes.map((member) => converted(member, toLonLat))
  switch (node.kind) {
    case 'and':
    case 'or':
      return { ...node, members: all(node.members) }
    case 'not':
      return { ...node, member: converted(node.member, toLonLat) }
    case 'spatial':
      return { ...node, args: all(node.args) }
    case 'geometry':
      return { ...node, geometry: mapPositions(node.geometry, toLonLat) }
    case 'bbox': {
      const half = node.bounds.length / 2
      const [a = 0, b = 0, c = 0, d = 0] = [0, 1, half, half + 1].map((i) => node.bounds[i])
      return { ...node, bounds: [...toLonLat([a, b]), ...toLonLat([c, d])] }
    }
    default:
      return node
  }
}
