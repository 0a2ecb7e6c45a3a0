import type { Position } from '../../model/geometry.ts'
import type { Area, Box } from '../area.ts'
import { boxHolds, boxMeetsPath, boxRing } from '../box.ts'
import { type EdgeIndex, edgeBox, edgesMeet, indexEdges, onEdge, someEdgeNear } from '../polygon/edge-index.ts'
import { AGAINST, CROSSES, edgeRelation, INSIDE, OUTSIDE } from '../polygon/edge-relation.ts'
import type { Edge } from '../polygon/edge-tree.ts'
import { insideBox, type Location, locate, locateBox, type Region, regionOf } from '../polygon/region.ts'
import { boxesMeet, pathBounds, type Ring } from '../ring.ts'
import type { Shape } from '../shape/shape.ts'
import { areaBounds } from './area-bounds.ts'
import { innerBoxes } from './inner-boxes.ts'
import { uncoveredParts } from './line-cover.ts'

/** An area prepared for tests of many documents. Planar and exact; all boundaries are inclusive (spec 2.3, 3.10). */
export interface PreparedArea {
  /** At most four boxes, disjoint in longitude, that together cover the area. */
  readonly bounds: readonly Box[]
  /** True if the area is exactly the union of `bounds`. */
  readonly isBoxes: boolean
  /**
   * Boxes inside an area that does not consist of boxes; they cover most of it if prepared for `many`. Points in them
   * need no exact test.
   */
  readonly inner: () => readonly Box[]
  readonly coversPoint: (lon: number, lat: number) => boolean
  /** 1: the whole box lies in the area; -1: outside; 0: partly, or unknown without an exact test. */
  readonly locateBox: (box: Box) => Location
  readonly coversShape: (shape: Shape) => boolean
  readonly intersectsShape: (shape: Shape) => boolean
}

/** Further boxes would cover little, and each costs a comparison for every point. */
const MOST_INNER = 3

/** Enough columns and rows to decide most points without testing an edge. */
const FINE_COLUMNS = 24

/** Cached per area: one request prepares the same area several times. */
const prepared = { some: new WeakMap<Area, PreparedArea>(), many: new WeakMap<Area, PreparedArea>() }

/**
 * `many`: for tests of all documents of an index. A polygon of few vertices then takes three times the memory, which is
 * too much for thousands of areas, as in the subscription matcher.
 */
export function prepareArea(area: Area, asked: 'some' | 'many' = 'some'): PreparedArea {
  const known = prepared[asked].get(area)
  if (known) return known
  const onlyBoxes = area.polygons.length === 0 && area.lines.length === 0 && area.points.length === 0
  const made = onlyBoxes ? prepareBoxes(area.boxes) : prepareAny(area, asked === 'many' ? FINE_COLUMNS : 1)
  prepared[asked].set(area, made)
  return made
}

function prepareBoxes(boxes: readonly Box[]): PreparedArea {
  const coversPoint = (x: number, y: number): boolean => boxes.some((box) => boxHolds(box, x, y))
  // Boxes do not touch each other, so a connected path lies in one of them.
  const coversPath = (path: readonly Position[]): boolean => {
    const bounds = pathBounds(path)
    return boxes.some((box) => insideBox(bounds, box))
  }
  return {
    bounds: boxes,
    isBoxes: true,
    inner: () => [],
    coversPoint,
    locateBox: (box) => {
      if (boxes.some((other) => insideBox(box, other))) return 1
      return boxes.some((other) => boxesMeet(box, other)) ? 0 : -1
    },
    coversShape: ({ polygons, lines, points }) =>
      polygons.every(([exterior = []]) => coversPath(exterior)) &&
      lines.every(coversPath) &&
      points.every(([x = 0, y = 0]) => coversPoint(x, y)),
    intersectsShape: ({ polygons, lines, points }) =>
      points.some(([x = 0, y = 0]) => coversPoint(x, y)) ||
      lines.some((line) => boxes.some((box) => boxMeetsPath(box, line))) ||
      polygons.some((rings) => boxes.some((box) => boxMeetsPolygon(box, rings))),
  }
}

function boxMeetsPolygon(box: Box, rings: readonly Ring[]): boolean {
  const bounds = pathBounds(rings[0] ?? [])
  if (!boxesMeet(box, bounds)) return false
  if (insideBox(bounds, box)) return true
  return rings.some((ring) => boxMeetsPath(box, ring)) || locate(regionOf(rings, false), box.west, box.south) >= 0
}

/** Parts of the area by dimension: with an area, lines, and points. */
interface Prepared {
  readonly region: Region
  /** One vertex of every polygon. */
  readonly corners: readonly Position[]
  readonly lines: EdgeIndex
  readonly points: readonly Position[]
  /** Latitudes of the points by longitude. */
  readonly latitudes: ReadonlyMap<number, ReadonlySet<number>>
}

function prepareAny(area: Area, fewestColumns: number): PreparedArea {
  const { uncut = [] } = area
  const flat = area.boxes.filter((box) => box.west === box.east)
  const polygons = [...area.polygons, ...area.boxes.filter((box) => box.west < box.east).map((box) => [boxRing(box)])]
  const parts: Prepared = {
    region: regionOf(polygons.flat(), true, fewestColumns),
    corners: polygons.map(([exterior]) => exterior?.[0] ?? []),
    lines: indexEdges([...area.lines, ...flat.map(boxRing), ...uncut], 1, true),
    points: area.points,
    latitudes: latitudesByLongitude(area.points),
  }
  const hasOnlyPolygons = parts.lines.edges.length === 0 && area.points.length === 0
  return {
    bounds: areaBounds(area),
    isBoxes: false,
    inner: once(() => innerBoxes(parts.region, MOST_INNER)),
    coversPoint: hasOnlyPolygons ? (x, y) => locate(parts.region, x, y) >= 0 : (x, y) => coversPoint(parts, x, y),
    locateBox: (box) => {
      const known = locateBox(parts.region, box)
      return known < 0 && !hasOnlyPolygons ? 0 : known
    },
    coversShape: ({ polygons, lines, points }) =>
      points.every(([x = 0, y = 0]) => coversPoint(parts, x, y)) &&
      lines.every((line) => coversLine(parts, line)) &&
      polygons.every((rings) => coversPolygon(parts.region, rings)),
    intersectsShape: ({ polygons, lines, points }) =>
      points.some(([x = 0, y = 0]) => coversPoint(parts, x, y)) ||
      lines.some((line) => meetsLine(parts, line)) ||
      polygons.some((rings) => meetsPolygon(parts, rings)),
  }
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

function latitudesByLongitude(points: readonly Position[]): ReadonlyMap<number, ReadonlySet<number>> {
  const latitudes = new Map<number, Set<number>>()
  for (const [x = 0, y = 0] of points) latitudes.set(x, (latitudes.get(x) ?? new Set()).add(y))
  return latitudes
}

function coversPoint({ region, lines, latitudes }: Prepared, x: number, y: number): boolean {
  if (locate(region, x, y) >= 0) return true
  if (latitudes.get(x)?.has(y)) return true
  return someEdgeNear(lines, { west: x, south: y, east: x, north: y }, (edge) => onEdge(edge, x, y))
}

/** Points of the area cannot fill a gap in a line, and its lines cannot fill one in a polygon. */
function coversLine({ region, lines }: Prepared, line: readonly Position[]): boolean {
  return indexEdges([line]).edges.every((edge) =>
    uncoveredParts(edge, lines).every((part) => (edgeRelation(region, part) & (CROSSES | OUTSIDE)) === 0),
  )
}

/**
 * A polygon is covered if no part of its border leaves the area or has the area on the wrong side, and no border of the
 * area (for example of a hole) runs through its interior.
 */
function coversPolygon(area: Region, rings: readonly Ring[]): boolean {
  const bounds = pathBounds(rings[0] ?? [])
  if (!insideBox(bounds, area.bounds)) return false
  const known = locateBox(area, bounds)
  if (known !== 0) return known > 0
  const polygon = regionOf(rings, false)
  return (
    polygon.edges.every((edge) => (edgeRelation(area, edge) & (CROSSES | OUTSIDE | AGAINST)) === 0) &&
    !someEdgeNear(area, bounds, (edge) => (edgeRelation(polygon, edge) & (CROSSES | INSIDE)) !== 0)
  )
}

function meetsLine(area: Prepared, line: readonly Position[]): boolean {
  const [x = 0, y = 0] = line[0] ?? []
  return coversPoint(area, x, y) || meetsPaths(area, indexEdges([line]))
}

function meetsPolygon(area: Prepared, rings: readonly Ring[]): boolean {
  const bounds = pathBounds(rings[0] ?? [])
  const { region, corners, lines, points } = area
  const known = locateBox(region, bounds)
  if (known > 0) return true
  if (known < 0 && points.length === 0 && !someEdgeNear(lines, bounds, () => true)) return false
  const [x = 0, y = 0] = rings[0]?.[0] ?? []
  if (coversPoint(area, x, y)) return true
  const polygon = regionOf(rings, false)
  if (meetsPaths(area, polygon)) return true
  // The borders do not meet, so one point of each part of the area decides whether it lies in the polygon.
  const holds = (px: number, py: number): boolean => boxHolds(bounds, px, py) && locate(polygon, px, py) >= 0
  return (
    corners.some(([px = 0, py = 0]) => holds(px, py)) ||
    points.some(([px = 0, py = 0]) => holds(px, py)) ||
    someEdgeNear(lines, bounds, (edge) => holds(edge.ax, edge.ay))
  )
}

/** True if an edge of the paths meets a border, a line or a point of the area. */
function meetsPaths({ region, lines, points }: Prepared, paths: EdgeIndex): boolean {
  const meetsAny = (index: EdgeIndex, edge: Edge): boolean =>
    someEdgeNear(index, edgeBox(edge), (other) => edgesMeet(edge, other))
  return (
    paths.edges.some((edge) => meetsAny(region, edge) || meetsAny(lines, edge)) ||
    points.some(([x = 0, y = 0]) =>
      someEdgeNear(paths, { west: x, south: y, east: x, north: y }, (edge) => onEdge(edge, x, y)),
    )
  )
}
