import { DuckDBListValue, type DuckDBValue } from '@duckdb/node-api'
import type { SqlBuilder } from '../database/sql-builder.ts'
import type { BucketKeySql } from './bucket-key.ts'
import type { BucketNode } from './bucket-tree.ts'
import type { Domain, RowSource } from './row-source.ts'

/** Nodes of one level. */
export interface Parents {
  readonly depth: number
  readonly nodes: readonly BucketNode[]
  /** A value of each node, which becomes the column `bound`. */
  readonly bounds?: { readonly of: (node: BucketNode) => DuckDBValue; readonly sqlType: string }
}

/** The nodes that have rows in a domain as a relation: place `b`, codes on the way to them pk0.., `bound`. */
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

/** Rows in one of the nodes, with the columns of compileParents. */
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

/** More codes than this are looked up in a table made of them. */
const MOST_LISTED = 64

/** The conditions on a key, given its SQL. */
export type KeyTest = (key: string) => readonly string[]

/** By level, whether a key is, by itself, that of one of the nodes: a test the scan can do. */
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

/** Whether any of the nodes has rows in a domain. */
export const areInDomain = ({ depth, nodes }: Parents, domain: Domain): boolean =>
  nodes.some((node) => codePath(node, domain).length > depth)

/** Codes on the way to a node, fewer than its levels where it has no rows in the domain. */
function codePath(node: BucketNode, domain: Domain): readonly DuckDBValue[] {
  const path: DuckDBValue[] = []
  for (let at: BucketNode | undefined = node; at?.parent; at = at.parent) {
    const code = at.codes[domain.number]
    if (code !== undefined) path.unshift(code)
  }
  return path
}

/** Nodes that have rows in the domain, with the codes on the way to them. */
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

/** The driver takes a whole number for an integer, for all of a list when it comes first: doubles go as text. */
const asText = (value: DuckDBValue, sqlType: string): DuckDBValue =>
  sqlType === 'DOUBLE' || sqlType === 'FLOAT' ? String(value) : value

function bindList(values: readonly DuckDBValue[], sqlType: string, sql: SqlBuilder): string {
  return sql.bind(new DuckDBListValue(values.map((value) => asText(value, sqlType))), `${sqlType}[]`)
}
