import type { SuggestPlan } from '../../../query/plan/aggregation-plan.ts'
import type { Field } from '../../../query/schema/field.ts'
import { lowerCaseToken } from '../../../query/text/text-analysis.ts'
import { beginsWord } from '../../../query/text/word-starts.ts'
import { compareCodePoints } from '../../../query/value/code-point-order.ts'
import { Turn } from '../../../turn.ts'
import type { Suggestion } from '../../engine.ts'
import { type SelectedPart, type SelectedRows, selectRows } from '../condition/selected-rows.ts'
import { readTables, type Tables } from '../condition/snapshot.ts'
import type { Database } from '../database/database.ts'
import type { SqlBuilder } from '../database/sql-builder.ts'
import type { IndexTable } from '../table/index-table.ts'
import { compileTermMatch } from './suggest-match.ts'
import { type TermSource, termSource } from './suggest-terms.ts'

/** Returns the terms of the fields that start with a prefix, and how many selected documents have each (spec 5.10). */
export function suggest(
  database: Database,
  named: Tables,
  plan: SuggestPlan,
  signal: AbortSignal | undefined,
): Promise<readonly Suggestion[]> {
  return readTables(database, named, signal, async (reader, tables) => {
    const rows = selectRows(reader, tables, plan.predicate)
    const prefix = lowerCaseToken(plan.prefix)
    const suggestions: Suggestion[] = []
    for (const field of plan.fields) {
      suggestions.push(...(await suggestTerms(rows, field, prefix, plan.size, signal)))
    }
    // The sort is stable, so equal terms stay in field order.
    return suggestions.sort((a, b) => b.count - a.count || compareCodePoints(a.text, b.text)).slice(0, plan.size)
  })
}

async function suggestTerms(
  rows: SelectedRows,
  field: Field,
  prefix: string,
  size: number,
  signal: AbortSignal | undefined,
): Promise<readonly Suggestion[]> {
  const sources = rows.tables.flatMap((table) => {
    const source = termSource(field, prefix, table)
    return source ? [[table, source] as const] : []
  })
  if (sources.length === 0) return []
  // Tokens are already filtered where texts are split.
  const wanted = field.type === 'TEXT' ? '' : prefix
  const suggestions: Suggestion[] = []
  const found = rows.stream(
    (parts, sql) => compileSuggestions(parts, new Map(sources), wanted, size, sql),
    sources.map(([table]) => table),
  )
  const turn = new Turn(signal)
  for await (const batch of found) {
    for (const [text, count, isSure] of batch) {
      if (isSure !== true && !beginsWord(String(text), prefix)) continue
      suggestions.push({ field, text: String(text), count: Number(count) })
      if (suggestions.length === size) return suggestions
      if (turn.isOver) await turn.next()
    }
  }
  return suggestions
}

/**
 * Selects terms that may start with the prefix, with their number of documents, highest first, and whether they surely
 * match.
 */
function compileSuggestions(
  parts: readonly SelectedPart[],
  sources: ReadonlyMap<IndexTable, TermSource>,
  prefix: string,
  size: number,
  sql: SqlBuilder,
): string {
  const terms = parts.flatMap((part) => sources.get(part.table)?.(part, sql) ?? [])
  const { possible, sure } = compileTermMatch(prefix, sql)
  const grouped = `SELECT text, count(*) AS n FROM (${terms.join(' UNION ALL ')}) WHERE ${possible} GROUP BY text`
  // Terms that JavaScript rejects must not count towards the limit.
  const most = sure === 'TRUE' ? ` LIMIT ${size}` : ''
  return `SELECT text, n, ${sure} AS sure FROM (${grouped}) ORDER BY n DESC, text${most}`
}
