import type { Geometry } from '../../model/geometry.ts'
import type { SpatialRelation } from './spatial-relations.ts'
import type { TemporalRelation } from './temporal-relations.ts'

/** Place of a node for messages: an offset in the text form, a path such as `.args[1]` in the JSON form. */
export type Place = number | string

export type ComparisonOperator = '=' | '<>' | '<' | '>' | '<=' | '>='
export type ArrayRelation = 'a_contains' | 'a_containedby' | 'a_equals' | 'a_overlaps'

/** A parsed CQL2 expression. Which operands fit an operator is checked when it is resolved. */
export type Cql2 =
  | { readonly kind: 'and' | 'or'; readonly members: readonly Cql2[]; readonly at: Place }
  | { readonly kind: 'not'; readonly member: Cql2; readonly at: Place }
  | Comparison
  | { readonly kind: 'like'; readonly value: Cql2; readonly pattern: Cql2; readonly at: Place }
  | { readonly kind: 'between'; readonly value: Cql2; readonly lower: Cql2; readonly upper: Cql2; readonly at: Place }
  | { readonly kind: 'in'; readonly value: Cql2; readonly list: readonly Cql2[]; readonly at: Place }
  | { readonly kind: 'isNull'; readonly value: Cql2; readonly at: Place }
  | { readonly kind: 'spatial'; readonly relation: SpatialRelation; readonly args: readonly Cql2[]; readonly at: Place }
  | {
      readonly kind: 'temporal'
      readonly relation: TemporalRelation
      readonly args: readonly Cql2[]
      readonly at: Place
    }
  | { readonly kind: 'array'; readonly relation: ArrayRelation; readonly args: readonly Cql2[]; readonly at: Place }
  | { readonly kind: 'casei'; readonly value: Cql2; readonly at: Place }
  | Property
  | Literal

export interface Comparison {
  readonly kind: 'comparison'
  readonly op: ComparisonOperator
  readonly left: Cql2
  readonly right: Cql2
  readonly at: Place
}

export interface Property {
  readonly kind: 'property'
  readonly name: string
  readonly at: Place
}

export type Literal =
  | { readonly kind: 'text'; readonly value: string; readonly at: Place }
  /** A decimal, as written. */
  | { readonly kind: 'number'; readonly value: string; readonly at: Place }
  | { readonly kind: 'boolean'; readonly value: boolean; readonly at: Place }
  | { readonly kind: 'date' | 'timestamp'; readonly value: string; readonly at: Place }
  /** Ends are dates, timestamps, properties, or texts; `..` is an open end. */
  | { readonly kind: 'interval'; readonly from: Cql2; readonly to: Cql2; readonly at: Place }
  | { readonly kind: 'list'; readonly items: readonly Cql2[]; readonly at: Place }
  | { readonly kind: 'geometry'; readonly geometry: Geometry; readonly at: Place }
  /** Four or six numbers. */
  | { readonly kind: 'bbox'; readonly bounds: readonly number[]; readonly at: Place }

/** Returns the members of an expression, from left to right. */
export function membersOf(node: Cql2): readonly Cql2[] {
  switch (node.kind) {
    case 'and':
    case 'or':
      return node.members
    case 'not':
      return [node.member]
    case 'comparison':
      return [node.left, node.right]
    case 'like':
      return [node.value, node.pattern]
    case 'between':
      return [node.value, node.lower, node.upper]
    case 'in':
      return [node.value, ...node.list]
    case 'isNull':
    case 'casei':
      return [node.value]
    case 'spatial':
    case 'temporal':
    case 'array':
      return node.args
    case 'interval':
      return [node.from, node.to]
    case 'list':
      return node.items
    default:
      return []
  }
}

/** Returns the names of all properties in an expression. */
export function namesIn(node: Cql2): readonly string[] {
  return node.kind === 'property' ? [node.name] : membersOf(node).flatMap(namesIn)
}
