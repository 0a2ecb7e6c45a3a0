import type { DuckDBValue } from '@duckdb/node-api'
import type { BucketKeySql } from './bucket-key.ts'
import type { Domain, Parents } from './bucket-rows.ts'
import type { BucketNode } from './bucket-tree.ts'
import type { GroupColumns } from './group-sql.ts'

/** Groups as a statement answered them: the columns of GroupColumns, then `d` of a level ordered by distinct values. */
export type FoundGroups = readonly (readonly DuckDBValue[])[]

const parentOf = (row: readonly DuckDBValue[], root: BucketNode, parents: Parents | undefined) =>
  parents ? parents.nodes[Number(row[0])] : root

const countColumn = ({ parents, from, to }: GroupColumns): number => (parents ? 1 : 0) + to - from + 1

/** Rows in all groups together. */
export function rowsIn(found: FoundGroups, columns: GroupColumns): number {
  const count = countColumn(columns)
  return found.reduce((sum, row) => sum + Number(row[count]), 0)
}

/** Puts groups into the tree, each into its bucket of every level; a row without a key at one is in none below. */
export function addGroups(
  found: FoundGroups,
  keys: readonly BucketKeySql[],
  columns: GroupColumns,
  domain: Domain,
  root: BucketNode,
  parents: Parents | undefined,
): void {
  const { from, to, unites, distinct } = columns
  const count = countColumn(columns)
  const firstKey = parents ? 1 : 0
  for (const row of found) {
    let node = parentOf(row, root, parents)
    const partials = row.slice(count + 1, count + 1 + unites.length)
    for (let depth = from; depth <= to; depth++) {
      const code = row[firstKey + depth - from]
      const key = keys[depth]
      if (!node || !key || code === null || code === undefined) break
      node = node.child(key.decode(code))
      node.codes[domain.number] = code
      node.add(Number(row[count]), partials, unites)
      if (distinct !== undefined) node.metrics[distinct] = Number(row[count + 1 + unites.length])
    }
  }
}

/** Notes what the database cut: all rows of a parent that have a key (last column), less those of the groups answered. */
export function noteOthers(
  found: FoundGroups,
  columns: GroupColumns,
  root: BucketNode,
  parents: Parents | undefined,
): void {
  const count = countColumn(columns)
  const others = new Map<BucketNode, number>()
  for (const row of found) {
    const parent = parentOf(row, root, parents)
    if (parent) others.set(parent, (others.get(parent) ?? Number(row.at(-1))) - Number(row[count]))
  }
  for (const [parent, rest] of others) parent.others = rest
}
