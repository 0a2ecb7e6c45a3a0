import { or, type Predicate } from '../plan/predicate.ts'
import type { Field } from '../schema/field.ts'
import { between, type Comparable, comparableOf } from './comparable.ts'
import { compareFields } from './compare-fields.ts'
import { compareLiterals } from './compare-literals.ts'
import { type Cql2Context, fieldOf } from './cql2-context.ts'
import { Cql2Fault } from './cql2-fault.ts'
import type { Comparison, ComparisonOperator, Cql2 } from './expression.ts'
import { resolveArray } from './resolve-array.ts'
import { resolveSpatial } from './resolve-spatial.ts'
import { resolveTemporal } from './resolve-temporal.ts'
import { equalsInAnyCase, likePredicate, matchesLike } from './text-pattern.ts'
import { allOf, anyOf, claim, constant, negated, type Truth } from './truth.ts'

/** Resolves an expression to the predicate that it is true. Throws Cql2Fault, or LIMIT_EXCEEDED. */
export function resolveCql2(node: Cql2, context: Cql2Context): Predicate {
  return truthOf(node, context).yes()
}

function truthOf(node: Cql2, context: Cql2Context): Truth {
  switch (node.kind) {
    case 'and':
      return allOf(node.members.map((member) => truthOf(member, context)))
    case 'or':
      return anyOf(node.members.map((member) => truthOf(member, context)))
    case 'not':
      return negated(truthOf(node.member, context))
    case 'boolean':
      return constant(node.value)
    case 'property': {
      const field = fieldOf(node, context)
      if (field.type !== 'BOOLEAN') throw new Cql2Fault(`must compare ${node.name} with a value`, node.at)
      return claim(field, { kind: 'equals', field, values: [true] })
    }
  }
  context.budget.spend(1, context.parameter)
  switch (node.kind) {
    case 'comparison':
      return resolveComparison(node, context)
    case 'like':
      return resolveLike(node, context)
    case 'between':
      return resolveBetween(node, context)
    case 'in':
      return resolveIn(node, context)
    case 'isNull':
      return resolveIsNull(node.value, context)
    case 'spatial':
      return resolveSpatial(node, context)
    case 'temporal':
      return resolveTemporal(node, context)
    case 'array':
      return resolveArray(node, context)
    default:
      throw new Cql2Fault('must be a condition, not a value', node.at)
  }
}

const MIRRORED: Readonly<Record<ComparisonOperator, ComparisonOperator>> = {
  '=': '=',
  '<>': '<>',
  '<': '>',
  '>': '<',
  '<=': '>=',
  '>=': '<=',
}

/** An operand without CASEI. */
interface Operand {
  readonly node: Cql2
  readonly folded: boolean
}

const operandOf = (node: Cql2): Operand =>
  node.kind === 'casei' ? { node: node.value, folded: true } : { node, folded: false }

function resolveComparison({ op, left, right, at }: Comparison, context: Cql2Context): Truth {
  const a = operandOf(left)
  const b = operandOf(right)
  const folded = a.folded || b.folded
  if (a.node.kind === 'property') {
    if (b.node.kind === 'property') {
      if (folded) throw new Cql2Fault('must not use CASEI on two properties', at)
      return compareFields(fieldOf(a.node, context), op, fieldOf(b.node, context), at)
    }
    return compareField(fieldOf(a.node, context), op, b.node, folded)
  }
  if (b.node.kind === 'property') return compareField(fieldOf(b.node, context), MIRRORED[op], a.node, folded)
  return constant(compareLiterals(a.node, op, b.node, folded))
}

function compareField(field: Field, op: ComparisonOperator, literal: Cql2, folded: boolean): Truth {
  if (folded) return compareFolded(field, op, literal)
  const comparable = comparableOf(field, literal)
  return claim(field, chosen(comparable, op) ?? noOrder(field, op, literal))
}

function chosen({ equal, differs, above, below }: Comparable, op: ComparisonOperator): Predicate | undefined {
  switch (op) {
    case '=':
      return equal
    case '<>':
      return differs
    case '<':
    case '<=':
      return below?.(op === '<=')
    case '>':
    case '>=':
      return above?.(op === '>=')
  }
}

function noOrder(field: Field, op: string, { at }: Cql2): never {
  throw new Cql2Fault(`must not use ${op} on ${field.path}, a property of type ${field.type}`, at)
}

function compareFolded(field: Field, op: ComparisonOperator, literal: Cql2): Truth {
  const equal = equalsInAnyCase(keywordOf(field, literal), textOf(literal))
  if (op === '=') return claim(field, equal)
  if (op === '<>') return negated(claim(field, equal))
  throw new Cql2Fault(`must not use ${op} with CASEI`, literal.at)
}

function keywordOf(field: Field, { at }: Cql2): Field {
  if (field.type === 'KEYWORD') return field
  throw new Cql2Fault(`must not use ${field.path}, a property of type ${field.type}, as a text`, at)
}

function textOf(node: Cql2): string {
  if (node.kind === 'text') return node.value
  throw new Cql2Fault('must have a text here', node.at)
}

function resolveLike({ value, pattern }: Extract<Cql2, { kind: 'like' }>, context: Cql2Context): Truth {
  const operand = operandOf(value)
  const wanted = operandOf(pattern)
  const folded = operand.folded || wanted.folded
  const text = textOf(wanted.node)
  const { patternLength } = context.limits
  if (text.length > patternLength) {
    throw new Cql2Fault(`must have patterns of at most ${patternLength} characters`, wanted.node.at)
  }
  if (operand.node.kind !== 'property') return constant(matchesLike(textOf(operand.node), text, folded))
  const field = keywordOf(fieldOf(operand.node, context), operand.node)
  return claim(field, likePredicate(field, text, folded))
}

function resolveBetween({ value, lower, upper, at }: Extract<Cql2, { kind: 'between' }>, context: Cql2Context): Truth {
  if (lower.kind === 'property' || upper.kind === 'property') {
    const compared = (op: '>=' | '<=', right: Cql2): Truth =>
      resolveComparison({ kind: 'comparison', op, left: value, right, at }, context)
    return allOf([compared('>=', lower), compared('<=', upper)])
  }
  if (value.kind !== 'property') {
    const isAbove = compareLiterals(value, '>=', lower, false)
    return constant(isAbove && compareLiterals(value, '<=', upper, false))
  }
  const field = fieldOf(value, context)
  const above = comparableOf(field, lower).above?.(true)
  const below = comparableOf(field, upper).below?.(true)
  if (above === undefined || below === undefined) return noOrder(field, 'BETWEEN', { kind: 'text', value: '', at })
  return claim(field, between(above, below))
}

function resolveIn({ value, list }: Extract<Cql2, { kind: 'in' }>, context: Cql2Context): Truth {
  context.budget.spend(list.length, context.parameter)
  const operand = operandOf(value)
  const items = list.map(operandOf)
  const folded = operand.folded || items.some((item) => item.folded)
  if (operand.node.kind !== 'property') {
    return constant(items.some(({ node }) => compareLiterals(operand.node, '=', node, folded)))
  }
  const field = fieldOf(operand.node, context)
  const equal = items.map(({ node }) =>
    folded ? equalsInAnyCase(keywordOf(field, node), textOf(node)) : comparableOf(field, node).equal,
  )
  return claim(field, or(equal))
}

function resolveIsNull(node: Cql2, context: Cql2Context): Truth {
  const { node: value } = operandOf(node)
  if (value.kind !== 'property') return constant(false)
  const exists: Predicate = { kind: 'exists', field: fieldOf(value, context) }
  return { yes: () => ({ kind: 'not', member: exists }), no: () => exists }
}
