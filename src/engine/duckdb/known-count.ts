import type { EqualsPredicate, Predicate } from '../../query/predicate.ts'
import type { IndexTable } from './index-table.ts'
import { countsTable } from './key-counts.ts'
import { compilePredicate } from './predicate-sql.ts'
import type { SqlBuilder } from './sql-builder.ts'

/**
 * SQL that answers how many documents of a table have one of some terms, from what was counted when they were arranged;
 * only those that came since are looked at. Undefined where the counts do not tell.
 */
export function compileKnownCount(predicate: Predicate, table: IndexTable, sql: SqlBuilder): string | undefined {
  if (predicate.kind !== 'equals') return undefined
  const keys = countedKeys(predicate, table)
  if (keys === undefined) return undefined
  const arranged = `SELECT sum(n) AS n FROM ${countsTable(table.definition.table)} WHERE ${keys}`
  if (!table.hasTail) return arranged
  const tail = `_seq >= ${table.definition.arrangedSeq} AND ${compilePredicate(predicate, table, sql)}`
  return `${arranged} UNION ALL SELECT count(*) AS n FROM ${table.table} WHERE ${tail}`
}

/** Whether `compileKnownCount` answers. */
export const isCountKnown = (predicate: Predicate, table: IndexTable): boolean =>
  predicate.kind === 'equals' && countedKeys(predicate, table) !== undefined

function countedKeys({ field, values }: EqualsPredicate, table: IndexTable): string | undefined {
  const { counted, documents, nextSeq } = table.definition
  const layout = table.field(field)
  const number = counted?.indexOf(field.path) ?? -1
  const terms = layout?.ranked === 'terms' && !layout.several ? table.terms.get(field.path) : undefined
  // What was removed since is still among the counts.
  if (terms === undefined || number < 0 || documents !== nextSeq) return undefined
  const ranks = new Set(values.flatMap((value) => terms.get(String(value)) ?? []))
  return ranks.size === 0 ? 'FALSE' : `field = ${number} AND key IN (${[...ranks].join(', ')})`
}
