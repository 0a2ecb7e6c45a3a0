import type { Field } from '../../../query/schema/field.ts'
import { beginsWord } from '../../../query/text/word-starts.ts'
import type { SelectedPart } from '../condition/selected-rows.ts'
import type { SqlBuilder } from '../database/sql-builder.ts'
import type { IndexTable } from '../index/index-table.ts'
import { hasSeveral, listOf } from '../index/several-values.ts'
import { type FieldLayout, rankColumnOf } from '../index/table-layout.ts'
import { termsTable } from '../index/term-ranks.ts'
import type { Terms } from '../index/terms.ts'

/** Terms of a field in the selected rows of one table. */
export interface TermSource {
  /**
   * Statements that return a row (`text`) for each term of each document. Keywords may include terms without the
   * prefix.
   */
  readonly terms: (part: SelectedPart, sql: SqlBuilder) => readonly string[]
  /** Statements that return terms with the prefix and their number of documents (`text`, `n`). */
  readonly counts: (part: SelectedPart, sql: SqlBuilder) => readonly string[]
}

const none = (): readonly string[] => []

/** Returns undefined if the table has no term with the prefix. */
export function termSource(field: Field, prefix: string, table: IndexTable): TermSource | undefined {
  const layout = table.field(field)
  if (!layout) return undefined
  if (layout.type === 'TEXT') return tokenSource(layout, prefix)
  const terms = layout.ranked === 'terms' ? table.terms.get(layout.path) : undefined
  return terms
    ? rankedSource(layout, prefix, table, terms)
    : { terms: (part) => compileValues(layout, part), counts: none }
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

/** Up to this many ranks are filtered in the scan. More are filtered after counting. */
const MOST_SOUGHT_RANKS = 64

/** The terms are known in advance, so rows are counted by rank. Tail rows have no rank and are read as text. */
function rankedSource(
  field: FieldLayout,
  prefix: string,
  { hasTail }: IndexTable,
  terms: Terms,
): TermSource | undefined {
  const ranks = [...terms].flatMap(([term, { rank }]) => (beginsWord(term, prefix) ? [rank] : []))
  if (ranks.length === 0 && !hasTail) return undefined
  const rank = rankColumnOf(field).name
  const tail = ({ table, condition }: SelectedPart): readonly string[] =>
    compileValues(field, { table, condition: `${condition} AND ${rank} IS NULL` })
  const count = ({ table, condition }: SelectedPart, sql: SqlBuilder): string => {
    const few = ranks.length <= MOST_SOUGHT_RANKS
    const sought = few ? `${rank} IN (${ranks.join(', ')})` : `${rank} IS NOT NULL`
    const counted = `SELECT ${rank} AS rank, count(*) AS n FROM ${table.table} WHERE ${condition} AND ${sought} GROUP BY ${rank}`
    const wanted = few || ranks.length === terms.size ? '' : ` AND rank IN (SELECT unnest([${ranks.join(', ')}]))`
    const named = `${termsTable(table.table)} WHERE path = ${sql.bind(field.path, 'VARCHAR')}${wanted}`
    return `SELECT value AS text, n FROM (${counted}) JOIN (SELECT value, rank FROM ${named}) USING (rank)`
  }
  return {
    terms: hasTail ? tail : none,
    counts: ranks.length > 0 ? (part, sql) => [count(part, sql)] : none,
  }
}

/** A token is a single word: it starts with the prefix or does not match. See `tokenText` for the column format. */
function tokenSource({ column }: FieldLayout, prefix: string): TermSource | undefined {
  if (/[ \n]/.test(prefix)) return undefined
  const split = `string_split(${column}, ' ')`
  return {
    terms: ({ table, condition }, sql) => {
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
    },
    counts: none,
  }
}
