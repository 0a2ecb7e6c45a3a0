import type { SearchPlan } from '../../../../query/plan/plan.ts'
import type { Predicate } from '../../../../query/plan/predicate.ts'
import type { Part } from '../../segment/part.ts'
import { compileKey } from './page-key.ts'
import { compareKeyValues, type Direction, directionOf, type KeyValue, type Ranks, toKeyValue } from './sort-key.ts'

/** The order in which a page is read: that of the sort keys, reversed before a cursor. The same for all parts. */
export interface ReadingOrder {
  readonly plan: SearchPlan
  readonly isBackwards: boolean
  readonly directions: readonly Direction[]
  /** Only rows after these values are wanted. */
  readonly cursor: readonly KeyValue[] | undefined
}

export function readingOrder(plan: SearchPlan): ReadingOrder {
  const isBackwards = plan.cursor?.direction === 'before'
  return {
    plan,
    isBackwards,
    directions: plan.sort.map((key) => directionOf(key, isBackwards)),
    cursor: plan.cursor && plan.sort.map((key, i) => toKeyValue(plan.cursor?.values[i] ?? null, key)),
  }
}

/** The reading order in one part. */
export interface RowOrder {
  /** Ranks by the first sort key. */
  readonly ranks: Ranks
  /** Compares two rows of equal rank. The order is total. */
  readonly tie: (a: number, b: number) => number
  /** Rows with lower ranks are not after the cursor, those with higher ranks are; `isAfter` decides the others. */
  readonly bound: number
  readonly isAfter: (row: number) => boolean
  /** Rows that match have ranks in this range: what the predicate says of the first sort key. */
  readonly range: { readonly lowest: number; readonly highest: number } | undefined
  /** Value of a row for a sort key. */
  readonly value: (key: number, row: number) => KeyValue
  /** Upper bound of the ranks of rows whose first value is not after another. */
  readonly rankOfFirst: (value: KeyValue) => number
}

/** Terms that have no ranks: rows are compared by `tie`. */
const equalRanks: Ranks = {
  of: () => 0,
  ofValue: () => 0,
  fill: (from, to, into) => into.fill(0, 0, to - from),
}

/** Without sort keys, rows are in the order of their extents. */
function extentRanks({ extents }: Part): Ranks {
  return {
    of: (row) => extents.at[row] ?? 0,
    // Extents of different indices are not comparable.
    ofValue: () => Infinity,
    fill: (from, to, into) => into.set(extents.at.subarray(from, to)),
  }
}

export function orderRows(order: ReadingOrder, part: Part): RowOrder {
  const { plan, directions, cursor, isBackwards } = order
  const keys = plan.sort.flatMap((key, i) => {
    const direction = directions[i]
    return direction ? [{ ...compileKey(key, part, direction), direction }] : []
  })
  const ranks = keys[0] ? (keys[0].ranks ?? equalRanks) : extentRanks(part)
  const deciding = ranks === equalRanks ? keys : keys.slice(1)
  const { at } = part.extents
  const tie = (a: number, b: number): number => {
    for (const key of deciding) {
      const compared = key.compare(a, b)
      if (compared !== 0) return compared
    }
    return isBackwards ? (at[b] ?? 0) - (at[a] ?? 0) : (at[a] ?? 0) - (at[b] ?? 0)
  }
  const isAfter = (row: number): boolean => {
    if (!cursor) return true
    for (const [i, key] of keys.entries()) {
      const compared = compareKeyValues(key.value(row), cursor[i] ?? null, key.direction)
      if (compared !== 0) return compared > 0
    }
    return false
  }
  const rankOfFirst = (value: KeyValue): number => ranks.ofValue(value)
  return {
    ranks,
    tie,
    bound: cursor ? rankOfFirst(cursor[0] ?? null) : -Infinity,
    isAfter,
    range: rangeOf(order, ranks),
    value: (key, row) => keys[key]?.value(row) ?? null,
    rankOfFirst,
  }
}

/** Only for sort keys whose rows have one value: with several, the one that matches need not be the one that counts. */
function rangeOf({ plan, directions: [direction] }: ReadingOrder, ranks: Ranks): RowOrder['range'] {
  const [key] = plan.sort
  if (!key || !direction || key.kind !== 'field' || !ranks.walk) return undefined
  const isRange = (p: Predicate) => p.kind === 'range' && p.field.path === key.field.path
  const range = plan.predicate.kind === 'and' ? plan.predicate.members.find(isRange) : plan.predicate
  if (range?.kind !== 'range' || !isRange(range)) return undefined
  const [lower, upper] = direction.sign > 0 ? [range.lower, range.upper] : [range.upper, range.lower]
  return {
    lowest: lower ? ranks.ofValue(toKeyValue(lower.value, key)) : -Infinity,
    highest: upper ? ranks.ofValue(toKeyValue(upper.value, key)) : Infinity,
  }
}
