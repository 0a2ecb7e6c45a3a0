import type { ArrayRelation } from './expression.ts'
import { spatialRelations } from './spatial-relations.ts'
import { temporalRelations } from './temporal-relations.ts'

const arrayRelations: readonly ArrayRelation[] = ['a_contains', 'a_containedby', 'a_equals', 'a_overlaps']

/** Names of earlier drafts of the standard. */
const EARLIER: Readonly<Record<string, string>> = { anyinteracts: 't_intersects', t_anyinteracts: 't_intersects' }

/** A function of two operands that is true or false. */
export type Relation =
  | { readonly kind: 'spatial'; readonly relation: (typeof spatialRelations)[number] }
  | { readonly kind: 'temporal'; readonly relation: (typeof temporalRelations)[number] }
  | { readonly kind: 'array'; readonly relation: ArrayRelation }

const byName: ReadonlyMap<string, Relation> = new Map<string, Relation>([
  ...spatialRelations.map((relation) => [relation, { kind: 'spatial', relation }] as const),
  ...temporalRelations.map((relation) => [relation, { kind: 'temporal', relation }] as const),
  ...arrayRelations.map((relation) => [relation, { kind: 'array', relation }] as const),
])

/** Looks up a function by its name in any case. */
export function relationNamed(name: string): Relation | undefined {
  const lower = name.toLowerCase()
  return byName.get(Object.hasOwn(EARLIER, lower) ? (EARLIER[lower] ?? lower) : lower)
}
