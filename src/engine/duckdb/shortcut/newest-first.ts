import type { DuckDBConnection } from '@duckdb/node-api'
import type { AggregationLevel, AggregationPlan } from '../../../query/plan/aggregation-plan.ts'
import type { SearchPlan } from '../../../query/plan/plan.ts'
import type { Predicate } from '../../../query/plan/predicate.ts'
import type { IndexDefinition, NewestFirst } from '../index/index-definition.ts'
import type { IndexTable } from '../index/index-table.ts'
import { dayColumnOf, rankColumnOf } from '../index/table-layout.ts'
import { findHeadEnd } from './newest-heads.ts'
import type { RankedKeys } from './ranked-keys.ts'
import { canMatch, isItsDate } from './row-match.ts'

/**
 * Narrow copy of an arranged table, newest first, with a date, its day, the ranks of keywords and the source extents.
 * The newest documents of an owner are among its first rows, and a time range is a contiguous run, so that a scan skips
 * the rest. In the table itself, which is sorted by place, they are spread over all rows.
 */
const newestTable = (table: string): string => `${table}_newest`

/** Creates the copy of an arranged table, inside the transaction that arranges it. Sorted by the first date field. */
export async function makeNewestFirst(
  connection: DuckDBConnection,
  { table, layout }: IndexDefinition,
): Promise<NewestFirst | undefined> {
  const date = layout.fields.find((field) => field.hasDay)
  if (!date) return undefined
  const ranks = layout.fields.filter((field) => field.ranked).map((field) => rankColumnOf(field).name)
  const rows = `SELECT ${['_at', '_size', date.column, dayColumnOf(date).name, ...ranks].join(', ')} FROM ${table}`
  const order = `ORDER BY ${date.column} DESC NULLS LAST`
  await connection.run(`CREATE TABLE ${newestTable(table)} AS ${rows} ${order}`)
  const headAfter = await findHeadEnd(connection, newestTable(table), date.column, ranks.length)
  return { path: date.path, headAfter }
}

export async function dropNewestFirst(connection: DuckDBConnection, table: string): Promise<void> {
  await connection.run(`DROP TABLE IF EXISTS ${newestTable(table)}`)
}

/** Returns the copy if it finds the page of a plan faster than the table. */
export function newestFirstForPage(
  plan: SearchPlan,
  tables: readonly IndexTable[],
  ranked: RankedKeys,
): IndexTable | undefined {
  const copy = copyOf(tables)
  const [first, ...others] = plan.sort
  if (!copy?.tellsPlaces) return undefined
  if (first?.kind !== 'field' || !isItsDate(first.field, copy)) return undefined
  const descends = first.descending !== (plan.cursor?.direction === 'before')
  const isSorted = descends && others.every((_, i) => ranked.has(i + 1))
  return isSorted && canMatch(plan.predicate, copy) ? copy : undefined
}

/** Returns the copy if the predicate has a time range, so that the copy finds its matches faster than the table. */
export function newestFirstForCount(predicate: Predicate, table: IndexTable): IndexTable | undefined {
  const copy = copyOf([table])
  if (!copy) return undefined
  const members = predicate.kind === 'and' ? predicate.members : [predicate]
  const isBounded = members.some((member) => member.kind === 'range' && isItsDate(member.field, copy))
  return isBounded && canMatch(predicate, copy) ? copy : undefined
}

/** Returns the copy if the plan has a time range and the copy has all columns it needs. */
export function newestFirstForGroups(plan: AggregationPlan, table: IndexTable): IndexTable | undefined {
  const copy = newestFirstForCount(plan.predicate, table)
  return copy && plan.levels.every((level) => isCoveredLevel(level, copy)) ? copy : undefined
}

function isCoveredLevel({ grouping, metrics, tops }: AggregationLevel, copy: IndexTable): boolean {
  if (metrics.length > 0 || tops.length > 0) return false
  if (grouping.kind === 'datehistogram') return isItsDate(grouping.field, copy)
  return grouping.kind === 'term' && copy.field(grouping.field)?.ranked === 'terms'
}

/** Returns undefined if documents were added or removed since the copy was made, because it does not reflect that. */
function copyOf([table, ...others]: readonly IndexTable[]): IndexTable | undefined {
  if (!table || others.length > 0 || table.hasTail) return undefined
  const { definition } = table
  if (definition.newest === undefined || definition.documents !== definition.nextSeq) return undefined
  return table.inCopy(newestTable(definition.table))
}
