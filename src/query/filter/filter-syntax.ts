import type { Limits } from '../../config/settings.ts'
import { type Problem, problem } from '../../errors.ts'
import type { AreaOptions } from '../../geo/area/filter-area.ts'
import type { Area } from '../../geo/area.ts'
import { GeometryFault } from '../../geo/geometry-fault.ts'
import { type Expression, type Filter, type Operator, operators } from '../../model/filter.ts'
import {
  type GeometryFilterName,
  geometryFilterNames,
  geometryFilters,
  isBoxOnly,
} from '../../model/geometry-filters.ts'
import { type DateFormat, FormatFault, parseDatePattern } from '../date/date-format.ts'
import type { ExpressionBudget } from '../plan/expression-budget.ts'
import type { CollectionPaths } from '../schema/collection-view.ts'
import { type ParsedCql2, parseCql2 } from './cql2-filter.ts'
import { splitEscaped } from './escaped-list.ts'
import { knownArea } from './known-areas.ts'
import { parseRangeItem } from './range-item.ts'
import { alternatives } from './triplets.ts'

/** One syntactically valid triplet; not yet checked against its field. */
export interface ParsedExpression {
  /** As written; `$timestamp` not yet replaced. */
  readonly field: string
  readonly op: Operator
  readonly value: string
  /** eq, ne and range: the value split at commas; other operators: the single value. */
  readonly items: readonly string[]
  /** Geo operators only. */
  readonly area?: Area
  /** Location in the request, for messages: `f`, or `filter.f[0][1]`. */
  readonly place: string
  /** How messages show it; absent: as a triplet. */
  readonly written?: string
}

interface ParsedQuery {
  readonly text: string
  readonly place: string
}

/** A syntactically valid Filter. Column rules can be checked on it before any field is looked up (spec 1.5). */
export interface ParsedFilter {
  readonly f: readonly (readonly ParsedExpression[])[]
  readonly q: readonly (readonly ParsedQuery[])[]
  readonly dateformat?: DateFormat
  readonly cql2?: ParsedCql2
}

export interface FilterSyntaxContext {
  readonly limits: Limits
  readonly budget: ExpressionBudget
  /** `f` for GET parameters, else the path of the Filter in its body: `filter`, `partitionFilter[0]`. */
  readonly parameter: string
  /** Paths that gwithin and the other geometry filters apply to. */
  readonly places: GeometryPaths
}

type GeometryPaths = Pick<CollectionPaths, 'geometry_path' | 'centroid_path'>

/** For syntax checks without a collection. */
export const anyPlaces: GeometryPaths = { geometry_path: 'geometry_path', centroid_path: 'centroid_path' }

const operatorByName: ReadonlyMap<string, Operator> = new Map(operators.map((o) => [o, o]))
const geoOperators: ReadonlySet<Operator> = new Set(['within', 'notwithin', 'intersects', 'notintersects'])
const listOperators: ReadonlySet<Operator> = new Set(['eq', 'ne', 'range'])

export const isGeoOperator = (op: Operator): boolean => geoOperators.has(op)

/**
 * Checks everything of a Filter that needs no schema: triplets, operators, lists, range forms, geometries, dateformat.
 */
export function parseFilter(filter: Filter, context: FilterSyntaxContext): ParsedFilter {
  const fromQuery = context.parameter === 'f'
  const at = (key: string): string => (fromQuery ? key : `${context.parameter}.${key}`)
  const righthand = filter.righthand ?? true
  const dateformat = parseDateformat(filter.dateformat, at('dateformat'))
  const placeOf = (i: number, j: number): string => (fromQuery ? 'f' : at(`f[${i}][${j}]`))
  context.budget.spend(countEmpty(filter.f) + countEmpty(filter.q), context.parameter)
  // Checked before any geometry is parsed, because parsing time grows with the number of positions.
  filter.f?.forEach((group, i) => {
    group.forEach((expression, j) => {
      if (isGeometry(expression)) spendPositions(expression.value, placeOf(i, j), context)
    })
  })
  for (const name of geometryFilterNames) {
    for (const area of (filter[name] ?? []).flatMap(alternatives)) spendPositions(area, at(name), context)
  }
  const f = (filter.f ?? []).map((group, i) =>
    group.map((expression, j) => parseExpression(expression, placeOf(i, j), righthand, context)),
  )
  context.budget.spend(
    (filter.q ?? []).reduce((count, group) => count + group.length, 0),
    at('q'),
  )
  const q = (filter.q ?? []).map((group, i) =>
    group.map((text, j) => ({ text, place: fromQuery ? 'q' : at(`q[${i}][${j}]`) })),
  )
  const geometries = geometryFilterNames.flatMap((name) =>
    (filter[name] ?? []).map((text, i) => {
      const place = fromQuery ? name : at(`${name}[${i}]`)
      return parseGeometries(name, text, place, righthand, context)
    }),
  )
  const cql2 = isBlank(filter.cql2)
    ? {}
    : { cql2: parseCql2(filter.cql2, fromQuery ? 'filter' : at('cql2'), context.limits) }
  return { f: [...f, ...geometries], q, ...(dateformat === undefined ? {} : { dateformat }), ...cql2 }
}

const isBlank = (value: unknown): boolean => value === undefined || (typeof value === 'string' && value.trim() === '')

/** Converts a value of gwithin or another geometry filter to a group of triplets; a blank one restricts nothing. */
function parseGeometries(
  name: GeometryFilterName,
  text: string,
  place: string,
  righthand: boolean,
  { limits, budget, places }: FilterSyntaxContext,
): readonly ParsedExpression[] {
  const { path, op } = geometryFilters[name]
  const areas = text.trim() === '' ? [] : alternatives(text)
  budget.spend(areas.length, place)
  return areas.map((value) => {
    const parsed: ParsedExpression = { field: places[path], op, value, items: [value], place, written: value }
    const options = { righthand, maxVertices: limits.vertices, union: budget.union, boxOnly: isBoxOnly(name) }
    return { ...parsed, area: readArea(parsed, options) }
  })
}

function parseDateformat(text: string | undefined, parameter: string): DateFormat | undefined {
  if (text === undefined || text.trim() === '') return undefined
  try {
    return parseDatePattern(text)
  } catch (error) {
    if (!(error instanceof FormatFault)) throw error
    throw problem('INVALID_FILTER', { parameter, value: text, reason: error.reason })
  }
}

function parseExpression(
  expression: Expression,
  place: string,
  righthand: boolean,
  { limits, budget }: FilterSyntaxContext,
): ParsedExpression {
  const { field, value } = expression
  const opText = expression.op
  if (!field || !opText || !value) {
    const missing = !field ? 'field' : !opText ? 'op' : 'value'
    throw problem('INVALID_FILTER', {
      parameter: place === 'f' ? 'f' : `${place}.${missing}`,
      reason:
        place === 'f'
          ? `must consist of field:operator:value triplets, but one has no ${missing}`
          : 'is required and must not be empty',
    })
  }
  const op = operatorByName.get(opText.toLowerCase())
  if (op === undefined) {
    throw problem('INVALID_FILTER', {
      parameter: place === 'f' ? 'f' : `${place}.op`,
      value: opText,
      reason: `must use one of the operators ${operators.join(', ')}`,
    })
  }
  const items = listOperators.has(op) ? splitEscaped(value, ',') : [value]
  budget.spend(items.length, place)
  const parsed: ParsedExpression = { field, op, value, items, place }
  if (items.includes('')) throw expressionFault(parsed, 'has an empty item in its list')
  if (op === 'range') {
    for (const item of items) {
      // Blanks around an item are significant on KEYWORD only. The type is not known yet: accept both readings.
      const range = parseRangeItem(item)
      if (typeof range !== 'string' || typeof parseRangeItem(item.trim()) !== 'string') continue
      throw expressionFault(parsed, range)
    }
  }
  if (!isGeoOperator(op)) return parsed
  return { ...parsed, area: readArea(parsed, { righthand, maxVertices: limits.vertices, union: budget.union }) }
}

/** Counts empty groups and strings: they restrict nothing, but cost time. */
function countEmpty(groups: readonly (readonly unknown[])[] = []): number {
  let count = 0
  for (const group of groups) {
    if (group.length === 0) count++
    else for (const member of group) if (member === '') count++
  }
  return count
}

function isGeometry({ op }: Expression): boolean {
  const operator = operatorByName.get(op?.toLowerCase() ?? '')
  return operator !== undefined && isGeoOperator(operator)
}

/** Counts positions by their commas. Counting stops at one more than the limit of a single value. */
function spendPositions(text = '', place: string, { limits, budget }: FilterSyntaxContext): void {
  let positions = 1
  for (let at = text.indexOf(','); at >= 0 && positions <= limits.vertices; at = text.indexOf(',', at + 1)) positions++
  budget.spendPositions(positions, place)
}

function readArea({ value, place }: ParsedExpression, options: AreaOptions): Area {
  try {
    return knownArea(value, options)
  } catch (error) {
    if (!(error instanceof GeometryFault)) throw error
    throw problem('INVALID_GEOMETRY', { parameter: place, value, reason: error.reason })
  }
}

/** INVALID_FILTER for one triplet, shown as it was written; `reason` is a clause. */
export function expressionFault(expression: ParsedExpression, reason: string): Problem {
  const { place, field, op, value, written = `${field}:${op}:${value}` } = expression
  return problem('INVALID_FILTER', { parameter: place, value: written, reason })
}
