import type { Field } from '../../../query/schema/field.ts'
import type { SelectedPart } from '../condition/selected-rows.ts'
import type { SqlBuilder } from '../database/sql-builder.ts'
import { hasSeveral, listOf } from '../index/several-values.ts'
import type { FieldLayout } from '../index/table-layout.ts'
import type { IndexTable } from '../table/index-table.ts'

/**
 * Returns the statements that select a row (`text`) for each term of each document. Keywords may include terms without
 * the prefix.
 */
export type TermSource = (part: SelectedPart, sql: SqlBuilder) => readonly string[]

/** Returns undefined if the table has no term with the prefix. */
export function termSource(field: Field, prefix: string, table: IndexTable): TermSource | undefined {
  const layout = table.field(field)
  if (!layout) return undefined
  return layout.type === 'TEXT' ? tokenSource(layout, prefix) : (part) => compileValues(layout, part)
}

/** One row per value. Documents with several values return one row per distinct value. */
function compileValues(field: FieldLayout, { table, condition }: SelectedPart): readonly string[] {
  const { column } = field
  const from = `FROM ${table.table} WHERE ${condition}`
  if (!field.several) return [`SELECT ${column} AS text ${from} AND ${column} IS NOT NULL`]
  return [
    `SELECT ${column} AS text ${from} AND ${column} IS NOT NULL AND NOT (${hasSeveral(field)})`,
    `SELECT unnest(list_distinct(${listOf(field)})) AS text ${from} AND ${hasSeveral(field)}`,
  ]
}

/** A token is a single word: it starts with the prefix or does not match. See `tokenText` for the column format. */
function tokenSource({ column }: FieldLayout, prefix: string): TermSource | undefined {
  if (/[ \n]/.test(prefix)) return undefined
  const split = `string_split(${column}, ' ')`
  return ({ table, condition }, sql) => {
    const from = `FROM ${table.table} WHERE ${condition} AND ${column} IS NOT NULL`
    if (prefix === '') {
      return [
        `SELECT text FROM (SELECT unnest(list_distinct(${split})) AS text ${from}) WHERE text NOT IN ('', chr(10))`,
      ]
    }
    const tokens = `list_filter(${split}, lambda token: starts_with(token, ${sql.bind(prefix, 'VARCHAR')}))`
    const holding = `SELECT ${tokens} AS tokens ${from} AND contains(${column}, ${sql.bind(` ${prefix}`, 'VARCHAR')})`
    // Most documents have only one such token, and list_distinct is slow.
    return [
      `SELECT unnest(CASE WHEN len(tokens) > 1 THEN list_distinct(tokens) ELSE tokens END) AS text FROM (${holding})`,
    ]
  }
}
