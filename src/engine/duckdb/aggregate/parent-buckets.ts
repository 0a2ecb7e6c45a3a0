import { DuckDBListValue, type DuckDBValue } from '@duckdb/node-api'
import type { SqlBuilder } from '../database/sql-builder.ts'
import type { BucketKeySql } from './bucket-key.ts'
import type { BucketNode } from './bucket-tree.ts'
import type { RowSource } from './row-source.ts'

/** Nodes of one level. */
export interface Parents {
  readonly depth: number
  readonly nodes: readonly BucketNode[]
  /** Value of each node, which becomes the column `bound`. */
  readonly bounds?: { readonly of: (node: BucketNode) => DuckDBValue; readonly sqlType: string }
}

/** Compiles a relation of the nodes: index `b`, codes of the path to the node pk0.., `bound`. */
export function compileParents(parents: Parents, keys: readonly BucketKeySql[], sql: SqlBuilder): string {
  const lists = codesOf(parents).map(
    (codes, level) => `unnest(${bindList(codes, keys[level]?.sqlType ?? '', sql)}) AS pk${level}`,
  )
  const { bounds } = parents
  if (bounds) {
    lists.push(`unnest(${bindList(parents.nodes.map(bounds.of), bounds.sqlType, sql)}) AS bound`)
  }
  return `(SELECT unnest([${[...parents.nodes.keys()].join(', ')}]) AS b, ${lists.join(', ')})`
}

/** Returns the rows inside one of the nodes, with the columns of compileParents. */
export function joinParents(
  sources: readonly RowSource[],
  parents: Parents,
  keys: readonly BucketKeySql[],
  sql: SqlBuilder,
): readonly RowSource[] {
  const relation = compileParents(parents, keys, sql)
  return sources.map((source) => {
    const equal = source.keys.slice(0, parents.depth + 1).map((key, level) => `${key} = pk${level}`)
    return { ...source, rows: `${source.rows} JOIN ${relation} ON ${equal.join(' AND ')}` }
  })
}

/** More codes than this are matched with a subquery instead of an IN list. */
const MOST_LISTED = 64

/** Returns the conditions on a key, given its SQL. */
export type KeyTest = (key: string) => readonly string[]

/** By level: tests each key separately against the keys of the nodes. Unlike a join, the scan can apply this. */
export function compileKeyTests(
  parents: Parents,
  keys: readonly BucketKeySql[],
  fine: boolean,
  sql: SqlBuilder,
): readonly KeyTest[] {
  return codesOf(parents).map((all, level): KeyTest => {
    const key = keys[level]
    const codes = [...new Set(all)]
    if (!key || (fine && key.fine)) return () => []
    const among =
      codes.length > MOST_LISTED
        ? `(SELECT unnest(${bindList(codes, key.sqlType, sql)}))`
        : `(${codes.map((code) => sql.bind(asText(code, key.sqlType), key.sqlType)).join(', ')})`
    return (own) => [`${own} IN ${among}`]
  })
}

/** By level: the codes of the paths to the nodes. */
function codesOf({ depth, nodes }: Parents): readonly (readonly DuckDBValue[])[] {
  const columns: DuckDBValue[][] = Array.from({ length: depth + 1 }, () => [])
  for (const node of nodes) for (const [level, code] of codePath(node).entries()) columns[level]?.push(code)
  return columns
}

/** Returns the codes of the path to a node, outermost first. */
export function codePath({ parent, code }: BucketNode): readonly DuckDBValue[] {
  return parent ? [...codePath(parent), code] : []
}

/**
 * The driver binds whole numbers as integers, and the first element decides the type of a list. Doubles are passed as
 * text to avoid that.
 */
const asText = (value: DuckDBValue, sqlType: string): DuckDBValue =>
  sqlType === 'DOUBLE' || sqlType === 'FLOAT' ? String(value) : value

function bindList(values: readonly DuckDBValue[], sqlType: string, sql: SqlBuilder): string {
  return sql.bind(new DuckDBListValue(values.map((value) => asText(value, sqlType))), `${sqlType}[]`)
}
