import type { Area } from '../../geo/area.ts'
import type { Cell } from '../../geo/grid/cell.ts'
import type { ShapeRelation } from '../../geo/shape/shape-relation.ts'
import type { KeywordPattern } from '../pattern/keyword-pattern.ts'
import type { Field } from '../schema/field.ts'

/**
 * A normalised predicate: fields are resolved, numbers and dates are typed, areas do not cross the antimeridian, texts
 * are tokens. Engines compile only this.
 *
 * Values by field type: KEYWORD string; IP canonical 32-digit hexadecimal string of the 128-bit address (IPv4 mapped);
 * integers bigint; DOUBLE and FLOAT number; DATE number (ms); BOOLEAN boolean.
 * A leaf is true if at least one value of the field satisfies it; it is false for a document without a value.
 */
export type Predicate =
  | EverythingPredicate
  | NothingPredicate
  | AndPredicate
  | OrPredicate
  | NotPredicate
  | ExistsPredicate
  | EqualsPredicate
  | RangePredicate
  | PatternPredicate
  | PrefixPredicate
  | FuzzyPredicate
  | PhrasePredicate
  | GeoPredicate
  | RelatePredicate
  | CellPredicate
  | ComparePredicate

export type Scalar = string | number | bigint | boolean

interface EverythingPredicate {
  readonly kind: 'everything'
}
interface NothingPredicate {
  readonly kind: 'nothing'
}
interface AndPredicate {
  readonly kind: 'and'
  readonly members: readonly Predicate[]
}
interface OrPredicate {
  readonly kind: 'or'
  readonly members: readonly Predicate[]
}
interface NotPredicate {
  readonly kind: 'not'
  readonly member: Predicate
}
interface ExistsPredicate {
  readonly kind: 'exists'
  readonly field: Field
}

/** Equal to any of the values: KEYWORD, IP, numbers, DATE, BOOLEAN. `values` is not empty. */
export interface EqualsPredicate {
  readonly kind: 'equals'
  readonly field: Field
  readonly values: readonly Scalar[]
}

export interface Bound {
  readonly value: Exclude<Scalar, boolean>
  readonly inclusive: boolean
}

/** At least one value lies between the bounds: KEYWORD (code points), numbers, DATE. At least one bound is set. */
export interface RangePredicate {
  readonly kind: 'range'
  readonly field: Field
  readonly lower?: Bound
  readonly upper?: Bound
}

/** KEYWORD: the unanchored pattern of `like` (spec 3.6). */
export interface PatternPredicate {
  readonly kind: 'pattern'
  readonly field: Field
  readonly pattern: KeywordPattern
}

/** KEYWORD: the value starts with `prefix`, case-sensitive. */
export interface PrefixPredicate {
  readonly kind: 'prefix'
  readonly field: Field
  readonly prefix: string
}

/**
 * A token (TEXT) or the whole value (KEYWORD) is within `edits` (1 or 2) of `word`; swapping neighbours is one edit.
 */
export interface FuzzyPredicate {
  readonly kind: 'fuzzy'
  readonly field: Field
  readonly word: string
  readonly edits: number
}

/**
 * TEXT: the tokens (not empty) occur in one value in this order with at most `slop` other tokens between them in total
 * (0: consecutive). With `lastIsPrefix` the last one may be a prefix of a token. A single token is a term.
 */
export interface PhrasePredicate {
  readonly kind: 'phrase'
  readonly field: Field
  readonly tokens: readonly string[]
  readonly lastIsPrefix: boolean
  readonly slop: number
}

/** GEO_POINT, GEO_SHAPE: within the area, or intersecting it (spec 3.10). */
export interface GeoPredicate {
  readonly kind: 'geo'
  readonly field: Field
  readonly relation: 'within' | 'intersects'
  readonly area: Area
}

/** GEO_POINT, GEO_SHAPE: relates so to the area, all parts of which have one dimension. */
export interface RelatePredicate {
  readonly kind: 'relates'
  readonly field: Field
  readonly relation: ShapeRelation
  readonly area: Area
}

/**
 * In a half-open cell of a grid (spec 2.3.4, aggregations 2.5). `by` point: a point of a GEO_POINT, or the planar
 * centroid of a GEO_SHAPE, lies in it; `by` shape, GEO_SHAPE only: the shape intersects it.
 */
export interface CellPredicate {
  readonly kind: 'cell'
  readonly field: Field
  readonly cell: Cell
  readonly by: 'point' | 'shape'
}

export type CompareOperator = '=' | '<>' | '<' | '>' | '<=' | '>='

/**
 * A value of `field` compares like this with a value of `other`, both of one kind: numbers, DATE, KEYWORD (code points);
 * of BOOLEAN and IP, `=` and `<>` only. Integers compared with floating point numbers are doubles.
 */
export interface ComparePredicate {
  readonly kind: 'compare'
  readonly field: Field
  readonly op: CompareOperator
  readonly other: Field
}

/** Fields that a leaf reads. */
export const fieldsOfLeaf = (p: Extract<Predicate, { field: unknown }>): readonly Field[] =>
  p.kind === 'compare' ? [p.field, p.other] : [p.field]

export const everything: EverythingPredicate = { kind: 'everything' }
export const nothing: NothingPredicate = { kind: 'nothing' }

/** Equal to one of the values; matches nothing if there are none. */
export function equalsAny(field: Field, values: readonly Scalar[]): Predicate {
  return values.length === 0 ? nothing : { kind: 'equals', field, values: [...new Set(values)] }
}

/** Conjunction, simplified: flattened, `everything` and repeated words removed, `nothing` if any member is. */
export function and(members: readonly Predicate[]): Predicate {
  const all = members.flatMap((m) => (m.kind === 'and' ? m.members : m.kind === 'everything' ? [] : [m]))
  if (all.some((m) => m.kind === 'nothing')) return nothing
  const kept = withoutRepeated(all)
  return kept.length === 0 ? everything : kept.length === 1 && kept[0] ? kept[0] : { kind: 'and', members: kept }
}

/**
 * Disjunction, simplified: flattened, `nothing` and repeated words removed, `everything` if any member is, equalities of
 * one field merged.
 */
export function or(members: readonly Predicate[]): Predicate {
  const kept = members.flatMap((m) => (m.kind === 'or' ? m.members : m.kind === 'nothing' ? [] : [m]))
  if (kept.some((m) => m.kind === 'everything')) return everything
  const merged = mergeEqualities(withoutRepeated(kept))
  return merged.length === 0 ? nothing : merged.length === 1 && merged[0] ? merged[0] : { kind: 'or', members: merged }
}

/** A request can repeat a word thousands of times. Each test of words and patterns reads every document. */
function withoutRepeated(members: readonly Predicate[]): readonly Predicate[] {
  if (members.length < 2) return members
  const seen = new Set<string>()
  return members.filter((m) => {
    const text = wordsOf(m)
    if (text === undefined) return true
    const name = `${m.kind} ${text}`
    const isNew = !seen.has(name)
    seen.add(name)
    return isNew
  })
}

/** What two predicates on words have in common if they are equal. Undefined for other kinds. */
function wordsOf(m: Predicate): string | undefined {
  switch (m.kind) {
    case 'phrase':
      return JSON.stringify([m.field.path, m.tokens, m.lastIsPrefix, m.slop])
    case 'prefix':
      return JSON.stringify([m.field.path, m.prefix])
    case 'fuzzy':
      return JSON.stringify([m.field.path, m.word, m.edits])
    default:
      return undefined
  }
}

function mergeEqualities(members: readonly Predicate[]): readonly Predicate[] {
  const values = new Map<string, Set<Scalar>>()
  for (const m of members) {
    if (m.kind !== 'equals') continue
    const known = values.get(m.field.path) ?? new Set()
    for (const value of m.values) known.add(value)
    values.set(m.field.path, known)
  }
  return members.flatMap((m): readonly Predicate[] => {
    if (m.kind !== 'equals') return [m]
    const all = values.get(m.field.path)
    values.delete(m.field.path)
    return all ? [{ ...m, values: [...all] }] : []
  })
}

export function not(member: Predicate): Predicate {
  switch (member.kind) {
    case 'everything':
      return nothing
    case 'nothing':
      return everything
    case 'not':
      return member.member
    default:
      return { kind: 'not', member }
  }
}
