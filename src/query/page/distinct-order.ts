import type { SearchPlan, SortKey } from '../plan/plan.ts'
import type { ResolvedPage } from './page.ts'

/**
 * Removes repeated sort keys, which have no effect; a request may repeat one a thousand times. The same field in the
 * other direction is a different key: with several values it compares another one. The last key is always kept, since
 * it makes the order total.
 */
export function distinctKeys<Key extends SortKey>(sort: readonly Key[]): readonly Key[] {
  const seen = new Set<string>()
  const isNew = ({ kind, field, descending }: SortKey): boolean => {
    const count = seen.size
    return seen.add(`${kind} ${descending} ${field.path}`).size > count
  }
  return sort.filter((key, i) => isNew(key) || i === sort.length - 1)
}

/** Returns the order and cursor of a page without repeated keys. */
export function distinctOrder(page: ResolvedPage): Pick<SearchPlan, 'sort' | 'cursor'> {
  const sort = distinctKeys(page.sort)
  if (page.cursor === undefined) return { sort }
  const kept = new Set(sort)
  const values = page.sort.flatMap((key, i) => (kept.has(key) ? [page.cursor?.values[i] ?? null] : []))
  return { sort, cursor: { ...page.cursor, values } }
}
