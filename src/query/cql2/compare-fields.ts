import type { CompareOperator } from '../plan/predicate.ts'
import { type Field, isNumber } from '../schema/field.ts'
import { Cql2Fault } from './cql2-fault.ts'
import type { Place } from './expression.ts'
import { claimOfBoth, type Truth } from './truth.ts'

const ORDERED = new Set(['number', 'KEYWORD', 'DATE'])
const COMPARED = new Set([...ORDERED, 'BOOLEAN', 'IP'])

const kindOf = ({ type }: Field): string => (isNumber(type) ? 'number' : type)

/** Compares the values of two fields of one kind. Of several values, one pair must compare so. */
export function compareFields(field: Field, op: CompareOperator, other: Field, at: Place): Truth {
  const kind = kindOf(field)
  if (kind !== kindOf(other) || !COMPARED.has(kind)) {
    const types = `${field.path}, a property of type ${field.type}, with ${other.path}, a property of type ${other.type}`
    throw new Cql2Fault(`must not compare ${types}`, at)
  }
  if (op !== '=' && op !== '<>' && !ORDERED.has(kind)) {
    throw new Cql2Fault(`must not use ${op} on ${field.path}, a property of type ${field.type}`, at)
  }
  return claimOfBoth({ kind: 'compare', field, op, other })
}
