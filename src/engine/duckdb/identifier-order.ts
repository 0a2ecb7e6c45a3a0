import type { SearchPlan } from '../../query/plan.ts'
import type { DocumentPlace } from './found-documents.ts'
import type { IndexTable } from './index-table.ts'
import type { RankedKeys } from './ranked-keys.ts'

/**
 * A page of all documents in the order of an identifier, where the file of identifiers tells it: a few records of it, side
 * by side, in the order of the page.
 */
export async function pageInOrder(
  { predicate, sort, cursor, from, size }: SearchPlan,
  [table, ...others]: readonly IndexTable[],
  ranked: RankedKeys,
): Promise<readonly DocumentPlace[] | undefined> {
  const [key, ...moreKeys] = sort
  if (!table?.tellsPlaces || others.length > 0 || predicate.kind !== 'everything') return undefined
  if (key?.kind !== 'field' || moreKeys.length > 0) return undefined
  const { identifiers } = table
  // Documents without one would not be in the order.
  const section = table.field(key.field)?.complete ? identifiers?.section(key.field.path) : undefined
  if (!identifiers || !section) return undefined
  const rank = cursor && (ranked.get(0) ?? undefined)
  if (cursor && rank === undefined) return undefined
  const rises = key.descending === (cursor?.direction === 'before')
  const read = async (first: number, most: number): Promise<readonly DocumentPlace[]> =>
    (await identifiers.read(section, first, most)).map(({ at, size }) => ({ at, size, table }))
  if (rises) return read((rank === undefined ? 0 : await identifiers.firstAbove(section, Number(rank))) + from, size)
  const end = Math.max(0, (rank === undefined ? section.count : Number(rank) - 1) - from)
  const first = Math.max(0, end - size)
  return (await read(first, end - first)).toReversed()
}
