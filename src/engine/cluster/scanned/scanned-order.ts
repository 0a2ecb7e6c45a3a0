import { greatCircle } from '../../../geo/distance.ts'
import type { SortKey } from '../../../query/plan/plan.ts'
import type { Scalar } from '../../../query/plan/predicate.ts'
import { compareCodePoints } from '../../../query/value/code-point-order.ts'
import { compareScalars } from '../../../query/value/scalar-order.ts'
import type { ScannedDocuments } from './scanned-document.ts'

/** Compares documents by row number. */
export type Compare = (a: number, b: number) => number

/**
 * Returns a total order with missing values last. Ties are ordered by index and `_id`, so that the order of reading has
 * no effect.
 */
export function documentOrder(sort: readonly SortKey[], documents: ScannedDocuments): Compare {
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

function sortValues(key: SortKey, documents: ScannedDocuments): readonly (Scalar | undefined)[] {
  if (key.kind === 'field') return documents.scalars(key.field).map((values) => choose(values, key.descending))
  // In whole decimetres: smaller differences count as equal (spec 2.5).
  const distance = ([lon = 0, lat = 0]: readonly number[]): number =>
    Math.floor(10 * greatCircle(key.lon, key.lat, lon, lat))
  return documents.geometries(key.field).map((geometry) => choose(geometry?.places.map(distance) ?? [], key.descending))
}

/** Of several values, returns the smallest for ascending and the largest for descending order. */
function choose(values: readonly Scalar[], descending: boolean): Scalar | undefined {
  let chosen = values[0]
  for (const value of values) {
    if (chosen === undefined) continue
    const order = compareScalars(value, chosen)
    if (descending ? order > 0 : order < 0) chosen = value
  }
  return chosen
}
