import { type Bound, equalsAny, nothing, or, type Predicate } from '../plan/predicate.ts'
import { type Field, isNumber } from '../schema/field.ts'
import { compareCodePoints } from '../value/code-point-order.ts'
import { parseIp } from '../value/ip-address.ts'
import { numberOf, numberRange, parseDecimal } from '../value/numbers.ts'
import { misfit } from './cql2-context.ts'
import { Cql2Fault } from './cql2-fault.ts'
import type { Cql2 } from './expression.ts'
import { timeOf } from './time-literal.ts'

/** Values of a field, compared with a literal: when at least one value is equal, above or below. */
export interface Comparable {
  readonly equal: Predicate
  readonly differs: Predicate
  /** Absent for types without an order. */
  readonly above?: (inclusive: boolean) => Predicate
  readonly below?: (inclusive: boolean) => Predicate
}

const range = (field: Field, lower?: Bound, upper?: Bound): Predicate => ({
  kind: 'range',
  field,
  ...(lower === undefined ? {} : { lower }),
  ...(upper === undefined ? {} : { upper }),
})

/** Compares a field with a literal. Throws if the literal does not fit the type of the field. */
export function comparableOf(field: Field, node: Cql2): Comparable {
  if (isNumber(field.type)) return compareNumber(field, node)
  switch (field.type) {
    case 'KEYWORD': {
      if (node.kind !== 'text') throw misfit(field, 'texts', node.at)
      const { value } = node
      return ordered(
        equalsAny(field, [value]),
        (inclusive) => range(field, { value, inclusive }),
        (inclusive) => range(field, undefined, { value, inclusive }),
      )
    }
    case 'DATE': {
      const period = timeOf(node)
      if (period === undefined) throw misfit(field, 'dates or times', node.at)
      return comparePeriod(field, period)
    }
    case 'BOOLEAN':
      if (node.kind !== 'boolean') throw misfit(field, 'TRUE or FALSE', node.at)
      return { equal: equalsAny(field, [node.value]), differs: equalsAny(field, [!node.value]) }
    case 'IP': {
      const address = node.kind === 'text' ? parseIp(node.value) : undefined
      if (address === undefined) throw misfit(field, 'IP addresses', node.at)
      const equal = equalsAny(field, [address])
      return {
        equal,
        differs: {
          kind: 'and',
          members: [
            { kind: 'exists', field },
            { kind: 'not', member: equal },
          ],
        },
      }
    }
    case 'TEXT':
      throw new Cql2Fault(
        `must not compare ${field.path}, a property of type TEXT, of which only words are indexed; use q, or IS NULL`,
        node.at,
      )
    default:
      throw new Cql2Fault(`must not compare ${field.path}, a property of type ${field.type}`, node.at)
  }
}

function ordered(
  equal: Predicate,
  above: (inclusive: boolean) => Predicate,
  below: (inclusive: boolean) => Predicate,
): Comparable {
  return { equal, differs: or([below(false), above(false)]), above, below }
}

function compareNumber(field: Field, node: Cql2): Comparable {
  const decimal = node.kind === 'number' ? parseDecimal(node.value) : undefined
  if (decimal === undefined) throw misfit(field, 'numbers', node.at)
  const value = numberOf(field.type, decimal)
  return ordered(
    value === undefined ? nothing : equalsAny(field, [value]),
    (inclusive) => numberRange(field, { decimal, inclusive }),
    (inclusive) => numberRange(field, undefined, { decimal, inclusive }),
  )
}

/** A date is its whole day: `<` is before it, `<=` includes it. */
export function comparePeriod(field: Field, { first, last }: { readonly first: number; readonly last: number }) {
  const equal =
    first === last
      ? equalsAny(field, [first])
      : range(field, { value: first, inclusive: true }, { value: last, inclusive: true })
  return ordered(
    equal,
    (inclusive) => range(field, inclusive ? { value: first, inclusive } : { value: last, inclusive }),
    (inclusive) => range(field, undefined, inclusive ? { value: last, inclusive } : { value: first, inclusive }),
  )
}

/** At least one value satisfies both: the predicates are ranges of one field, or what is left of one. */
export function between(above: Predicate, below: Predicate): Predicate {
  if (above.kind === 'nothing' || below.kind === 'nothing') return nothing
  if (above.kind !== 'range') return below
  if (below.kind !== 'range') return above
  const { lower } = above
  const { upper } = below
  if (lower !== undefined && upper !== undefined) {
    const order = compareBounds(lower, upper)
    if (order > 0 || (order === 0 && !(lower.inclusive && upper.inclusive))) return nothing
  }
  return { ...above, ...below }
}

function compareBounds({ value: a }: Bound, { value: b }: Bound): number {
  if (typeof a === 'string' || typeof b === 'string') return compareCodePoints(String(a), String(b))
  return a < b ? -1 : a > b ? 1 : 0
}
