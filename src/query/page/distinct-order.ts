import type { SearchPlan, SortKey } from '../plan/plan.ts'
import type { ResolvedPage } from './page.ts'

/**
 * The keys that order something, since their field did not come before: a request may repeat one a thousand times. The
 * other direction is another key, because of several values it looks at another. The last stays, by which orders are total.
 */
export function distinctKeys<Key extends SortKey>(sort: readonly Key[]): readonly Key[] {
  const seen = new Set<string>()
  const isNew = ({ kind, field, descending }: SortKey): boolean => {
    const count = seen.size
    return seen.add(`${kind} ${descending} ${field.path}`).size > count
  }
  return sort.filter((key, i) => isNew(key) || i === sort.length - 1)
}

/** Order and cursor of a page, without what orders nothing. */
export function distinctOrder(page: ResolvedPage): Pick<SearchPlan, 'sort' | 'cursor'> {
  const sort = distinctKeys(page.sort)
  if (page.cursor === undefined) return { sort }
  const kept = new Set(sort)
  const values = page.sort.flatMap((key, i) => (kept.has(key) ? [page.cursor?.values[i] ?? null] : []))
  return { sort, cursor: { ...page.cursor, values } }
}
