import {
  and,
  type ComparePredicate,
  everything,
  fieldsOfLeaf,
  not,
  nothing,
  or,
  type Predicate,
} from '../plan/predicate.ts'
import type { Field } from '../schema/field.ts'

/**
 * An expression in three-valued logic: when it is true and when it is false. A document that neither predicate matches
 * makes it unknown.
 */
export interface Truth {
  readonly yes: () => Predicate
  readonly no: () => Predicate
}

export const constant = (value: boolean): Truth => ({
  yes: () => (value ? everything : nothing),
  no: () => (value ? nothing : everything),
})

/** A condition on the values of a field, unknown for documents without one. */
export const claim = (field: Field, yes: Predicate): Truth => ({
  yes: () => yes,
  no: () => and([{ kind: 'exists', field }, not(yes)]),
})

/** A condition on the values of two fields, unknown for documents that lack one of them. */
export const claimOfBoth = (yes: ComparePredicate): Truth => ({
  yes: () => yes,
  no: () => and([...fieldsOfLeaf(yes).map((field): Predicate => ({ kind: 'exists', field })), not(yes)]),
})

/** Unknown for documents that lack a value of one of the fields, as a function of an unknown operand is. */
export function ifKnown(fields: readonly Field[], { yes, no }: Truth): Truth {
  const known = fields.map((field): Predicate => ({ kind: 'exists', field }))
  return { yes: () => and([...known, yes()]), no: () => and([...known, no()]) }
}

export const negated = ({ yes, no }: Truth): Truth => ({ yes: no, no: yes })

export const allOf = (members: readonly Truth[]): Truth => ({
  yes: () => and(members.map(({ yes }) => yes())),
  no: () => or(members.map(({ no }) => no())),
})

export const anyOf = (members: readonly Truth[]): Truth => negated(allOf(members.map(negated)))
