import { problem } from '../../errors.ts'
import type { ComparisonOperator, Cql2 } from '../../query/cql2/expression.ts'

const COMPARISONS: Readonly<Record<string, ComparisonOperator>> = {
  eq: '=',
  neq: '<>',
  lt: '<',
  lte: '<=',
  gt: '>',
  gte: '>=',
}

/** Converts the `query` of the Query extension, names with operators and values, to CQL2. */
export function queryExpression(query: unknown): Cql2 | undefined {
  if (!isObject(query)) return fault('query', query, 'must be an object')
  const members = Object.entries(query).flatMap(([name, operators]) => {
    if (!isObject(operators)) return fault(`query.${name}`, operators, 'must be an object of operators')
    return Object.entries(operators).map(([operator, value]) => conditionOf(name, operator, value))
  })
  return members.length <= 1 ? members[0] : { kind: 'and', members, at: 0 }
}

function conditionOf(name: string, operator: string, value: unknown): Cql2 {
  const property: Cql2 = { kind: 'property', name, at: 0 }
  const parameter = `query.${name}.${operator}`
  const comparison = Object.hasOwn(COMPARISONS, operator) ? COMPARISONS[operator] : undefined
  if (comparison !== undefined) {
    return { kind: 'comparison', op: comparison, left: property, right: literal(value, parameter), at: 0 }
  }
  const like = (before: string, after: string): Cql2 => {
    if (typeof value !== 'string') return fault(parameter, value, 'must be a text')
    const pattern = `${before}${value.replace(/[\\%_]/g, '\\$&')}${after}`
    return { kind: 'like', value: property, pattern: { kind: 'text', value: pattern, at: 0 }, at: 0 }
  }
  switch (operator) {
    case 'startsWith':
      return like('', '%')
    case 'endsWith':
      return like('%', '')
    case 'contains':
      return like('%', '%')
    case 'in': {
      if (!Array.isArray(value) || value.length === 0) return fault(parameter, value, 'must be a list of values')
      return { kind: 'in', value: property, list: value.map((item) => literal(item, parameter)), at: 0 }
    }
    default:
      return fault(parameter, undefined, 'is not an operator of the Query extension')
  }
}

function literal(value: unknown, parameter: string): Cql2 {
  switch (typeof value) {
    case 'string':
      return { kind: 'text', value, at: 0 }
    case 'number':
      return { kind: 'number', value: String(value), at: 0 }
    case 'boolean':
      return { kind: 'boolean', value, at: 0 }
    default:
      return fault(parameter, value, 'must be a text, a number, true or false')
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function fault(parameter: string, value: unknown, reason: string): never {
  throw problem('INVALID_PARAMETER', { parameter, ...(value === undefined ? {} : { value }), reason })
}
