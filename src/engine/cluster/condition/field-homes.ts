import { problem } from '../../../errors.ts'
import type { FieldType } from '../../../model/field-type.ts'
import type { Selection } from '../../../query/plan/plan.ts'
import { fieldsOfLeaf, type Predicate } from '../../../query/plan/predicate.ts'
import type { Field } from '../../../query/schema/field.ts'
import { readFieldTypes } from '../catalog/field-types.ts'
import type { ClusterContext } from '../request/cluster-context.ts'
import type { Dialect } from '../request/dialect.ts'
import type { FieldHome, LeafPredicate } from './predicate-query.ts'
import { leavesNanos } from './value-query.ts'

/** Field type by cluster type (spec 2.1.4). Types not listed have the same name as ours. */
const COUNTS_AS: Readonly<Record<string, FieldType>> = {
  wildcard: 'KEYWORD',
  constant_keyword: 'KEYWORD',
  match_only_text: 'TEXT',
  unsigned_long: 'LONG',
  half_float: 'FLOAT',
  scaled_float: 'DOUBLE',
  date_nanos: 'DATE',
}

/**
 * Returns where the fields of a predicate have their type. With several indices, for all fields; with one index, only
 * for dates compared with values outside the range of a date_nanos.
 */
export async function readFieldHomes(
  context: ClusterContext,
  { indices, predicate }: Selection,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, readonly FieldHome[]>> {
  const asked = leavesOf(predicate).filter((leaf) => indices.length > 1 || mayLeaveNanos(leaf))
  const own = asked.flatMap(fieldsOfLeaf).filter(({ isId }) => !isId)
  const fields = new Map(own.map((field) => [field.path, field]))
  if (fields.size === 0) return new Map()
  const types = await readFieldTypes(context, indices, [...fields.values()], [], signal)
  const typesOf = (path: string): TypeHomes => types.get(path) ?? new Map()
  for (const leaf of asked) checkBounds(leaf, [...typesOf(leaf.field.path).keys()], context.dialect)
  return new Map([...fields].map(([path, field]) => [path, homesOf(field, typesOf(path))]))
}

/**
 * Throws if a cluster would reject the query. It parses the bounds of a range for every index that has the field,
 * before it restricts the query to indices, and rejects the whole query if one of them cannot parse the bounds.
 */
function checkBounds(leaf: LeafPredicate, types: readonly string[], dialect: Dialect): void {
  const { field } = leaf
  const dates = types.filter((type) => type === 'date' || type === 'date_nanos')
  const isForeign = leaf.kind === 'range' && field.type !== 'DATE' && dates.length > 0
  const isTooFar = field.type === 'DATE' && dates.length > 1 && mayLeaveNanos(leaf)
  if (!isForeign && !isTooFar) return
  const other = isForeign
    ? 'a DATE in another index of the collection'
    : 'a date_nanos, which cannot hold such dates, in another index'
  const name = `comparing ${field.path}, a ${field.type} in one index and ${other}`
  throw problem('NOT_IMPLEMENTED', { name, owner: dialect.label })
}

type TypeHomes = ReadonlyMap<string, readonly string[]>

function homesOf(field: Field, types: TypeHomes): readonly FieldHome[] {
  const all = [...types]
  return all
    .filter(([type]) => (COUNTS_AS[type] ?? type.toUpperCase()) === field.type)
    .map(([type, indices]) => ({ nanos: type === 'date_nanos', ...(all.length > 1 ? { indices } : {}) }))
}

const mayLeaveNanos = (leaf: LeafPredicate): boolean =>
  (leaf.kind === 'equals' || leaf.kind === 'range') && leavesNanos(leaf)

export function leavesOf(p: Predicate): readonly LeafPredicate[] {
  switch (p.kind) {
    case 'everything':
    case 'nothing':
      return []
    case 'and':
    case 'or':
      return p.members.flatMap(leavesOf)
    case 'not':
      return leavesOf(p.member)
    default:
      return [p]
  }
}
