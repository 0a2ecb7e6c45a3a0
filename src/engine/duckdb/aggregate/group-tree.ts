import type { DuckDBValue } from '@duckdb/node-api'
import { inTurns } from '../../../turn.ts'
import type { BucketKeySql } from './bucket-key.ts'
import type { BucketNode } from './bucket-tree.ts'
import type { GroupColumns } from './group-sql.ts'
import type { Parents } from './parent-buckets.ts'
import type { Domain } from './row-source.ts'

/**
 * Groups returned by a statement, column by column: those of GroupColumns, then `d` of a level ordered by distinct
 * values, then `total` and `keyed` of a cut level.
 */
type FoundGroups = readonly (readonly DuckDBValue[])[]

/** Where the buckets of a statement are added. */
interface GroupTarget {
  readonly root: BucketNode
  readonly parents: Parents | undefined
  readonly domain: Domain
  /** No other statement returns groups of these levels. */
  readonly alone: boolean
}

const parentAt = (found: FoundGroups, row: number, { root, parents }: GroupTarget): BucketNode | undefined =>
  parents ? parents.nodes[Number(found[0]?.[row])] : root

const countColumn = ({ parents, from, to }: GroupColumns): number => (parents ? 1 : 0) + to - from + 1

export const groupsIn = (found: FoundGroups): number => found[0]?.length ?? 0

/** Number of rows in all groups. */
export function rowsIn(found: FoundGroups, columns: GroupColumns): number {
  return (found[countColumn(columns)] ?? []).reduce((sum: number, n) => sum + Number(n), 0)
}

/**
 * Adds groups to the tree, each to its bucket of every level. A row without a key at one level is in no level below.
 */
export async function addGroups(
  found: FoundGroups,
  keys: readonly BucketKeySql[],
  columns: GroupColumns,
  target: GroupTarget,
): Promise<void> {
  const { from, to, unites, distinct } = columns
  const count = countColumn(columns)
  const counts = found[count] ?? []
  const firstKey = count - (to - from + 1)
  const partialColumns = found.slice(count + 1, count + 1 + unites.length)
  const distincts = distinct === undefined ? undefined : found[count + 1 + unites.length]
  const none: readonly DuckDBValue[] = []
  await inTurns(counts, (groupCount, row) => {
    let node = parentAt(found, row, target)
    const partials = partialColumns.length === 0 ? none : partialColumns.map((column) => column[row] ?? null)
    for (let depth = from; depth <= to; depth++) {
      const code = found[firstKey + depth - from]?.[row]
      const key = keys[depth]
      if (!node || !key || code === null || code === undefined) break
      const decoded = key.decode(code)
      node = target.alone && depth === to ? node.newChild(decoded) : node.child(decoded)
      node.setCode(target.domain.number, code)
      node.add(Number(groupCount), partials, unites)
      if (distinct !== undefined) node.setMetric(distinct, Number(distincts?.[row]))
    }
  })
}

/**
 * Records the rows the database cut: all rows of a parent that have a key (last column) minus those of the returned
 * groups.
 */
export function noteOthers(found: FoundGroups, columns: GroupColumns, target: GroupTarget): void {
  const counts = found[countColumn(columns)] ?? []
  const keyed = found.at(-1) ?? []
  const others = new Map<BucketNode, number>()
  for (let row = 0; row < counts.length; row++) {
    const parent = parentAt(found, row, target)
    if (parent) others.set(parent, (others.get(parent) ?? Number(keyed[row])) - Number(counts[row]))
  }
  for (const [parent, rest] of others) parent.others = rest
}
