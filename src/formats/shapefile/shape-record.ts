import type { Box } from '../../geo/area.ts'
import type { Geometry, Position } from '../../model/geometry.ts'

/** Kinds of shapefiles with their type codes, in the order of an archive. */
export const shapeTypes = { points: 1, multipoints: 8, lines: 3, polygons: 5 } as const

export type ShapeKind = keyof typeof shapeTypes

/** One record of one shapefile with its parts; each part of a point record is one position. */
export interface ShapeRecord {
  readonly kind: ShapeKind
  readonly parts: readonly (readonly Position[])[]
}

/**
 * Returns the records of a geometry. Each member of a collection becomes a record of its kind. Empty geometries have
 * none.
 */
export function toRecords(geometry: Geometry): readonly ShapeRecord[] {
  return recordsOf(geometry).flatMap((record) => {
    const parts = record.parts.filter((part) => part.length > 0)
    return parts.length === 0 ? [] : [{ ...record, parts }]
  })
}

function recordsOf(geometry: Geometry): readonly ShapeRecord[] {
  switch (geometry.type) {
    case 'Point':
      return [{ kind: 'points', parts: [[geometry.coordinates]] }]
    case 'MultiPoint':
      return [{ kind: 'multipoints', parts: [geometry.coordinates] }]
    case 'LineString':
      return [{ kind: 'lines', parts: [geometry.coordinates] }]
    case 'MultiLineString':
      return [{ kind: 'lines', parts: geometry.coordinates }]
    case 'Polygon':
      return [{ kind: 'polygons', parts: polygonParts(geometry.coordinates) }]
    case 'MultiPolygon':
      return [{ kind: 'polygons', parts: geometry.coordinates.flatMap(polygonParts) }]
    case 'GeometryCollection':
      return geometry.geometries.flatMap(recordsOf)
  }
}

/**
 * Closes all rings and orients them: exterior clockwise, holes counter-clockwise. Readers distinguish them by
 * orientation.
 */
function polygonParts(rings: readonly (readonly Position[])[]): readonly (readonly Position[])[] {
  return rings.map((ring, i) => {
    const closed = closeRing(ring)
    const isClockwise = twiceArea(closed) < 0
    return isClockwise === (i === 0) ? closed : closed.toReversed()
  })
}

function closeRing(ring: readonly Position[]): readonly Position[] {
  const [first, last] = [ring[0], ring.at(-1)]
  if (first === undefined || last === undefined || (first[0] === last[0] && first[1] === last[1])) return ring
  return [...ring, first]
}

/** Positive if counter-clockwise. Computed relative to the first corner, to keep precision far from the origin. */
function twiceArea(ring: readonly Position[]): number {
  const [x0 = 0, y0 = 0] = ring[0] ?? []
  let area = 0
  for (let i = 1; i < ring.length; i++) {
    const [ax = 0, ay = 0] = ring[i - 1] ?? []
    const [bx = 0, by = 0] = ring[i] ?? []
    area += (ax - x0) * (by - y0) - (bx - x0) * (ay - y0)
  }
  return area
}

export function recordBox({ parts }: ShapeRecord): Box {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const part of parts) {
    for (const [x = Number.NaN, y = Number.NaN] of part) {
      west = Math.min(west, x)
      south = Math.min(south, y)
      east = Math.max(east, x)
      north = Math.max(north, y)
    }
  }
  return { west, south, east, north }
}
