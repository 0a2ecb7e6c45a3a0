import { DuckDBListValue, type DuckDBValue } from '@duckdb/node-api'
import type { SqlBuilder } from '../database/sql-builder.ts'
import type { BucketKeySql } from './bucket-key.ts'
import type { BucketNode } from './bucket-tree.ts'
import type { Domain, RowSource } from './row-source.ts'

/** Nodes of one level. */
export interface Parents {
  readonly depth: number
  readonly nodes: readonly BucketNode[]
  /** Value of each node, which becomes the column `bound`. */
  readonly bounds?: { readonly of: (node: BucketNode) => DuckDBValue; readonly sqlType: string }
}

/**
 * Compiles a relation of the nodes that have rows in a domain: index `b`, codes of the path to the node pk0.., `bound`.
 */
export function compileParents(
  parents: Parents,
  keys: readonly BucketKeySql[],
  domain: Domain,
  sql: SqlBuilder,
): string | undefined {
  const { places, columns } = codesOf(parents, domain)
  if (places.length === 0) return undefined
  const lists = columns.map(
    (codes, level) => `unnest(${bindList(codes, keys[level]?.sqlType ?? '', sql)}) AS pk${level}`,
  )
  const { bounds } = parents
  if (bounds) {
    const values = places.flatMap((place) => parents.nodes[place] ?? []).map(bounds.of)
    lists.push(`unnest(${bindList(values, bounds.sqlType, sql)}) AS bound`)
  }
  return `(SELECT unnest([${places.join(', ')}]) AS b, ${lists.join(', ')})`
}

/** Returns the rows inside one of the nodes, with the columns of compileParents. */
export function joinParents(
  sources: readonly RowSource[],
  parents: Parents,
  keys: readonly BucketKeySql[],
  domain: Domain,
  sql: SqlBuilder,
): readonly RowSource[] {
  const relation = compileParents(parents, keys, domain, sql)
  if (relation === undefined) return []
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
  domain: Domain,
  fine: boolean,
  sql: SqlBuilder,
): readonly KeyTest[] {
  return codesOf(parents, domain).columns.map((all, level): KeyTest => {
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

/** True if any of the nodes has rows in a domain. */
export const areInDomain = ({ depth, nodes }: Parents, domain: Domain): boolean =>
  nodes.some((node) => codePath(node, domain).length > depth)

/** Codes of the path to a node. Shorter than its depth if it has no rows in the domain. */
function codePath(node: BucketNode, domain: Domain): readonly DuckDBValue[] {
  const path: DuckDBValue[] = []
  for (let at: BucketNode | undefined = node; at?.parent; at = at.parent) {
    const code = at.codes[domain.number]
    if (code !== undefined) path.unshift(code)
  }
  return path
}

/** Nodes that have rows in the domain, with the codes of the paths to them. */
function codesOf({ depth, nodes }: Parents, domain: Domain): { places: number[]; columns: DuckDBValue[][] } {
  const places: number[] = []
  const columns: DuckDBValue[][] = Array.from({ length: depth + 1 }, () => [])
  for (const [place, node] of nodes.entries()) {
    const path = codePath(node, domain)
    if (path.length <= depth) continue
    places.push(place)
    for (const [level, code] of path.entries()) columns[level]?.push(code)
  }
  return { places, columns }
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
