import type { TopPlan } from '../../query/aggregation-plan.ts'
import { compareCodePoints } from '../../query/code-point-order.ts'
import { type Field, isGeo } from '../../query/field.ts'
import type { FieldSortKey } from '../../query/plan.ts'
import type { Scalar } from '../../query/predicate.ts'
import type { ScannedDocuments } from './scanned-document.ts'

/** The first documents of a bucket, by their numbers. */
export type Pick = (members: readonly number[]) => readonly number[]

export function scannedPick({ size, sort, having }: TopPlan, documents: ScannedDocuments): Pick {
  const compare = documentOrder(sort, documents)
  const has = having === undefined ? undefined : hasValue(having, documents)
  return (members) => {
    const best: number[] = []
    for (const member of members) {
      if (has !== undefined && !has(member)) continue
      const last = best.at(-1)
      if (best.length === size && last !== undefined && compare(member, last) >= 0) continue
      best.splice(placeOf(member, best, compare), 0, member)
      if (best.length > size) best.pop()
    }
    return best
  }
}

function hasValue(field: Field, documents: ScannedDocuments): (document: number) => boolean {
  if (!isGeo(field.type)) {
    const column = documents.scalars(field)
    return (document) => (column[document]?.length ?? 0) > 0
  }
  const column = documents.geometries(field)
  return (document) => column[document] !== undefined
}

type Compare = (a: number, b: number) => number

/** Behind those that are equal. */
function placeOf(member: number, sorted: readonly number[], compare: Compare): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (compare(sorted[middle] ?? 0, member) <= 0) low = middle + 1
    else high = middle
  }
  return low
}

/** Documents equal in all keys are ordered by index and `_id`, so that the answer does not depend on how they came. */
function documentOrder(sort: readonly FieldSortKey[], documents: ScannedDocuments): Compare {
  const keys = sort.map((key) => ({ values: sortValues(key, documents), sign: key.descending ? -1 : 1 }))
  return (a, b) => {
    for (const { values, sign } of keys) {
      const [x, y] = [values[a], values[b]]
      if (x === undefined && y === undefined) continue
      if (x === undefined) return 1
      if (y === undefined) return -1
      const order = compareScalars(x, y)
      if (order !== 0) return sign * order
    }
    const [x, y] = [documents.name(a), documents.name(b)]
    return compareCodePoints(x.index, y.index) || compareCodePoints(x.id, y.id)
  }
}

/** Of several values the smallest ascending and the largest descending. */
function sortValues({ field, descending }: FieldSortKey, documents: ScannedDocuments): readonly (Scalar | undefined)[] {
  return documents.scalars(field).map((values) => {
    let chosen: Scalar | undefined
    for (const value of values) {
      const order = chosen === undefined ? -1 : compareScalars(value, chosen)
      if (chosen === undefined || (descending ? order > 0 : order < 0)) chosen = value
    }
    return chosen
  })
}

function compareScalars(a: Scalar, b: Scalar): number {
  if (typeof a === 'string' && typeof b === 'string') return compareCodePoints(a, b)
  return a < b ? -1 : a > b ? 1 : 0
}
