import { demandedFields, type TopPlan } from '../../../query/plan/aggregation-plan.ts'
import { type Field, isGeo } from '../../../query/schema/field.ts'
import type { ScannedDocuments } from './scanned-document.ts'
import { type Compare, documentOrder } from './scanned-order.ts'

/** Returns the first documents of a bucket, by row number. */
type Pick = (members: readonly number[]) => readonly number[]

export function scannedPick(top: TopPlan, documents: ScannedDocuments): Pick {
  const { size, sort } = top
  const compare = documentOrder(sort, documents)
  const demands = demandedFields(top).map((field) => hasValue(field, documents))
  return (members) => {
    const best: number[] = []
    for (const member of members) {
      if (!demands.every((has) => has(member))) continue
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

/** Binary search for the insertion index, after equal members. */
function placeOf(member: number, sorted: readonly number[], compare: Compare): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (compare(sorted[middle] ?? 0, member) <= 0) low = middle + 1
    else high = middle
  }
  return low
}
