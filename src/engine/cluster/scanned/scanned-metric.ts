import type { Box } from '../../../geo/area.ts'
import type { MetricValue } from '../../../query/aggregation/bucket.ts'
import type { MetricPlan } from '../../../query/plan/aggregation-plan.ts'
import type { Scalar } from '../../../query/plan/predicate.ts'
import type { ScannedDocuments } from './scanned-document.ts'

/** Computes a metric over documents given by row number. */
export function scannedMetric(
  metric: MetricPlan,
  documents: ScannedDocuments,
  members: readonly number[],
): MetricValue {
  const { kind, field } = metric
  if (kind === 'bounds') return boundsOf(documents, metric, members)
  if (kind === 'centroid') return centroidOf(documents, metric, members)
  const column = documents.scalars(field)
  if (kind === 'cardinality') {
    const distinct = new Set<Scalar>()
    for (const member of members) for (const value of column[member] ?? []) distinct.add(value)
    return distinct.size
  }
  const sum = new Sum()
  let least: Scalar | undefined
  let greatest: Scalar | undefined
  for (const member of members) {
    for (const value of column[member] ?? []) {
      if (least === undefined || value < least) least = value
      if (greatest === undefined || value > greatest) greatest = value
      sum.add(value)
    }
  }
  if (kind === 'min') return numberOf(least)
  if (kind === 'max') return numberOf(greatest)
  if (kind === 'sum') return finite(sum.value)
  return sum.count === 0 ? null : finite(sum.value / sum.count)
}

const numberOf = (value: Scalar | undefined): number | null => (value === undefined ? null : Number(value))

/** Returns null for a sum that overflows a double (spec 2.1.7). */
const finite = (value: number): number | null => (Number.isFinite(value) ? value : null)

/**
 * Sum of values. Integers are added exactly. Other numbers are added with compensation of rounding errors, so that the
 * order has hardly any effect.
 */
class Sum {
  count = 0
  #whole = 0n
  #rest = 0
  #error = 0

  add(value: Scalar): void {
    this.count++
    if (typeof value === 'bigint') this.#whole += value
    else if (typeof value === 'number') this.#addNumber(value)
  }

  get value(): number {
    const rest = this.#rest + this.#error
    return Number(this.#whole) + (Number.isNaN(rest) ? this.#rest : rest)
  }

  #addNumber(value: number): void {
    const sum = this.#rest + value
    // The smaller summand lost digits (Neumaier 1974).
    this.#error += Math.abs(this.#rest) >= Math.abs(value) ? this.#rest - sum + value : value - sum + this.#rest
    this.#rest = sum
  }
}

function boundsOf(documents: ScannedDocuments, { field }: MetricPlan, members: readonly number[]): Box | null {
  const column = documents.geometries(field)
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const member of members) {
    const bounds = column[member]?.bounds
    if (bounds === undefined) continue
    west = Math.min(west, bounds.west)
    south = Math.min(south, bounds.south)
    east = Math.max(east, bounds.east)
    north = Math.max(north, bounds.north)
  }
  return west <= east ? { west, south, east, north } : null
}

function centroidOf(documents: ScannedDocuments, { field }: MetricPlan, members: readonly number[]): MetricValue {
  const column = documents.geometries(field)
  const [lons, lats] = [new Sum(), new Sum()]
  for (const member of members) {
    for (const [lon = 0, lat = 0] of column[member]?.places ?? []) {
      lons.add(lon)
      lats.add(lat)
    }
  }
  return lons.count === 0 ? null : [lons.value / lons.count, lats.value / lats.count]
}
