import type { Predicate } from '../../../query/plan/predicate.ts'
import type { IndexTable } from '../index/index-table.ts'

/**
 * Returns how many arranged documents of a table have one of some terms, from the counts of the arrangement. Undefined
 * if they are missing or outdated.
 */
export function countArranged(predicate: Predicate, table: IndexTable): number | undefined {
  if (predicate.kind !== 'equals') return undefined
  const { field, values } = predicate
  const { counted, documents, nextSeq } = table.definition
  const layout = table.field(field)
  const terms = layout?.ranked === 'terms' && !layout.several ? table.terms.get(field.path) : undefined
  // The counts still include documents removed since.
  if (terms === undefined || counted?.includes(field.path) !== true || documents !== nextSeq) return undefined
  return new Set(values.map(String)).values().reduce((sum, value) => sum + (terms.get(value)?.documents ?? 0), 0)
}

/** Returns the number of matching documents if it is known without a scan. */
export function knownCount(predicate: Predicate, tables: readonly IndexTable[]): number | undefined {
  if (predicate.kind === 'everything') return tables.reduce((n, { definition }) => n + definition.documents, 0)
  let sum = 0
  for (const table of tables) {
    const known = table.hasTail ? undefined : countArranged(predicate, table)
    if (known === undefined) return undefined
    sum += known
  }
  return sum
}
