import type { Limits } from '../config/settings.ts'
import { type Problem, problem } from '../errors.ts'
import type { Area } from '../geo/area.ts'
import type { AreaOptions } from '../geo/filter-area.ts'
import { GeometryFault } from '../geo/geometry-fault.ts'
import { type Expression, type Filter, type Operator, operators } from '../model/filter.ts'
import { type DateFormat, FormatFault, parseDatePattern } from './date-format.ts'
import { splitEscaped } from './escaped-list.ts'
import type { ExpressionBudget } from './expression-budget.ts'
import { knownArea } from './known-areas.ts'
import { parseRangeItem } from './range-item.ts'

/** One triplet whose form is right; whether it suits its field is not known yet. */
export interface ParsedExpression {
  /** As written, `$timestamp` not yet replaced. */
  readonly field: string
  readonly op: Operator
  readonly value: string
  /** Of eq, ne and range: the value split at its commas; of the others: the value alone. */
  readonly items: readonly string[]
  /** Of geo operators. */
  readonly area?: Area
  /** Where it stands, for messages: `f`, or `filter.f[0][1]`. */
  readonly place: string
}

export interface ParsedQuery {
  readonly text: string
  readonly place: string
}

/** A Filter whose form is right. Column rules can be checked on it before any field is looked up (spec 1.5). */
export interface ParsedFilter {
  readonly f: readonly (readonly ParsedExpression[])[]
  readonly q: readonly (readonly ParsedQuery[])[]
  readonly dateformat?: DateFormat
}

export interface FilterSyntaxContext {
  readonly limits: Limits
  readonly budget: ExpressionBudget
  /** `f` for GET parameters, else the path of the Filter in its body: `filter`, `partitionFilter[0]`. */
  readonly parameter: string
}

const operatorByName: ReadonlyMap<string, Operator> = new Map(operators.map((o) => [o, o]))
const geoOperators: ReadonlySet<Operator> = new Set(['within', 'notwithin', 'intersects', 'notintersects'])
const listOperators: ReadonlySet<Operator> = new Set(['eq', 'ne', 'range'])

export const isGeoOperator = (op: Operator): boolean => geoOperators.has(op)

/** Checks everything about a Filter that needs no schema: triplets, operators, lists, range forms, geometries, dateformat. */
export function parseFilter(filter: Filter, context: FilterSyntaxContext): ParsedFilter {
  const fromQuery = context.parameter === 'f'
  const at = (key: string): string => (fromQuery ? key : `${context.parameter}.${key}`)
  const righthand = filter.righthand ?? true
  const dateformat = parseDateformat(filter.dateformat, at('dateformat'))
  const placeOf = (i: number, j: number): string => (fromQuery ? 'f' : at(`f[${i}][${j}]`))
  // Before the first geometry is read: that takes time in proportion to them.
  filter.f?.forEach((group, i) => {
    group.forEach((expression, j) => {
      context.budget.spendPositions(countPositions(expression, context.limits.vertices), placeOf(i, j))
    })
  })
  const f = (filter.f ?? []).map((group, i) =>
    group.map((expression, j) => parseExpression(expression, placeOf(i, j), righthand, context)),
  )
  const q = (filter.q ?? []).map((group, i) =>
    group.map((text, j) => ({ text, place: fromQuery ? 'q' : at(`q[${i}][${j}]`) })),
  )
  return { f, q, ...(dateformat === undefined ? {} : { dateformat }) }
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
          ? `must be made of field:operator:value triplets, but one has no ${missing}`
          : 'must be given and not be empty',
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
      // Blanks around an item count on KEYWORD only; the type is not known yet, so either reading will do.
      const range = parseRangeItem(item)
      if (typeof range !== 'string' || typeof parseRangeItem(item.trim()) !== 'string') continue
      throw expressionFault(parsed, range)
    }
  }
  if (!isGeoOperator(op)) return parsed
  return { ...parsed, area: readArea(parsed, { righthand, maxVertices: limits.vertices, union: budget.union }) }
}

/** Positions of a geometry, which commas separate; of one with too many by itself only one more than it may have. */
function countPositions({ op, value = '' }: Expression, most: number): number {
  const operator = operatorByName.get(op?.toLowerCase() ?? '')
  if (operator === undefined || !isGeoOperator(operator)) return 0
  let positions = 1
  for (let at = value.indexOf(','); at >= 0 && positions <= most; at = value.indexOf(',', at + 1)) positions++
  return positions
}

function readArea({ value, place }: ParsedExpression, options: AreaOptions): Area {
  try {
    return knownArea(value, options)
  } catch (error) {
    if (!(error instanceof GeometryFault)) throw error
    throw problem('INVALID_GEOMETRY', { parameter: place, value, reason: error.reason })
  }
}

/** INVALID_FILTER about one triplet; `reason` is a clause about it, the triplet is shown as the value. */
export function expressionFault({ place, field, op, value }: ParsedExpression, reason: string): Problem {
  return problem('INVALID_FILTER', { parameter: place, value: `${field}:${op}:${value}`, reason })
}
