import type { ResolvedPage } from './page.ts'
import type { SearchPlan, SortKey } from './plan.ts'

/**
 * Order and cursor of a page without the keys that order nothing, since their field came before: a request may repeat
 * one a thousand times. The last stays, by which the order is total.
 */
export function distinctOrder({ sort, cursor }: ResolvedPage): Pick<SearchPlan, 'sort' | 'cursor'> {
  const seen = new Set<string>()
  const orders = ({ kind, field: { path } }: SortKey, i: number): boolean => {
    if (kind === 'distance') return true
    const isNew = !seen.has(path)
    seen.add(path)
    return isNew || i === sort.length - 1
  }
  const kept = sort.flatMap((key, i) => (orders(key, i) ? [i] : []))
  if (kept.length === sort.length) return cursor === undefined ? { sort } : { sort, cursor }
  const pick = <T>(of: readonly T[]): readonly T[] => of.filter((_, i) => kept.includes(i))
  if (cursor === undefined) return { sort: pick(sort) }
  return { sort: pick(sort), cursor: { ...cursor, values: pick(cursor.values) } }
}
