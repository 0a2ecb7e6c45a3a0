import type { SearchPlan } from '../../../query/plan/plan.ts'
import type { RankedPlace } from '../files/identifier-file.ts'
import type { DocumentPlace } from '../index/found-documents.ts'
import type { IndexTable } from '../index/index-table.ts'
import type { RankedKeys } from './ranked-keys.ts'

/** All documents in the order of a plan, starting at its cursor. */
interface DocumentOrder {
  /** Reads the next `most` documents after the first `skipped`, filtered by row number. */
  readonly read: (skipped: number, most: number, isSought?: (row: number) => boolean) => Promise<readonly RankedPlace[]>
}

/** Returns the order of an identifier if the identifier file has it. */
export async function identifierOrder(
  { sort, cursor }: Pick<SearchPlan, 'sort' | 'cursor'>,
  table: IndexTable,
  ranked: RankedKeys,
): Promise<DocumentOrder | undefined> {
  const [key, ...others] = sort
  if (key?.kind !== 'field' || others.length > 0) return undefined
  const { identifiers } = table
  // Documents without a value would be missing in the order.
  const section = table.field(key.field)?.complete ? identifiers?.section(key.field.path) : undefined
  if (!identifiers || !section) return undefined
  const rank = cursor && (ranked.get(0) ?? undefined)
  if (cursor && rank === undefined) return undefined
  const rises = key.descending === (cursor?.direction === 'before')
  if (rises) {
    const start = rank === undefined ? 0 : await identifiers.firstAbove(section, Number(rank))
    return { read: (skipped, most, isSought) => identifiers.read(section, start + skipped, most, isSought) }
  }
  const start = rank === undefined ? section.count : Number(rank) - 1
  return {
    read: async (skipped, most, isSought) => {
      const end = Math.max(0, start - skipped)
      const first = Math.max(0, end - most)
      return (await identifiers.read(section, first, end - first, isSought)).toReversed()
    },
  }
}

/**
 * Returns a page of all documents in the order of an identifier, if the identifier file has it. Such a page is a few
 * consecutive records.
 */
export async function pageInOrder(
  plan: SearchPlan,
  [table, ...others]: readonly IndexTable[],
  ranked: RankedKeys,
): Promise<readonly DocumentPlace[] | undefined> {
  if (!table?.tellsPlaces || others.length > 0 || plan.predicate.kind !== 'everything') return undefined
  const order = await identifierOrder(plan, table, ranked)
  return (await order?.read(plan.from, plan.size))?.map(({ at, size }) => ({ at, size, table }))
}
