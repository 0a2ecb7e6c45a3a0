import type { AggregationLevel, AggregationPlan } from '../../../query/plan/aggregation-plan.ts'
import type { IndexTable } from '../index/index-table.ts'
import { countedRows } from '../index/key-counts.ts'
import { newestFirstForGroups } from '../shortcut/newest-first.ts'
import type { Domain } from './row-source.ts'
import { rankedTerms } from './term-key.ts'

/** First and last level of a step that groups by all of them at once. */
export type Phase = readonly [number, number]

/** How the levels of a plan are computed. Approaches differ in speed, never in the answer. */
export interface Approach {
  readonly domains: readonly Domain[]
  readonly phases: readonly Phase[]
  /** Groups that may be fetched from one statement to be ordered here; more of them is TooManyGroups. */
  readonly mostGroups: number
}

/** A statement has more groups than the approach can take. */
export class TooManyGroups extends Error {}

/** Fetching and ordering this many groups takes about as long as the scan they come from. */
const MOST_FETCHED = 200_000

/** A term field with at most so many terms is grouped together with the levels inside it, though most may be cut. */
const FEW_TERMS = 200

/**
 * From the fastest to the one that always works: terms by rank and levels grouped together where that is worth it; else
 * terms by value and level by level, cut by the database.
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

/** Ranks mean something inside one table only; its later rows, which have no aids, are a domain of their own. */
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
  // What is cut or ordered by the database needs all rows in one statement.
  const needsOne = plan.levels.some(
    (level) => isOrderedByDistinct(level) || (level.size !== undefined && !termsOf(level, table)),
  )
  return needsOne ? undefined : [arranged, { number: 1, tables, coding: 'value', rows: 'tail' }]
}

export function isOrderedByDistinct({ order, metrics }: AggregationLevel): boolean {
  return order.by === 'metric' && metrics[order.metric]?.kind === 'cardinality'
}

/** Arranged rows have something that speeds the grouping of the level up. */
function isAided(level: AggregationLevel, { predicate }: AggregationPlan, table: IndexTable): boolean {
  const { grouping } = level
  if (grouping.kind === 'datehistogram') return table.field(grouping.field)?.hasDay === true
  if (grouping.kind === 'geotile') return predicate.kind === 'everything' && countedRows(grouping, table) !== undefined
  return termsOf(level, table) !== undefined
}

/** The terms of a level that can be told by rank. */
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
 * `inner` may be grouped together with `outer`: documents have one key of it, so that the groups add up to those of
 * `outer`; and hardly a bucket of either is cut, so that few are grouped and fetched in vain.
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

/** Hardly a bucket of the level is cut. */
const hasFewOrAll = (level: AggregationLevel, table: IndexTable): boolean =>
  level.size === undefined || (termsOf(level, table)?.length ?? Number.POSITIVE_INFINITY) <= FEW_TERMS
