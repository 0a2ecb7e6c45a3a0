import type { MetricValue } from '../../../../query/aggregation/bucket.ts'
import type { AggregationLevel } from '../../../../query/plan/aggregation-plan.ts'
import type { KeySpace } from './keys/key-space.ts'

/** The groups of a level. */
interface Groups {
  readonly depth: number
  readonly plan: AggregationLevel
  /** Groups are below. */
  readonly size: number
  readonly counts: Uint32Array
  readonly space: KeySpace
  keyOf(group: number): number
  parentOf(group: number): number
  readonly metrics: readonly ((group: number, place: number) => MetricValue)[]
}

interface Selected {
  /** By parent, in order. */
  readonly kept: Uint32Array
  readonly starts: readonly number[]
  readonly others: readonly number[]
}

/** Sorts the groups of each parent in the order of the level and cuts them to its size. */
export function selectGroups(groups: Groups, parents: Uint32Array): Selected {
  const { size } = groups.plan
  const compare = comparison(groups)
  const byParent = splitByParent(groups, parents)
  const kept: Uint32Array[] = []
  const starts: number[] = []
  const others: number[] = []
  let total = 0
  for (const own of byParent) {
    const first = size === undefined || size >= own.length ? own.sort(compare) : firstOf(own, size, compare)
    const all = size === undefined ? 0 : sumOf(groups.counts, own)
    starts.push(total)
    others.push(size === undefined ? 0 : all - sumOf(groups.counts, first))
    kept.push(first)
    total += first.length
  }
  starts.push(total)
  const joined = new Uint32Array(total)
  for (const [i, list] of kept.entries()) joined.set(list, starts[i])
  return { kept: joined, starts, others }
}

/** Returns the groups of each parent. */
function splitByParent(groups: Groups, parents: Uint32Array): readonly Uint32Array[] {
  const { counts } = groups
  const size = Math.min(groups.size, counts.length)
  if (groups.depth === 0) return [existing(counts, size)]
  let most = 0
  for (let i = 0; i < parents.length; i++) most = Math.max(most, parents[i] ?? 0)
  const places = new Int32Array(most + 1).fill(-1)
  for (let place = 0; place < parents.length; place++) places[parents[place] ?? 0] = place
  const placeOf = (group: number): number => ((counts[group] ?? 0) === 0 ? -1 : (places[groups.parentOf(group)] ?? -1))
  const numbers = new Uint32Array(parents.length)
  for (let group = 0; group < size; group++) {
    const place = placeOf(group)
    if (place >= 0) numbers[place] = (numbers[place] ?? 0) + 1
  }
  const lists = Array.from(numbers, (n) => new Uint32Array(n))
  numbers.fill(0)
  for (let group = 0; group < size; group++) {
    const place = placeOf(group)
    if (place < 0) continue
    const at = numbers[place] ?? 0
    const list = lists[place]
    if (list) list[at] = group
    numbers[place] = at + 1
  }
  return lists
}

/** Returns the groups that have rows. */
function existing(counts: Uint32Array, size: number): Uint32Array {
  const groups = new Uint32Array(size)
  let found = 0
  for (let group = 0; group < size; group++) {
    if ((counts[group] ?? 0) > 0) groups[found++] = group
  }
  return groups.slice(0, found)
}

function sumOf(counts: Uint32Array, groups: Uint32Array): number {
  let sum = 0
  for (let i = 0; i < groups.length; i++) sum += counts[groups[i] ?? 0] ?? 0
  return sum
}

/** The order of `compareBuckets`, for groups. */
function comparison(groups: Groups): (a: number, b: number) => number {
  const { plan, counts } = groups
  const { order } = plan
  const sign = order.descending ? -1 : 1
  const byKey = keyComparison(groups)
  if (order.by === 'key') return (a, b) => sign * byKey(a, b)
  if (order.by === 'count') return (a, b) => sign * ((counts[a] ?? 0) - (counts[b] ?? 0)) || byKey(a, b)
  const results = new Float64Array(groups.size)
  const metric = groups.metrics[order.metric]
  for (let group = 0; group < groups.size; group++) {
    const value = (counts[group] ?? 0) === 0 ? null : metric?.(group, group)
    // Buckets without a value come last in both directions.
    results[group] = typeof value === 'number' ? sign * value : Number.POSITIVE_INFINITY
  }
  return (a, b) => {
    const [x = 0, y = 0] = [results[a], results[b]]
    return x < y ? -1 : x > y ? 1 : byKey(a, b)
  }
}

function keyComparison(groups: Groups): (a: number, b: number) => number {
  const { space, counts } = groups
  if (!space.numberOf) return (a, b) => space.compare(groups.keyOf(a), groups.keyOf(b))
  const size = Math.min(groups.size, counts.length)
  const numbers = new Float64Array(size)
  for (let group = 0; group < size; group++) {
    if ((counts[group] ?? 0) > 0) numbers[group] = space.numberOf(groups.keyOf(group))
  }
  return (a, b) => (numbers[a] ?? 0) - (numbers[b] ?? 0)
}

/** Returns the first `size` groups in order, with a heap whose root is the last of them. */
function firstOf(groups: Uint32Array, size: number, compare: (a: number, b: number) => number): Uint32Array {
  const heap = groups.slice(0, size)
  const sink = (from: number): void => {
    let at = from
    const group = heap[at] ?? 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= size) break
      if (child + 1 < size && compare(heap[child + 1] ?? 0, heap[child] ?? 0) > 0) child++
      if (compare(heap[child] ?? 0, group) <= 0) break
      heap[at] = heap[child] ?? 0
      at = child
    }
    heap[at] = group
  }
  for (let at = (size >> 1) - 1; at >= 0; at--) sink(at)
  if (size > 0) {
    for (let i = size; i < groups.length; i++) {
      const group = groups[i] ?? 0
      if (compare(group, heap[0] ?? 0) >= 0) continue
      heap[0] = group
      sink(0)
    }
  }
  return heap.sort(compare)
}
