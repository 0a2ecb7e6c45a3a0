import type { AggregationLevel, AggregationPlan } from '../../../query/plan/aggregation-plan.ts'
import type { IndexTable } from '../index/index-table.ts'
import { countedRows } from '../index/key-counts.ts'
import { newestFirstForGroups } from '../shortcut/newest-first.ts'
import type { Domain } from './row-source.ts'
import { rankedTerms } from './term-key.ts'

/** First and last level of a step that groups by all levels in between at once. */
type Phase = readonly [number, number]

/** How the levels of a plan are computed. Approaches differ in speed, never in the result. */
export interface Approach {
  readonly domains: readonly Domain[]
  readonly phases: readonly Phase[]
  /** Maximum number of groups one statement may return for sorting in JavaScript. Above it, TooManyGroups is thrown. */
  readonly mostGroups: number
}

/** Thrown when a statement returns more groups than the approach allows. */
export class TooManyGroups extends Error {}

/** Fetching and sorting this many groups takes about as long as the scan that produces them. */
const MOST_FETCHED = 200_000

/**
 * A term field with at most this many terms is grouped together with its inner levels, even if most buckets are cut.
 */
const FEW_TERMS = 200

/**
 * Returns the approaches from the fastest to the one that always works. The fast approach codes terms by rank and
 * groups levels together where that pays off. The last one codes terms by value and computes level by level, cut by the
 * database.
 */
export function approaches(plan: AggregationPlan, tables: readonly IndexTable[]): readonly Approach[] {
  const plain: Approach = {
    domains: [{ number: 0, tables, coding: 'value', rows: 'all' }],
    phases: plan.levels.map((_, i) => [i, i]),
    mostGroups: Number.POSITIVE_INFINITY,
  }
  const domains = rankedDomains(plan, tables) ?? plain.domains
  const phases = mergedPhases(plan, tables)
  const isPlain = domains === plain.domains && phases.length === plan.levels.length
  return isPlain ? [plain] : [{ domains, phases, mostGroups: MOST_FETCHED }, plain]
}

/** Ranks are valid within one table only. Its tail has no ranks or days, so it becomes a separate domain. */
function rankedDomains(plan: AggregationPlan, tables: readonly IndexTable[]): readonly Domain[] | undefined {
  const [table] = tables
  if (!table || tables.length > 1 || !plan.levels.some((level) => isAided(level, plan, table))) return undefined
  const scanned = newestFirstForGroups(plan, table) ?? table
  const arranged: Domain = {
    number: 0,
    tables: [scanned],
    coding: 'rank',
    rows: table.hasTail ? 'arranged' : 'all',
  }
  if (!table.hasTail) return [arranged]
  // Cutting or ordering in the database needs all rows in one statement.
  const needsOne = plan.levels.some(
    (level) => isOrderedByDistinct(level) || (level.size !== undefined && !termsOf(level, table)),
  )
  return needsOne ? undefined : [arranged, { number: 1, tables, coding: 'value', rows: 'tail' }]
}

export function isOrderedByDistinct({ order, metrics }: AggregationLevel): boolean {
  return order.by === 'metric' && metrics[order.metric]?.kind === 'cardinality'
}

/** True if arranged rows have a rank, day or count that speeds up grouping by the level. */
function isAided(level: AggregationLevel, { predicate }: AggregationPlan, table: IndexTable): boolean {
  const { grouping } = level
  if (grouping.kind === 'datehistogram') return table.field(grouping.field)?.hasDay === true
  if (grouping.kind === 'geotile') return predicate.kind === 'everything' && countedRows(grouping, table) !== undefined
  return termsOf(level, table) !== undefined
}

/** Terms of a level that can be coded by rank. */
function termsOf({ grouping }: AggregationLevel, table: IndexTable): readonly string[] | undefined {
  const field = grouping.kind === 'term' ? table.field(grouping.field) : undefined
  return field && rankedTerms(field, table)
}

function mergedPhases(plan: AggregationPlan, tables: readonly IndexTable[]): readonly Phase[] {
  const phases: Phase[] = []
  for (let from = 0; from < plan.levels.length; ) {
    let to = from
    while (canGroupWith(plan.levels[to], plan.levels[to + 1], tables)) to++
    phases.push([from, to])
    from = to + 1
  }
  return phases
}

/**
 * True if `inner` can be grouped together with `outer`. Documents must have one key of `inner`, so that its groups add
 * up to those of `outer`. Few buckets of either level may be cut, so that few groups are computed and fetched in vain.
 */
function canGroupWith(
  outer: AggregationLevel | undefined,
  inner: AggregationLevel | undefined,
  tables: readonly IndexTable[],
): boolean {
  const [table] = tables
  if (!outer || !inner || !table || tables.length > 1) return false
  if (isOrderedByDistinct(outer) || isOrderedByDistinct(inner)) return false
  const field = table.field(inner.grouping.field)
  if (!field || field.several || field.type === 'GEO_SHAPE') return false
  return hasFewOrAll(outer, table) && hasFewOrAll(inner, table)
}

/** True if few buckets of the level are cut, or none. */
const hasFewOrAll = (level: AggregationLevel, table: IndexTable): boolean =>
  level.size === undefined || (termsOf(level, table)?.length ?? Number.POSITIVE_INFINITY) <= FEW_TERMS
