import type { Query } from '../../../cluster-client/cluster-client.ts'
import { printWire } from '../../../cluster-client/wire-json.ts'
import type { Predicate } from '../../../query/plan/predicate.ts'
import type { Field } from '../../../query/schema/field.ts'
import type { Dialect } from '../request/dialect.ts'
import { compileCell, compileGeo } from './geo-query.ts'
import { compilePattern } from './pattern-query.ts'
import { allOf, anyOf, everyDocument, inIndices, noDocument, noneOf } from './query-clauses.ts'
import { compileFuzzy, compilePhrase, compilePrefix, hasAnyToken } from './text-query.ts'
import { gatherTokens } from './token-list.ts'
import { compileEquals, compileRange, exists } from './value-query.ts'

/** Where a field has the type it was resolved with. */
export interface FieldHome {
  /** Absent: in all indices that have the field. */
  readonly indices?: readonly string[]
  readonly nanos: boolean
}

/** What the queries of one selection depend on beside its predicate. */
export interface QueryScope {
  readonly dialect: Dialect
  /** Conditions that were answered beforehand, by the object they are. */
  readonly answers: ReadonlyMap<Predicate, Query>
  /** By path, for fields that are not the same in all indices, or were asked for. */
  readonly homes: ReadonlyMap<string, readonly FieldHome[]>
}

export type LeafPredicate = Extract<Predicate, { field: unknown }>

/** Levels of clauses after which a query is wrapped: Elasticsearch takes 30 inside each other, counted anew in a wrapper. */
const DEEPEST = 20

/** The query of a predicate, for a clause that does not score. */
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
    default:
      return atHome(p.field, scope, (nanos) => compileLeaf(p, scope.dialect, nanos))
  }
}

const wrap = (query: Query): Query => ({ wrapper: { query: Buffer.from(printWire(query)).toString('base64') } })

/** A field that an index types differently has no value there; asked for there, the cluster would refuse the query. */
function atHome(field: Field, { homes }: QueryScope, compile: (nanos: boolean) => Query): Query {
  const places = homes.get(field.path)
  if (places === undefined) return compile(false)
  return anyOf(
    places.map(({ indices, nanos }) => (indices === undefined ? compile(nanos) : inIndices(indices, compile(nanos)))),
  )
}

function compileLeaf(p: LeafPredicate, dialect: Dialect, nanos: boolean): Query {
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
