import type { Geometry, Position } from '../../model/geometry.ts'
import type { Box } from '../area.ts'
import { changeLongitudes, otherSide } from '../polygon/complement.ts'
import { wrapLine, wrapLongitude, wrapPolygon } from '../polygon/longitude-cut.ts'
import { polygonFault } from '../polygon/polygon-fault.ts'
import { insideBox } from '../polygon/region.ts'
import { collapse, doubleArea, isClosed, isFlat, pathBounds, type Ring, windPolygon } from '../ring.ts'

/**
 * The normalised geometry of a document: two ordinates, every longitude in [-180,180], rings closed, exterior rings
 * (the first of a polygon) counter-clockwise and holes clockwise.
 */
export interface Shape {
  readonly polygons: readonly (readonly Ring[])[]
  readonly lines: readonly (readonly Position[])[]
  readonly points: readonly Position[]
}

interface ShapeParts {
  readonly polygons: (readonly Ring[])[]
  readonly lines: (readonly Position[])[]
  readonly points: Position[]
}

/** Returns the shape of a geometry (spec 2.3.3), or undefined if no part of it is valid. Never throws. */
export function normaliseShape(geometry: Geometry): Shape | undefined {
  const parts: ShapeParts = { polygons: [], lines: [], points: [] }
  addGeometry(parts, geometry)
  return parts.polygons.length + parts.lines.length + parts.points.length > 0 ? parts : undefined
}

/** Merges several shapes into one collection (spec 2.1.2). */
export function shapeOfAll(shapes: readonly Shape[]): Shape {
  const [only] = shapes
  if (only && shapes.length === 1) return only
  return {
    polygons: shapes.flatMap((shape) => shape.polygons),
    lines: shapes.flatMap((shape) => shape.lines),
    points: shapes.flatMap((shape) => shape.points),
  }
}

/** Returns the smallest box around the shape; it never crosses the antimeridian. */
export function shapeBounds(shape: Shape): Box {
  return pathBounds([...shape.polygons.map(([exterior = []]) => exterior), ...shape.lines, shape.points].flat())
}

/** True if `normaliseShape` would return a shape, without building it. */
export function isReadable(geometry: Geometry): boolean {
  switch (geometry.type) {
    case 'Point':
      return inRange([geometry.coordinates])
    case 'MultiPoint':
      return geometry.coordinates.some((point) => inRange([point]))
    case 'LineString':
      return inRange(geometry.coordinates)
    case 'MultiLineString':
      return geometry.coordinates.some(inRange)
    case 'Polygon':
      return polygonInRange(geometry.coordinates)
    case 'MultiPolygon':
      return geometry.coordinates.some(polygonInRange)
    case 'GeometryCollection':
      return geometry.geometries.some(isReadable)
  }
}

function polygonInRange(rings: readonly (readonly Position[])[]): boolean {
  return rings.length > 0 && rings.every(inRange)
}

function inRange(path: readonly Position[]): boolean {
  return path.length > 0 && path.every((position) => within(position[0], 360) && within(position[1], 90))
}

function within(value: number | undefined, limit: number): boolean {
  return value !== undefined && value >= -limit && value <= limit
}

function addGeometry(parts: ShapeParts, geometry: Geometry): void {
  switch (geometry.type) {
    case 'Point':
      addPoint(parts, geometry.coordinates)
      break
    case 'MultiPoint':
      for (const point of geometry.coordinates) addPoint(parts, point)
      break
    case 'LineString':
      addLine(parts, geometry.coordinates)
      break
    case 'MultiLineString':
      for (const line of geometry.coordinates) addLine(parts, line)
      break
    case 'Polygon':
      addPolygon(parts, geometry.coordinates)
      break
    case 'MultiPolygon':
      for (const polygon of geometry.coordinates) addPolygon(parts, polygon)
      break
    case 'GeometryCollection':
      for (const member of geometry.geometries) addGeometry(parts, member)
  }
}

function addPoint(parts: ShapeParts, point: Position): void {
  const [x = 0, y = 0] = point
  if (inRange([point])) parts.points.push([wrapLongitude(x) + 0, y + 0])
}

/** Keeps two ordinates; adding zero turns -0 into 0. */
function flatPosition(position: Position): Position {
  return [(position[0] ?? 0) + 0, (position[1] ?? 0) + 0]
}

/** A line of length zero becomes a point. */
function addLine(parts: ShapeParts, line: readonly Position[]): void {
  if (!inRange(line)) return
  const path = collapse(line.map(flatPosition))
  if (path.length === 1) addPoint(parts, path[0] ?? [])
  else parts.lines.push(...wrapLine(path))
}

/** A polygon without area becomes a line or a point; holes without area or outside the bounds are dropped. */
function addPolygon(parts: ShapeParts, polygon: readonly (readonly Position[])[]): void {
  if (!polygonInRange(polygon)) return
  const [drawn = [], ...drawnHoles] = polygon.map(closeRing)
  if (isFlat(drawn)) {
    addLine(parts, drawn)
    return
  }
  const [exterior = [], ...holes] = asMeant([drawn, ...drawnHoles])
  const bounds = pathBounds(exterior)
  const readable = holes.filter((hole) => !isFlat(hole) && insideBox(pathBounds(hole), bounds))
  for (const piece of wrapPolygon([exterior, ...readable])) parts.polygons.push(windPolygon(piece))
}

function closeRing(ring: readonly Position[]): Ring {
  const path = collapse(ring.map(flatPosition))
  return isClosed(path) ? path : [...path, path[0] ?? []]
}

/** A clockwise ring at least 180 degrees wide is taken round the other side of the globe, if the result is valid. */
function asMeant(polygon: readonly Ring[]): readonly Ring[] {
  const [exterior = []] = polygon
  const { west, east } = pathBounds(exterior)
  if (east - west < 180 || doubleArea(exterior) > 0) return polygon
  const change = otherSide(exterior)
  const turned = polygon.map((ring) => changeLongitudes(ring, change))
  return polygonFault([turned.slice(0, 1)]) === undefined ? turned : polygon
}
