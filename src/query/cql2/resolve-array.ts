import { and, equalsAny, not, or, type Predicate } from '../plan/predicate.ts'
import type { Field } from '../schema/field.ts'
import { between, comparableOf } from './comparable.ts'
import { compareLiterals } from './compare-literals.ts'
import { type Cql2Context, fieldOf } from './cql2-context.ts'
import { Cql2Fault } from './cql2-fault.ts'
import type { ArrayRelation, Cql2 } from './expression.ts'
import { claim, type Truth } from './truth.ts'

const MIRRORED: Readonly<Record<ArrayRelation, ArrayRelation>> = {
  a_contains: 'a_containedby',
  a_containedby: 'a_contains',
  a_equals: 'a_equals',
  a_overlaps: 'a_overlaps',
}

/** The functions on arrays compare the values of a property, as a set, with a list. */
export function resolveArray({ relation, args, at }: Extract<Cql2, { kind: 'array' }>, context: Cql2Context): Truth {
  const [a, b] = args
  if (a?.kind === 'property' && b?.kind === 'list') return compareSets(relation, fieldOf(a, context), b, context)
  if (a?.kind === 'list' && b?.kind === 'property') {
    return compareSets(MIRRORED[relation], fieldOf(b, context), a, context)
  }
  throw new Cql2Fault('must compare a property with a list of values', at)
}

function compareSets(
  relation: ArrayRelation,
  field: Field,
  { items }: Extract<Cql2, { kind: 'list' }>,
  context: Cql2Context,
): Truth {
  context.budget.spend(items.length, context.parameter)
  const equal = items.map((item) => comparableOf(field, item).equal)
  const holdsAll = (): Predicate => (equal.length === 0 ? exists(field) : and(equal))
  const holdsNoOther = (): Predicate => and([exists(field), not(otherThan(field, items))])
  switch (relation) {
    case 'a_contains':
      return claim(field, holdsAll())
    case 'a_overlaps':
      return claim(field, or(equal))
    case 'a_containedby':
      return claim(field, holdsNoOther())
    case 'a_equals':
      return claim(field, and([holdsAll(), holdsNoOther()]))
  }
}

/** At least one value is none of the items: it lies in a gap between two neighbours, or beyond all. */
function otherThan(field: Field, items: readonly Cql2[]): Predicate {
  if (items.length === 0) return { kind: 'exists', field }
  if (field.type === 'IP') {
    throw new Cql2Fault(`must not use this function on ${field.path}, a property of type IP`, items[0]?.at ?? 0)
  }
  const compared = items.map((item) => ({ item, ...comparableOf(field, item) }))
  if (field.type === 'BOOLEAN') {
    const given = new Set(items.map((item) => item.kind === 'boolean' && item.value))
    return equalsAny(
      field,
      [true, false].filter((value) => !given.has(value)),
    )
  }
  const sorted = compared.toSorted((a, b) => (compareLiterals(a.item, '<', b.item, false) ? -1 : 1))
  const gaps = [...sorted, undefined].map((upper, i) => {
    const lower = sorted[i - 1]
    const above = lower?.above?.(false) ?? exists(field)
    const below = upper?.below?.(false) ?? exists(field)
    return between(above, below)
  })
  return or(gaps)
}

const exists = (field: Field): Predicate => ({ kind: 'exists', field })
