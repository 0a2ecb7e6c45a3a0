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
 * A narrow copy of an arranged table, newest first: a date, its day, the ranks of keywords, and where the sources lie. The
 * newest documents of an owner are among its first rows, and a range of time is a run of them, so that a scan passes over
 * the rest; in the table itself, which lies in the order of places, they are everywhere.
 */
const newestTable = (table: string): string => `${table}_newest`

/** Makes the copy of an arranged table, inside the transaction that arranges it; its first date gives the order. */
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

/** The copy, where it finds the page of a plan sooner than the table. */
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

/** The copy, where it tells the matches of a predicate sooner than the table: they lie in a range of time. */
export function newestFirstForCount(predicate: Predicate, table: IndexTable): IndexTable | undefined {
  const copy = copyOf([table])
  if (!copy) return undefined
  const members = predicate.kind === 'and' ? predicate.members : [predicate]
  const isBounded = members.some((member) => member.kind === 'range' && isItsDate(member.field, copy))
  return isBounded && canMatch(predicate, copy) ? copy : undefined
}

/** The copy, where it has all that is counted, in a range of time. */
export function newestFirstForGroups(plan: AggregationPlan, table: IndexTable): IndexTable | undefined {
  const copy = newestFirstForCount(plan.predicate, table)
  return copy && plan.levels.every((level) => isCoveredLevel(level, copy)) ? copy : undefined
}

function isCoveredLevel({ grouping, metrics, tops }: AggregationLevel, copy: IndexTable): boolean {
  if (metrics.length > 0 || tops.length > 0) return false
  if (grouping.kind === 'datehistogram') return isItsDate(grouping.field, copy)
  return grouping.kind === 'term' && copy.field(grouping.field)?.ranked === 'terms'
}

/** Documents that came, or went, since it was made are not in it, or still are. */
function copyOf([table, ...others]: readonly IndexTable[]): IndexTable | undefined {
  if (!table || others.length > 0 || table.hasTail) return undefined
  const { definition } = table
  if (definition.newest === undefined || definition.documents !== definition.nextSeq) return undefined
  return table.inCopy(newestTable(definition.table))
}
