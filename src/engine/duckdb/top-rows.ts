import type { DuckDBValue } from '@duckdb/node-api'
import type { TopPlan } from '../../query/aggregation-plan.ts'
import type { FoundDocument } from '../engine.ts'
import type { Aggregating } from './aggregator.ts'
import { bucketRows } from './bucket-rows.ts'
import type { BucketNode } from './bucket-tree.ts'
import type { IndexTable } from './index-table.ts'
import { compilePredicate } from './predicate-sql.ts'
import { compileSortKey } from './search-sql.ts'
import { fetchDocuments } from './searcher.ts'
import { withSql } from './snapshot.ts'
import type { SqlBuilder } from './sql-builder.ts'

/** Picks the first documents of every bucket of a level, for each of its tops: one statement per top, not per bucket. */
export async function addTops(
  work: Aggregating,
  tops: readonly TopPlan[],
  nodes: readonly BucketNode[],
  depth: number,
): Promise<void> {
  if (nodes.length === 0) return
  for (const [i, top] of tops.entries()) {
    for (const node of nodes) node.tops[i] = []
    const found = await withSql(work.database, (sql) => {
      const text = compileTop(work, top, nodes, depth, sql)
      return work.reader.rows(text, sql.values)
    })
    await addDocuments(work, found, nodes, i)
  }
}

async function addDocuments(
  { reader, tables }: Aggregating,
  found: readonly (readonly DuckDBValue[])[],
  nodes: readonly BucketNode[],
  top: number,
): Promise<void> {
  // A document may be picked for several buckets.
  const places = new Map(found.map(([_bucket, table = null, row = null]) => [`${table}/${row}`, [table, row] as const]))
  const documents = await fetchDocuments(reader, tables, [...places.values()])
  const byPlace = new Map([...places.keys()].map((place, i) => [place, documents[i]]))
  const picked = new Map<BucketNode, FoundDocument[]>()
  for (const [bucket, table, row] of found) {
    const node = nodes[Number(bucket)]
    const document = byPlace.get(`${table}/${row}`)
    if (!node || !document) continue
    const list = picked.get(node)
    if (list) list.push(document)
    else picked.set(node, [document])
  }
  for (const [node, list] of picked) node.tops[top] = list
}

/**
 * Answers bucket, table and row of the picked documents, in order. Ordering all rows of all buckets would cost far more
 * than finding in a first pass how small (or large) the first sort key of a bucket's picks can be at most; the second
 * pass orders only the rows up to there.
 */
function compileTop(
  work: Aggregating,
  top: TopPlan,
  nodes: readonly BucketNode[],
  depth: number,
  sql: SqlBuilder,
): string {
  const { plan, approach, tables, located } = work
  const { having } = top
  const also = having && ((table: IndexTable) => compilePredicate({ kind: 'exists', field: having }, table, sql))
  const parts = approach.domains.flatMap((domain) =>
    bucketRows(plan, domain, depth, located, sql, { parents: { depth, nodes }, ...(also ? { also } : {}) }).sources.map(
      ({ table, rows, where, rowId }) => {
        const keys = top.sort.map(
          (key, i) => `${compileSortKey(key, table, hasRanks(tables, key, table), sql)} AS s${i}`,
        )
        const columns = ['b', `${tables.indexOf(table)} AS t`, `${rowId} AS r`, ...keys]
        return `SELECT ${columns.join(', ')} FROM ${rows} WHERE ${where}`
      },
    ),
  )
  const rows = parts.join(' UNION ALL ')
  const order = [
    ...top.sort.map((key, i) => `s${i} ${key.descending ? 'DESC' : 'ASC'} NULLS LAST`),
    ...(top.sort.length === 0 ? ['t', 'r'] : []),
  ]
  const ranked = (from: string): string =>
    `SELECT b, t, r FROM (SELECT b, t, r, row_number() OVER (PARTITION BY b ORDER BY ${order.join(', ')}) AS p ` +
    `FROM ${from}) WHERE p <= ${top.size} ORDER BY b, p`
  const [first] = top.sort
  if (!first) return ranked(`(${rows})`)
  const [extreme, beyond] = first.descending ? ['max', '>='] : ['min', '<=']
  // A bucket with fewer values than wanted is filled up with documents that have none.
  const bounds = `SELECT b, list_extract(${extreme}(s0, ${top.size}), ${top.size}) AS bound FROM (${rows}) GROUP BY b`
  return ranked(`(${rows}) JOIN (${bounds}) USING (b) WHERE bound IS NULL OR s0 ${beyond} bound`)
}

/** Comparing ranks spares reading texts; every row must have one, and those of two tables do not compare. */
function hasRanks(tables: readonly IndexTable[], key: TopPlan['sort'][number], table: IndexTable): boolean {
  return key.kind === 'field' && tables.length === 1 && !table.hasTail && table.field(key.field)?.ranked !== undefined
}
