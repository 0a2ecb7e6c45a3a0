import type { SearchPlan } from '../../../query/plan/plan.ts'
import type { SqlBuilder } from '../database/sql-builder.ts'
import type { IndexTable } from '../index/index-table.ts'
import { rankColumnOf } from '../index/table-layout.ts'
import type { RankedKeys } from './ranked-keys.ts'

/** With more removed documents than this the span would be too wide to help. */
const MOST_REMOVED = 10_000

/**
 * Returns a condition on ranks for a page of all documents in the order of an identifier. Ranks are positions in that
 * order, so the page ends about its size after the cursor, and the scan need not sort the rest. Equal values and
 * removed documents can leave too few rows in the span; a page that is not full must be queried again without it.
 */
export function compileRankSpan(
  plan: SearchPlan,
  tables: readonly IndexTable[],
  ranked: RankedKeys,
): ((sql: SqlBuilder) => string) | undefined {
  const [table] = tables
  const [key] = plan.sort
  if (!table || tables.length > 1 || table.hasTail || plan.predicate.kind !== 'everything') return undefined
  const field = key?.kind === 'field' ? table.field(key.field) : undefined
  if (!key || !field || field.ranked !== 'rows' || !field.complete || !ranked.has(0)) return undefined
  const { documents, nextSeq } = table.definition
  const removed = nextSeq - documents
  if (removed > MOST_REMOVED) return undefined
  const descends = key.descending !== (plan.cursor?.direction === 'before')
  const start = plan.cursor ? ranked.get(0) : descends ? nextSeq : 0
  if (start === null || start === undefined) return undefined
  const reach = plan.from + plan.size + removed
  const end = descends ? Number(start) - reach : Number(start) + reach
  return (sql) => `${rankColumnOf(field).name} ${descends ? '>=' : '<='} ${sql.bind(Math.max(0, end), 'UINTEGER')}`
}
