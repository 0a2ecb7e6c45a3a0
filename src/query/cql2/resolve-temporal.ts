import { nothing, type Predicate } from '../plan/predicate.ts'
import type { Field } from '../schema/field.ts'
import { comparePeriod } from './comparable.ts'
import { compareFields } from './compare-fields.ts'
import { type Cql2Context, fieldOf, misfit } from './cql2-context.ts'
import { Cql2Fault } from './cql2-fault.ts'
import type { Cql2, Property } from './expression.ts'
import { type Condition, conditionsOf, type End } from './temporal-relations.ts'
import { timeOf } from './time-literal.ts'
import { allOf, anyOf, claim, constant, ifKnown, type Truth } from './truth.ts'

/** An end of an operand: a property, or an instant in milliseconds, infinite for an open end. */
type Moment = Field | number

const isField = (moment: Moment): moment is Field => typeof moment === 'object'

/** The functions on instants and periods. An instant is a period that starts and ends at once. */
export function resolveTemporal(
  { relation, args, at }: Extract<Cql2, { kind: 'temporal' }>,
  context: Cql2Context,
): Truth {
  const [a, b] = args
  if (a === undefined || b === undefined) throw new Cql2Fault('must have two operands', at)
  const ends = endsOf(a, b, context)
  const { join, conditions } = conditionsOf(relation)
  const instant = instantOf(a, b)
  if (instant !== undefined && join === 'all') return holdsOfOneValue(fieldOf(instant, context), conditions, ends, at)
  const truths = conditions.map((condition) => compare(condition, ends, at))
  const fields = new Set(Object.values(ends).filter(isField))
  return ifKnown([...fields], join === 'all' ? allOf(truths) : anyOf(truths))
}

/** The only property, if it is an operand itself: then one of its values must satisfy every condition. */
function instantOf(a: Cql2, b: Cql2): Property | undefined {
  const isPlain = (node: Cql2): boolean =>
    node.kind !== 'property' &&
    !(node.kind === 'interval' && [node.from, node.to].some((end) => end.kind === 'property'))
  if (a.kind === 'property' && isPlain(b)) return a
  return b.kind === 'property' && isPlain(a) ? b : undefined
}

function endsOf(a: Cql2, b: Cql2, context: Cql2Context): Readonly<Record<End, Moment>> {
  const [start1, end1] = periodOf(a, context)
  const [start2, end2] = periodOf(b, context)
  return { start1, end1, start2, end2 }
}

function periodOf(node: Cql2, context: Cql2Context): readonly [Moment, Moment] {
  if (node.kind === 'interval') {
    const start = momentOf(node.from, 'first', context)
    const end = momentOf(node.to, 'last', context)
    if (!isField(start) && !isField(end) && end < start) throw new Cql2Fault('must not end before it starts', node.at)
    return [start, end]
  }
  return [momentOf(node, 'first', context), momentOf(node, 'last', context)]
}

function momentOf(node: Cql2, end: 'first' | 'last', context: Cql2Context): Moment {
  if (node.kind === 'property') {
    const field = fieldOf(node, context)
    if (field.type !== 'DATE') throw misfit(field, 'values of its type, not with times', node.at)
    return field
  }
  if (node.kind === 'text' && (node.value === '..' || node.value === '')) return end === 'first' ? -Infinity : Infinity
  const period = timeOf(node)
  if (period === undefined) throw new Cql2Fault('must have a date, a time or a property here', node.at)
  return period[end]
}

const MIRRORED = { '<': '>', '>': '<', '<=': '>=', '>=': '<=', '=': '=' } as const

function compare({ left, op, right }: Condition, ends: Readonly<Record<End, Moment>>, at: Cql2['at']): Truth {
  const [a, b] = [ends[left], ends[right]]
  if (isField(a)) {
    if (isField(b)) return compareFields(a, op, b, at)
    return claim(a, compareInstant(a, op, b))
  }
  return isField(b) ? claim(b, compareInstant(b, MIRRORED[op], a)) : constant(holds(a, op, b))
}

function holds(a: number, op: Condition['op'], b: number): boolean {
  if (op === '=') return a === b
  return a === b ? op.endsWith('=') : op.startsWith('<') === a < b
}

function compareInstant(field: Field, op: Condition['op'], instant: number): Predicate {
  if (!Number.isFinite(instant)) {
    return op !== '=' && holds(0, op, instant) ? { kind: 'exists', field } : nothing
  }
  const { equal, above, below } = comparePeriod(field, { first: instant, last: instant })
  if (op === '=') return equal
  return (op.startsWith('>') ? above : below)?.(op.endsWith('=')) ?? nothing
}

function holdsOfOneValue(
  field: Field,
  conditions: readonly Condition[],
  ends: Readonly<Record<End, Moment>>,
  at: Cql2['at'],
): Truth {
  const windows = conditions.map(({ left, op, right }): Window => {
    const [a, b] = [ends[left], ends[right]]
    if (isField(a) && !isField(b)) return windowOf(op, b)
    if (isField(b) && !isField(a)) return windowOf(MIRRORED[op], a)
    throw new Cql2Fault('must compare a property with a time', at)
  })
  const low = Math.max(...windows.map((window) => window.low))
  const high = Math.min(...windows.map((window) => window.high))
  return claim(field, inWindow(field, { low, high }))
}

/** Milliseconds from `low` to `high`, both included. */
interface Window {
  readonly low: number
  readonly high: number
}

function windowOf(op: Condition['op'], instant: number): Window {
  switch (op) {
    case '=':
      return { low: instant, high: instant }
    case '>':
    case '>=':
      return { low: op === '>' ? instant + 1 : instant, high: Infinity }
    case '<':
    case '<=':
      return { low: -Infinity, high: op === '<' ? instant - 1 : instant }
  }
}

function inWindow(field: Field, { low, high }: Window): Predicate {
  if (low > high || low === Infinity || high === -Infinity) return nothing
  if (low === -Infinity && high === Infinity) return { kind: 'exists', field }
  return {
    kind: 'range',
    field,
    ...(low === -Infinity ? {} : { lower: { value: low, inclusive: true } }),
    ...(high === Infinity ? {} : { upper: { value: high, inclusive: true } }),
  }
}
