import type { Scalar } from '../plan/predicate.ts'
import { compareCodePoints } from './code-point-order.ts'

/** Compares values of one field, ascending: strings by code point, others by value, false before true. */
export function compareScalars(a: Scalar, b: Scalar): number {
  if (typeof a === 'string' && typeof b === 'string') return compareCodePoints(a, b)
  return a < b ? -1 : a > b ? 1 : 0
}
