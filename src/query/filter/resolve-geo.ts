import { not, type Predicate } from '../plan/predicate.ts'
import { type Field, isGeo } from '../schema/field.ts'
import { typeFault } from './filter-context.ts'
import type { ParsedExpression } from './filter-syntax.ts'

/** within, intersects and their negations (spec 3.10); the area was parsed with the triplet. */
export function resolveGeo(expression: ParsedExpression, field: Field): Predicate {
  const { op, area } = expression
  if (!isGeo(field.type) || area === undefined) throw typeFault(expression, field)
  const relation = op === 'within' || op === 'notwithin' ? 'within' : 'intersects'
  const predicate: Predicate = { kind: 'geo', field, relation, area }
  return op === relation ? predicate : not(predicate)
}
