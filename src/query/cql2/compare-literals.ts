import { foldCase } from '../pattern/case-fold.ts'
import { compareCodePoints } from '../value/code-point-order.ts'
import { Cql2Fault } from './cql2-fault.ts'
import type { ComparisonOperator, Cql2 } from './expression.ts'
import { timeOf } from './time-literal.ts'

/** Compares two literals of one kind. */
export function compareLiterals(a: Cql2, op: ComparisonOperator, b: Cql2, folded: boolean): boolean {
  const order = orderOf(a, b, folded)
  switch (op) {
    case '=':
      return order === 0
    case '<>':
      return order !== 0
    case '<':
      return order < 0
    case '>':
      return order > 0
    case '<=':
      return order <= 0
    case '>=':
      return order >= 0
  }
}

function orderOf(a: Cql2, b: Cql2, folded: boolean): number {
  if (a.kind === 'text' && b.kind === 'text') {
    return folded ? compareCodePoints(foldCase(a.value), foldCase(b.value)) : compareCodePoints(a.value, b.value)
  }
  if (a.kind === 'number' && b.kind === 'number') return Number(a.value) - Number(b.value)
  if (a.kind === 'boolean' && b.kind === 'boolean') return Number(a.value) - Number(b.value)
  const [first, second] = [timeOf(a), timeOf(b)]
  if (first !== undefined && second !== undefined) return first.first - second.first
  throw new Cql2Fault('must compare values of one kind', a.at)
}
