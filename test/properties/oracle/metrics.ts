import type { AggregatedDocument, UprightBox } from './aggregated-documents.ts'
import { numbersOf, scalarField } from './fields.ts'
import type { Position } from './geometry.ts'
import { degrees, near } from './matchers.ts'

const numberFunctions = ['avg', 'sum', 'min', 'max', 'cardinality'] as const
export const geoFunctions = ['geobbox', 'geocentroid'] as const
export type NumberFunction = (typeof numberFunctions)[number]
export type GeoFunction = (typeof geoFunctions)[number]

/** A metric: its value for ordering buckets, and its value in the response. */
interface Figure {
  readonly value: number
  readonly shown: unknown
}

/** Computes a metric over all values of the documents; undefined if there are no values. */
export function figure(
  fct: NumberFunction,
  path: string,
  documents: readonly AggregatedDocument[],
): Figure | undefined {
  if (fct === 'cardinality') {
    const distinct = new Set(documents.flatMap((d) => scalarField(path)?.values(d) ?? [])).size
    return { value: distinct, shown: distinct }
  }
  const numbers = documents.flatMap((d) => numbersOf(path, d))
  if (fct === 'sum' && numbers.length === 0) return { value: 0, shown: 0 }
  if (numbers.length === 0) return undefined
  const { total, scale } = sumOf(numbers)
  switch (fct) {
    case 'sum':
      return { value: total, shown: near(total, Number.isSafeInteger(scale) ? 0 : scale * 1e-9) }
    case 'avg':
      return { value: total / numbers.length, shown: near(total / numbers.length, (scale / numbers.length) * 1e-9) }
    default: {
      const value = numbers.reduce((a, b) => (fct === 'min' ? Math.min(a, b) : Math.max(a, b)))
      return { value, shown: value }
    }
  }
}

/** Adds integers exactly; `scale` is the sum of the absolute values. */
function sumOf(numbers: readonly number[]): { total: number; scale: number } {
  const scale = numbers.reduce((sum, v) => sum + Math.abs(v), 0)
  if (numbers.every(Number.isSafeInteger)) {
    return { total: Number(numbers.reduce((sum, v) => sum + BigInt(v), 0n)), scale }
  }
  return { total: numbers.reduce((sum, v) => sum + v, 0), scale }
}

/** Returns the envelopes of the values of a field: boxes of shapes, and points. */
function envelopes(path: string, d: AggregatedDocument): readonly UprightBox[] {
  if (path === 'area') return d.boxes
  const points = path === 'spot' ? d.spot : d.where
  return points.map(([x, y]) => ({ west: x, south: y, east: x, north: y }))
}

/** Returns the smallest box around the values. */
export function boundsAround(path: string, documents: readonly AggregatedDocument[]): UprightBox | undefined {
  const boxes = documents.flatMap((d) => envelopes(path, d))
  if (boxes.length === 0) return undefined
  const lowest = (values: readonly number[]): number => values.reduce((a, b) => Math.min(a, b))
  const highest = (values: readonly number[]): number => values.reduce((a, b) => Math.max(a, b))
  return {
    west: lowest(boxes.map((b) => b.west)),
    south: lowest(boxes.map((b) => b.south)),
    east: highest(boxes.map((b) => b.east)),
    north: highest(boxes.map((b) => b.north)),
  }
}

/** Returns the mean of the points, or of the planar centroids of the shapes. */
export function centroidOf(path: string, documents: readonly AggregatedDocument[]): Position | undefined {
  const points = documents.flatMap((d) => {
    if (path !== 'area') return path === 'spot' ? d.spot : d.where
    const centroid = planarCentroid(d.boxes)
    return centroid === undefined ? [] : [centroid]
  })
  if (points.length === 0) return undefined
  const mean = (at: 0 | 1): number => points.reduce((sum, p) => sum + p[at], 0) / points.length
  return [mean(0), mean(1)]
}

/**
 * Returns the mean of the centres of the parts with the highest dimension, weighted by area, length or count (spec
 * 2.6).
 */
export function planarCentroid(boxes: readonly UprightBox[]): Position | undefined {
  const parts = boxes.map(({ west, south, east, north }) => {
    const [w, h] = [east - west, north - south]
    const dimension = Number(w > 0) + Number(h > 0)
    const weight = [1, w + h, w * h][dimension] ?? 0
    return { middle: [(west + east) / 2, (south + north) / 2] as const, dimension, weight }
  })
  const highest = Math.max(...parts.map((p) => p.dimension))
  const counted = parts.filter((p) => p.dimension === highest)
  const [only] = counted
  if (counted.length < 2) return only?.middle
  const total = counted.reduce((sum, p) => sum + p.weight, 0)
  const mean = (at: 0 | 1): number => counted.reduce((sum, p) => sum + p.middle[at] * p.weight, 0) / total
  return [mean(0), mean(1)]
}

/** Converts a point to its form in the response. */
export const pointGeometry = ([lon, lat]: Position): unknown => ({
  type: 'Point',
  coordinates: [degrees(lon), degrees(lat)],
})

/** Converts a closed ring to its form in the response. */
export const ringGeometry = (ring: readonly Position[]): unknown => ({
  type: 'Polygon',
  coordinates: [ring.map(([lon, lat]) => [degrees(lon), degrees(lat)])],
})

/** Vertices in the order SW, SE, NE, NW, SW. */
export function boxPolygon({ west, south, east, north }: UprightBox): unknown {
  return ringGeometry([
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ])
}

export function geoFigure(fct: GeoFunction, path: string, documents: readonly AggregatedDocument[]): unknown {
  if (fct === 'geobbox') {
    const box = boundsAround(path, documents)
    return box === undefined ? undefined : boxPolygon(box)
  }
  const centroid = centroidOf(path, documents)
  return centroid === undefined ? undefined : pointGeometry(centroid)
}
