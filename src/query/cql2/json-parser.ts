import { readGeoJson } from '../../geo/geojson.ts'
import type { Json, JsonObject } from '../../model/json/document.ts'
import { Cql2Fault, Cql2TooDeep, unsupported } from './cql2-fault.ts'
import type { ComparisonOperator, Cql2 } from './expression.ts'
import { relationNamed } from './function-names.ts'
import type { ParseLimits } from './text-parser.ts'

const COMPARISONS: ReadonlySet<string> = new Set(['=', '<>', '<', '>', '<=', '>='])
/** Names of earlier drafts that clients still send. */
const EARLIER: Readonly<Record<string, string>> = { eq: '=', neq: '<>', lt: '<', gt: '>', lte: '<=', gte: '>=' }

/** Parses the JSON form of CQL2 (`cql2-json`). Throws Cql2Fault with the path of the member, or Cql2TooDeep. */
export function parseCql2Json(value: unknown, limits: ParseLimits): Cql2 {
  return readNode(value as Json, '', limits.depth, limits)
}

type Read = (value: Json, at: string) => Cql2

function readNode(value: Json, at: string, depth: number, limits: ParseLimits): Cql2 {
  if (depth <= 0) throw new Cql2TooDeep()
  const read: Read = (member, place) => readNode(member, place, depth - 1, limits)
  switch (typeof value) {
    case 'string':
      return { kind: 'text', value, at }
    case 'number':
    case 'bigint':
      return { kind: 'number', value: String(value), at }
    case 'boolean':
      return { kind: 'boolean', value, at }
  }
  if (value === null) throw new Cql2Fault('must not be null', at)
  if (isList(value)) return { kind: 'list', items: value.map((item, i) => read(item, `${at}[${i}]`)), at }
  return readObject(value, at, read, limits)
}

const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value)

function readObject(value: JsonObject, at: string, read: Read, limits: ParseLimits): Cql2 {
  if (typeof value.op === 'string') return readOperation(value.op, value.args, at, read)
  if (typeof value.property === 'string') return { kind: 'property', name: value.property, at }
  if (typeof value.date === 'string') return { kind: 'date', value: value.date, at }
  if (typeof value.timestamp === 'string') return { kind: 'timestamp', value: value.timestamp, at }
  if (isList(value.interval)) {
    const [from, to, ...more] = value.interval
    if (from === undefined || to === undefined || more.length > 0) throw new Cql2Fault('must have two ends', at)
    return { kind: 'interval', from: read(from, `${at}.interval[0]`), to: read(to, `${at}.interval[1]`), at }
  }
  if (isList(value.bbox)) {
    const bounds = value.bbox.map((bound) => {
      if (typeof bound === 'number') return bound
      throw new Cql2Fault('must have numbers in bbox', at)
    })
    return { kind: 'bbox', bounds, at }
  }
  if (typeof value.type === 'string') {
    checkPositions(value, at, limits)
    const geometry = readGeoJson(value)
    if (geometry === undefined) throw new Cql2Fault('must be a GeoJSON geometry', at)
    return { kind: 'geometry', geometry, at }
  }
  throw new Cql2Fault('must have op, property, date, timestamp, interval, bbox or a GeoJSON geometry', at)
}

function checkPositions(value: Json, at: string, { vertices }: ParseLimits): void {
  let positions = 0
  const count = (item: Json | undefined): void => {
    if (isList(item)) {
      if (typeof item[0] === 'number' && ++positions > vertices) {
        throw new Cql2Fault(`must have at most ${vertices} positions (setting limits.vertices)`, at)
      }
      if (typeof item[0] === 'object') item.forEach(count)
    } else if (typeof item === 'object' && item !== null) {
      count(item.coordinates)
      count(item.geometries)
    }
  }
  count(value)
}

function readOperation(name: string, args: Json | undefined, at: string, read: Read): Cql2 {
  if (!isList(args)) throw new Cql2Fault('must have a list args beside op', at)
  const arg = (i: number): Cql2 => read(args[i] ?? null, `${at}.args[${i}]`)
  const all = (): readonly Cql2[] => args.map((_, i) => arg(i))
  const exactly = (count: number): void => {
    if (args.length !== count) throw new Cql2Fault(`must have ${count} args for ${name}`, at)
  }
  const lower = name.toLowerCase()
  const op = Object.hasOwn(EARLIER, lower) ? (EARLIER[lower] ?? lower) : lower
  if (COMPARISONS.has(op)) {
    exactly(2)
    return { kind: 'comparison', op: op as ComparisonOperator, left: arg(0), right: arg(1), at }
  }
  switch (op) {
    case 'and':
    case 'or': {
      const [only, ...others] = all()
      if (only === undefined) throw new Cql2Fault(`must have args for ${name}`, at)
      return others.length === 0 ? only : { kind: op, members: [only, ...others], at }
    }
    case 'not':
      exactly(1)
      return { kind: 'not', member: arg(0), at }
    case 'like':
      exactly(2)
      return { kind: 'like', value: arg(0), pattern: arg(1), at }
    case 'between': {
      // Clients of an earlier draft send both bounds as a list.
      const bounds = args.length === 2 ? arg(1) : undefined
      const [low, high, ...more] = bounds?.kind === 'list' ? bounds.items : []
      if (low !== undefined && high !== undefined && more.length === 0) {
        return { kind: 'between', value: arg(0), lower: low, upper: high, at }
      }
      exactly(3)
      return { kind: 'between', value: arg(0), lower: arg(1), upper: arg(2), at }
    }
    case 'in': {
      exactly(2)
      const list = arg(1)
      if (list.kind !== 'list') throw new Cql2Fault('must be a list of values', list.at)
      return { kind: 'in', value: arg(0), list: list.items, at }
    }
    case 'isnull':
      exactly(1)
      return { kind: 'isNull', value: arg(0), at }
    case 'casei':
      exactly(1)
      return { kind: 'casei', value: arg(0), at }
    case '+':
    case '-':
    case '*':
    case '/':
    case '^':
    case '%':
    case 'div':
      throw unsupported('arithmetic', at)
  }
  const relation = relationNamed(op)
  if (relation === undefined) throw unsupported(`the function ${name}`, at)
  exactly(2)
  return { ...relation, args: all(), at }
}
