import type { DuckDBValue } from '@duckdb/node-api'
import { demandedFields, type TopPlan } from '../../../query/plan/aggregation-plan.ts'
import { and } from '../../../query/plan/predicate.ts'
import type { FoundDocument } from '../../engine.ts'
import { compilePredicate } from '../condition/predicate-sql.ts'
import { type SqlBuilder, withSql } from '../database/sql-builder.ts'
import { sqlTypeOf } from '../index/table-layout.ts'
import { compileFieldKey } from '../search/search-sql.ts'
import { type DocumentPlace, fetchParsed, toPlace } from '../table/found-documents.ts'
import type { IndexTable } from '../table/index-table.ts'
import { bucketRows } from './bucket-rows.ts'
import { type BucketNode, uniteValues } from './bucket-tree.ts'
import type { Parents } from './parent-buckets.ts'
import type { TableAggregation } from './table-aggregation.ts'

/**
 * Picks the first documents of every bucket of a level for each of its tops. Runs one statement per top, not per
 * bucket.
 */
export async function addTops(
  work: TableAggregation,
  tops: readonly TopPlan[],
  nodes: readonly BucketNode[],
  depth: number,
): Promise<void> {
  for (const [i, top] of tops.entries()) {
    for (const node of nodes) node.setTop(i, [])
    const bounded = nodes.filter((node) => (node.bounds[i] ?? null) !== null)
    const others = nodes.filter((node) => (node.bounds[i] ?? null) === null)
    if (bounded.length > 0) await pick(work, bounded, i, (sql) => compileBounded(work, top, i, bounded, depth, sql))
    if (others.length > 0) await pick(work, others, i, (sql) => compileTop(work, top, others, depth, sql))
  }
}

async function pick(
  work: TableAggregation,
  nodes: readonly BucketNode[],
  top: number,
  compile: (sql: SqlBuilder) => string | undefined,
): Promise<void> {
  const found = await withSql(async (sql) => {
    const text = compile(sql)
    return text === undefined ? [] : work.reader.rows(text, sql.values)
  })
  await addDocuments(work, found, nodes, top)
}

async function addDocuments(
  { tables }: TableAggregation,
  found: readonly (readonly DuckDBValue[])[],
  nodes: readonly BucketNode[],
  top: number,
): Promise<void> {
  // A document may be picked for several buckets.
  const places = new Map<string, DocumentPlace>()
  for (const [, number, at, size] of found) {
    const table = tables[Number(number)]
    if (table) places.set(`${number}/${at}`, toPlace(table, at, size))
  }
  const documents = await fetchParsed([...places.values()])
  const byPlace = new Map([...places.keys()].map((place, i) => [place, documents[i]]))
  const picked = new Map<BucketNode, FoundDocument[]>()
  for (const [bucket, number, at] of found) {
    const node = nodes[Number(bucket)]
    const document = byPlace.get(`${number}/${at}`)
    if (!node || !document) continue
    const list = picked.get(node)
    if (list) list.push(document)
    else picked.set(node, [document])
  }
  for (const [node, list] of picked) node.setTop(top, list)
}

/**
 * Compiles the rows of buckets with their extents and sort keys. `where` is a further condition on the rows of a table.
 */
function compileRows(
  { plan, tables }: TableAggregation,
  top: TopPlan,
  parents: Parents,
  sql: SqlBuilder,
  where?: (table: IndexTable) => string,
): string {
  const demanded = and(demandedFields(top).map((field) => ({ kind: 'exists', field })))
  const has = (table: IndexTable): string => compilePredicate(demanded, table, sql)
  const { sources } = bucketRows(plan, tables, parents.depth, sql, { inside: parents, also: has })
  const parts = sources.map((source) => {
    const { table, rows } = source
    const keys = top.sort.map((key, i) => `${compileFieldKey(key, table)} AS s${i}`)
    const columns = ['b', `${tables.indexOf(table)} AS t`, '_at AS a', '_size AS z', ...keys]
    const narrowed = where ? ` AND ${where(table)}` : ''
    return `SELECT ${columns.join(', ')} FROM ${rows} WHERE ${source.where}${narrowed}`
  })
  return parts.join(' UNION ALL ')
}

/** Selects bucket and extent of the first documents of each bucket, in order. */
function compilePicks(top: TopPlan, from: string): string {
  const order = [
    ...top.sort.map((key, i) => `s${i} ${key.descending ? 'DESC' : 'ASC'} NULLS LAST`),
    ...(top.sort.length === 0 ? ['t', 'a'] : []),
  ]
  const place = `row_number() OVER (PARTITION BY b ORDER BY ${order.join(', ')})`
  return `SELECT b, t, a, z FROM (SELECT b, t, a, z, ${place} AS p FROM ${from}) WHERE p <= ${top.size} ORDER BY b, p`
}

/** Compiles the picks of buckets that need one document and know its first sort key. */
function compileBounded(
  work: TableAggregation,
  top: TopPlan,
  place: number,
  nodes: readonly BucketNode[],
  depth: number,
  sql: SqlBuilder,
): string | undefined {
  const [key] = top.sort
  if (!key) return undefined
  const sqlType = sqlTypeOf[key.field.type] ?? 'VARCHAR'
  const of = (node: BucketNode): DuckDBValue => node.bounds[place] ?? null
  // The scan can apply the widest bound of all buckets, which leaves few rows to join.
  const widest = nodes.map(of).reduce((a, b) => uniteValues(a, b, key.descending ? 'min' : 'max'))
  const bound = sql.bind(widest, sqlType)
  const beyond = key.descending ? '>=' : '<='
  const rows = compileRows(work, top, { depth, nodes, bounds: { of, sqlType } }, sql, (own) => {
    const value = compileFieldKey(key, own)
    return `${value} ${beyond} ${bound} AND ${value} = bound`
  })
  return compilePicks(top, `(${rows})`)
}

/**
 * Sorting all rows of all buckets would cost far more than two passes: the first finds an upper (or lower) bound of the
 * first sort key of each bucket's picks, the second sorts only the rows within it.
 */
function compileTop(
  work: TableAggregation,
  top: TopPlan,
  nodes: readonly BucketNode[],
  depth: number,
  sql: SqlBuilder,
): string {
  const rows = compileRows(work, top, { depth, nodes }, sql)
  const [key] = top.sort
  if (!key) return compilePicks(top, `(${rows})`)
  const [extreme, beyond] = key.descending ? ['max', '>='] : ['min', '<=']
  // If a bucket has fewer values than requested, documents without a value fill it up.
  const bounds = `SELECT b, list_extract(${extreme}(s0, ${top.size}), ${top.size}) AS bound FROM (${rows}) GROUP BY b`
  return compilePicks(top, `(${rows}) JOIN (${bounds}) USING (b) WHERE bound IS NULL OR s0 ${beyond} bound`)
}
