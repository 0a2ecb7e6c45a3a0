import type { Predicate } from '../../../query/plan/predicate.ts'
import type { SqlBuilder } from '../database/sql-builder.ts'
import type { IndexTable } from '../table/index-table.ts'
import { compilePredicate } from './predicate-sql.ts'

/**
 * Compiles the condition that rows of a table match a selection. Tests that SQL cannot express only examine rows that
 * match the members of the selection without such tests.
 */
export function compileSelection(selection: Predicate, table: IndexTable, sql: SqlBuilder): string {
  const plain: Predicate[] = []
  const near = (own: SqlBuilder): string => {
    const conditions = plain.map((member) => compilePredicate(member, table, own))
    return conditions.length === 0 ? 'TRUE' : conditions.join(' AND ')
  }
  const members = selection.kind === 'and' ? selection.members : [selection]
  const conditions = members.map((member) => {
    const before = sql.sought
    const condition = compilePredicate(member, table, sql, { selection, near })
    if (sql.sought === before) plain.push(member)
    return condition
  })
  return conditions.join(' AND ')
}
