import type { Geometry, Position } from '../../src/model/geometry.ts'

type Path = readonly (readonly number[])[]

/** The kinds of shapefiles, and the parts of their records. */
export interface GeometryParts {
  readonly kind: 'points' | 'multipoints' | 'lines' | 'polygons'
  /** Points, lines, or polygons as lists of rings, in a normalised order and direction. */
  readonly parts: readonly unknown[]
}

/**
 * Converts a geometry to what a shapefile preserves: a line is a multi-line with one member, rings have the direction
 * of the format and any start. Members of a collection are separate records.
 */
export function partsOf(geometry: Geometry): readonly GeometryParts[] {
  switch (geometry.type) {
    case 'Point':
      return [{ kind: 'points', parts: [plane(geometry.coordinates)] }]
    case 'MultiPoint':
      return [{ kind: 'multipoints', parts: geometry.coordinates.map(plane) }]
    case 'LineString':
      return [{ kind: 'lines', parts: [geometry.coordinates.map(plane)] }]
    case 'MultiLineString':
      return [{ kind: 'lines', parts: geometry.coordinates.map((line) => line.map(plane)) }]
    case 'Polygon':
      return [{ kind: 'polygons', parts: [polygon(geometry.coordinates)] }]
    case 'MultiPolygon':
      return [{ kind: 'polygons', parts: sorted(geometry.coordinates.map(polygon)) }]
    case 'GeometryCollection':
      return geometry.geometries.flatMap(partsOf)
  }
}

/** Removes altitudes. */
export function flatGeometry(geometry: Geometry): Geometry {
  const lower = (coordinates: unknown): unknown =>
    Array.isArray(coordinates) && typeof coordinates[0] === 'number'
      ? coordinates.slice(0, 2)
      : Array.isArray(coordinates) && coordinates.map(lower)
  return geometry.type === 'GeometryCollection'
    ? { ...geometry, geometries: geometry.geometries.map(flatGeometry) }
    : ({ ...geometry, coordinates: lower(geometry.coordinates) } as Geometry)
}

/** Returns the bounding box of all parts: west, south, east, north. */
export function boxOf(geometries: readonly Geometry[]): readonly number[] {
  const all = geometries.flatMap(positionsOf)
  const ends = (axis: 0 | 1, pick: (...values: number[]) => number): number => pick(...all.map((p) => p[axis] ?? 0))
  return [ends(0, Math.min), ends(1, Math.min), ends(0, Math.max), ends(1, Math.max)]
}

function positionsOf(geometry: Geometry): readonly Position[] {
  if (geometry.type === 'GeometryCollection') return geometry.geometries.flatMap(positionsOf)
  const walk = (coordinates: unknown): readonly Position[] =>
    Array.isArray(coordinates) && typeof coordinates[0] === 'number'
      ? [coordinates as unknown as Position]
      : (coordinates as readonly unknown[]).flatMap(walk)
  return walk(geometry.coordinates)
}

const plane = ([x = 0, y = 0]: readonly number[]): readonly number[] => [x, y]

const polygon = (rings: readonly Path[]): unknown => {
  const [exterior = [], ...holes] = rings.map(canonicalRing)
  return [exterior, ...sorted(holes)]
}

const sorted = <T>(parts: readonly T[]): readonly T[] =>
  parts.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))

/** Normalises a closed ring: starts at its smallest vertex, in the smaller of both directions. */
function canonicalRing(ring: Path): Path {
  const open = ring.map(plane).slice(0, -1)
  const turned = (path: Path): Path => {
    const least = sorted(path)[0]
    const at = path.findIndex((corner) => JSON.stringify(corner) === JSON.stringify(least))
    return [...path.slice(at), ...path.slice(0, at)]
  }
  return sorted([turned(open), turned(open.toReversed())])[0] ?? []
}
