import type { WireObject } from '../../../cluster-client/cluster-client.ts'
import { problem } from '../../../errors.ts'
import { demandedFields, type TopPlan } from '../../../query/plan/aggregation-plan.ts'
import type { FoundDocument } from '../../engine.ts'
import { exists } from '../condition/value-query.ts'
import { type HitList, toFound } from '../request/search-answer.ts'
import { compileSort } from '../selection/sort-keys.ts'
import { askInside, type ClusterAggregation, type RawBucket } from './bucket-request.ts'
import { type ClusterBucket, nodesByKey } from './cluster-bucket.ts'
import { dropAndReorder, readAgain } from './level-phases.ts'
import { compileBucketMetrics, isAskedAgain } from './level-query.ts'

/** Maximum number of documents per request. */
const MOST_HITS = 10_000

/** Default of `index.max_inner_result_window`. */
const LARGEST_TOP = 100

/** Throws LIMIT_EXCEEDED if more documents per bucket are requested than clusters return. */
export function checkTopSizes(tops: readonly TopPlan[]): void {
  for (const { size } of tops) {
    if (size <= LARGEST_TOP) continue
    const reason = `must be at most ${LARGEST_TOP}, the maximum per bucket of a cluster`
    throw problem('LIMIT_EXCEEDED', { parameter: 'fetch_hits', value: size, reason, setting: 'limits.fetchHits' })
  }
}

/** Adds the top documents of every bucket of a level, and exact counts and metrics if they are still missing. */
export async function addTops(work: ClusterAggregation, depth: number): Promise<void> {
  const { plan, root } = work
  const { tops = [], metrics = [] } = plan.levels[depth] ?? {}
  if (tops.length === 0) return
  // For a level above others, the phase of the next level has already done so.
  const again = isAskedAgain(plan, depth) && depth === plan.levels.length - 1
  const aggs = { ...compileTops(tops), ...(again ? compileBucketMetrics(metrics, plan) : {}) }
  const perBucket = tops.reduce((sum, { size }) => sum + size, 0)
  const most = Math.max(1, Math.floor(MOST_HITS / perBucket))
  const nodes = nodesByKey(root, depth)
  const found = new Set<ClusterBucket>()
  for (let at = 0; at < nodes.length; at += most) {
    await askInside(work, nodes.slice(at, at + most), aggs, (node, answer) => {
      found.add(node)
      node.tops = readTops(tops, answer)
      if (again) readAgain(node, answer, metrics)
    })
  }
  dropAndReorder(work, depth, found)
}

const nameOf = (place: number): string => `t${place}`
const PICKED = 'picked'

function compileTops(tops: readonly TopPlan[]): WireObject {
  return Object.fromEntries(tops.map((top, i) => [nameOf(i), compileTop(top)]))
}

function compileTop(top: TopPlan): WireObject {
  const { size, sort } = top
  // Without a sort the hits would be sorted by score.
  const picked = { top_hits: { size, sort: sort.length === 0 ? ['_doc'] : compileSort(sort) } }
  const demanded = demandedFields(top)
  if (demanded.length === 0) return picked
  return { filter: { bool: { filter: demanded.map(exists) } }, aggs: { [PICKED]: picked } }
}

function readTops(tops: readonly TopPlan[], answer: RawBucket): readonly (readonly FoundDocument[])[] {
  return tops.map((plan, i) => {
    const top = answer[nameOf(i)] as WireObject | undefined
    const picked = (demandedFields(plan).length === 0 ? top : top?.[PICKED]) as { readonly hits: HitList } | undefined
    return (picked?.hits.hits ?? []).map(toFound)
  })
}
