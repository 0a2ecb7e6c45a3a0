import type { ComparableBucket } from '../../../../query/aggregation/bucket.ts'
import { checkBucketCount, checkBucketHits } from '../../../../query/aggregation/bucket-limits.ts'
import type { AggregationPlan } from '../../../../query/plan/aggregation-plan.ts'
import type { Turn } from '../../../../turn.ts'
import type { NumberedPart, RowRef } from '../numbered-part.ts'
import { compileParts, type ScannedPart, scan } from './arrays/scan.ts'
import { Level } from './level.ts'

/** Like AggregationResult, with rows in place of documents. */
interface GroupedResult extends GroupedList {
  readonly total: number
}

export interface GroupedList {
  readonly buckets: readonly GroupedBucket[]
  readonly others: number
}

interface GroupedBucket extends ComparableBucket {
  readonly tops: readonly (readonly RowRef[])[]
  readonly children?: GroupedList
}

/** Levels are found in one pass if that makes at most this many groups. */
const FEW_GROUPS = 2 ** 16

/** The only parent of the first level. */
const ROOT = new Uint32Array(1)

/**
 * Returns the buckets of a plan. Levels whose outer level is cut to a size are found in a pass of their own, inside
 * the buckets that remain.
 */
export async function groupParts(
  plan: AggregationPlan,
  parts: readonly NumberedPart[],
  turn: Turn,
): Promise<GroupedResult> {
  const scanned = compileParts(plan.predicate, parts)
  const levels = plan.levels.map((level, depth) => new Level(level, depth, scanned, plan.limits.buckets))
  for (const [i, level] of levels.entries()) {
    level.above = levels[i - 1]
    level.below = levels[i + 1]
  }
  let total = 0
  let buckets = 0
  for (let first = 0; first < levels.length; ) {
    const above = levels[first - 1]
    const phase = phaseFrom(levels, first)
    link(levels, first + phase.length)
    if (first === 0 || above?.kept?.length !== 0) {
      const rows = await findGroups(levels, phase, scanned, buckets, plan, turn)
      if (first === 0) total = rows
    }
    let outer = above
    for (const [i, level] of phase.entries()) {
      level.keep(parentsOf(outer, i === 0))
      buckets += level.kept?.length ?? 0
      checkBucketCount(buckets, plan.limits)
      outer = level
    }
    if (outer) outer.endsPhase = true
    first += phase.length
  }
  checkBucketHits(
    levels.map(({ kept }) => kept?.length ?? 0),
    plan.levels,
    plan.limits,
  )
  await gatherMissing(levels, scanned, turn)
  const [root] = levels
  return { total, ...(root ? bucketList(root, 0) : { buckets: [], others: 0 }) }
}

/** Groups of the level above that `keep` takes as parents. */
function parentsOf(outer: Level | undefined, isNewPhase: boolean): Uint32Array {
  if (outer === undefined) return ROOT
  const kept = outer.kept ?? new Uint32Array()
  return isNewPhase ? Uint32Array.from(kept, (_, place) => place) : kept
}

/** Makes a chain of the first levels. */
function link(levels: readonly Level[], count: number): void {
  for (const [i, level] of levels.entries()) level.next = i + 1 < count ? levels[i + 1] : undefined
}

function phaseFrom(levels: readonly Level[], first: number): readonly Level[] {
  const phase = levels.slice(first, first + 1)
  let isWhole = phase[0]?.plan.size === undefined
  let most = phase[0]?.mostKeys ?? 0
  for (const level of levels.slice(first + 1)) {
    most *= level.mostKeys
    if (!isWhole && !(most <= FEW_GROUPS)) break
    phase.push(level)
    isWhole &&= level.plan.size === undefined
  }
  return phase
}

/** Finds the groups of the levels of a phase. Returns the number of selected rows. */
async function findGroups(
  levels: readonly Level[],
  phase: readonly Level[],
  parts: readonly ScannedPart[],
  buckets: number,
  { limits }: AggregationPlan,
  turn: Turn,
): Promise<number> {
  const [first] = levels
  const whole: Level[] = []
  for (const level of levels) if (!phase.includes(level)) level.gatherNothing()
  let isWhole = true
  for (const level of phase) {
    isWhole &&= level.plan.size === undefined
    level.gatherEarly(isWhole)
    if (isWhole) whole.push(level)
  }
  if (!first) return 0
  // No group of these levels will be cut, so memory does not grow with groups that a response may not have.
  const check = (): void =>
    checkBucketCount(
      whole.reduce((sum, level) => sum + level.found, buckets),
      limits,
    )
  await first.prepare(turn)
  return scan(parts, first, turn, check)
}

/** Gathers what is only needed of kept buckets. */
async function gatherMissing(levels: readonly Level[], parts: readonly ScannedPart[], turn: Turn): Promise<void> {
  let depth = 0
  for (const level of levels) if (level.gatherLate() && level.kept?.length) depth = level.depth + 1
  link(levels, depth)
  const [first] = levels
  if (!first || depth === 0) return
  await first.prepare(turn)
  await scan(parts, first, turn)
}

/** Returns the buckets inside a kept bucket of the level above, by its place. */
function bucketList(level: Level, parent: number): GroupedList {
  const buckets: GroupedBucket[] = []
  const { kept = new Uint32Array(), keptStarts, space, metrics, tops, plan } = level
  const inner = level.below
  for (let place = keptStarts[parent] ?? 0; place < (keptStarts[parent + 1] ?? 0); place++) {
    const group = kept[place] ?? 0
    buckets.push({
      key: space.key(level.keyOf(group)),
      count: level.counts[group] ?? 0,
      metrics: plan.metrics.map((_, i) => metrics[i]?.(group, place) ?? null),
      tops: plan.tops.map((_, i) => tops[i]?.(group, place) ?? []),
      ...(inner ? { children: bucketList(inner, place) } : {}),
    })
  }
  return { buckets, others: level.others[parent] ?? 0 }
}
