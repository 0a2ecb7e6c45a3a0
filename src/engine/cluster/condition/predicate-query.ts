import type { Query } from '../../../cluster-client/cluster-client.ts'
import { printWire } from '../../../cluster-client/wire-json.ts'
import type { ComparePredicate, Predicate, RelatePredicate } from '../../../query/plan/predicate.ts'
import type { Field } from '../../../query/schema/field.ts'
import type { Dialect } from '../request/dialect.ts'
import { gatherTokens } from './clause-count.ts'
import { compileComparison } from './comparison-query.ts'
import { compileCell, compileGeo } from './geo-query.ts'
import { compilePattern } from './pattern-query.ts'
import { allOf, anyOf, everyDocument, inIndices, noDocument, noneOf } from './query-clauses.ts'
import { compileFuzzy, compilePhrase, compilePrefix, hasAnyToken } from './text-query.ts'
import { compileEquals, compileRange, exists } from './value-query.ts'

/** Indices where a field has the type it was resolved with. */
export interface FieldHome {
  /** Absent: all indices that have the field. */
  readonly indices?: readonly string[]
  readonly nanos: boolean
}

/** Context for compiling the predicate of a selection. */
interface QueryScope {
  readonly dialect: Dialect
  /** Conditions evaluated in advance, by object identity. */
  readonly answers: ReadonlyMap<Predicate, Query>
  /** By path. Only fields that need it: see field-homes.ts. */
  readonly homes: ReadonlyMap<string, readonly FieldHome[]>
}

export type LeafPredicate = Extract<Predicate, { field: unknown }>

/**
 * Nesting depth at which a query is wrapped. Elasticsearch allows 30 levels, and starts a new count inside a wrapper.
 */
const DEEPEST = 20

/** Compiles a predicate to a query without scoring. */
export function compilePredicate(p: Predicate, scope: QueryScope, depth = 0): Query {
  const answer = scope.answers.get(p)
  if (answer !== undefined) return answer
  if ('members' in p && depth >= DEEPEST) return wrap(compilePredicate(p, scope))
  const inner = (member: Predicate): Query => compilePredicate(member, scope, depth + 1)
  switch (p.kind) {
    case 'everything':
      return everyDocument
    case 'nothing':
      return noDocument
    case 'and':
      return allOf(p.members.map(inner))
    case 'or': {
      const { lists, others } = gatherTokens(p.members)
      const listed = lists.map(({ field, tokens }) => atHome(field, scope, () => hasAnyToken(field, tokens)))
      return anyOf([...listed, ...others.map(inner)])
    }
    case 'not':
      return noneOf(inner(p.member))
    case 'relates':
      throw new Error('relations of geometries are evaluated in advance')
    case 'compare':
      return atHome(p.field, scope, () => atHome(p.other, scope, () => compileComparison(p)))
    default:
      return atHome(p.field, scope, (nanos) => compileLeaf(p, scope.dialect, nanos))
  }
}

const wrap = (query: Query): Query => ({ wrapper: { query: Buffer.from(printWire(query)).toString('base64') } })

/**
 * Restricts the query to the indices where the field has its type. In others the field has no value, and the cluster
 * would reject the query.
 */
function atHome(field: Field, { homes }: QueryScope, compile: (nanos: boolean) => Query): Query {
  const places = homes.get(field.path)
  if (places === undefined) return compile(false)
  return anyOf(
    places.map(({ indices, nanos }) => (indices === undefined ? compile(nanos) : inIndices(indices, compile(nanos)))),
  )
}

function compileLeaf(
  p: Exclude<LeafPredicate, ComparePredicate | RelatePredicate>,
  dialect: Dialect,
  nanos: boolean,
): Query {
  switch (p.kind) {
    case 'exists':
      return exists(p.field)
    case 'equals':
      return compileEquals(p, nanos)
    case 'range':
      return compileRange(p, nanos)
    case 'prefix':
      return compilePrefix(p)
    case 'pattern':
      return compilePattern(p)
    case 'fuzzy':
      return compileFuzzy(p)
    case 'phrase':
      return compilePhrase(p)
    case 'geo':
      return compileGeo(p, dialect)
    case 'cell':
      return compileCell(p)
  }
}
