import type { Geometry, Position } from '../../model/geometry.ts'
import type { Area, Box } from '../area.ts'
import { GeometryFault } from '../geometry-fault.ts'
import { changeLongitudes, otherSide } from '../polygon/complement.ts'
import { roundedSegments, wrapLine, wrapLongitude, wrapPolygon } from '../polygon/longitude-cut.ts'
import { polygonFault } from '../polygon/polygon-fault.ts'
import { type UnionAllowance, unitePolygons } from '../polygon/polygon-union.ts'
import { boxesMeet, collapse, isClosed, isCounterClockwise, pathBounds, type Ring, windPolygon } from '../ring.ts'
import { parseWkt } from '../wkt.ts'
import { areaOfBox, checkDegrees } from './box-area.ts'

export interface AreaOptions {
  /** true: a clockwise exterior ring means its complement; false: a counter-clockwise one does. */
  readonly righthand: boolean
  readonly maxVertices: number
  /** True: WKT is rejected. */
  readonly boxOnly?: boolean
  /** Budget for the union of polygons, shared with other values of the request; absent: the budget of one request. */
  readonly union?: UnionAllowance
}

const WKT_BEGIN = /^\s*(SRID\s*=|(MULTI)?(POINT|LINESTRING|POLYGON)|GEOMETRYCOLLECTION)/i
const NUMBER = /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i

/** Parses a bbox or WKT value of a geo filter (spec 3.8, 3.9). Throws GeometryFault. */
export function parseArea(value: string, options: AreaOptions): Area {
  if (options.boxOnly === true) return parseBbox(value, BOX)
  if (!WKT_BEGIN.test(value)) return parseBbox(value, `${BOX} or WKT`)
  return areaOf(parseWkt(value, { maxVertices: options.maxVertices }), options)
}

/**
 * Returns the area of a geometry. Without `righthand`, a polygon is what its coordinates enclose, in whichever direction
 * they run. Throws GeometryFault.
 */
export function areaOf(
  geometry: Geometry,
  { righthand, union }: Pick<AreaOptions, 'union'> & Partial<Pick<AreaOptions, 'righthand'>>,
): Area {
  const drawn = collectParts(geometry)
  drawn.forEach(checkRanges)
  const polygons = drawn.flatMap(({ polygons }) => readPolygons(polygons, righthand))
  const lines = drawn.flatMap(({ lines }) => lines).map(readLine)
  const united = unitePolygons(polygons.flatMap(wrapPolygon), union)
  const points = drawn.flatMap(({ points }) => points).map(([x = 0, y = 0]) => [wrapLongitude(x), y])
  const uncut = [...polygons.flat(), ...lines].flatMap(roundedSegments)
  const area = {
    boxes: [],
    polygons: united.map(windPolygon),
    lines: lines.flatMap(wrapLine),
    points,
    ...(uncut.length > 0 ? { uncut } : {}),
  }
  return asBoxes(area) ?? area
}

const BOX = 'a bbox west,south,east,north'

/** `allowed` names the accepted forms, for the message. */
function parseBbox(value: string, allowed: string): Area {
  const items = value.split(',')
  if (items.length !== 4 || !items.every((item) => NUMBER.test(item))) {
    throw new GeometryFault(`must be ${allowed}`)
  }
  const [west = 0, south = 0, east = 0, north = 0] = items.map((item) => Number(item) + 0)
  const box = { west, south, east, north }
  checkDegrees(box)
  if (north <= south) throw new GeometryFault('must have north greater than south')
  return areaOfBox(box)
}

/** One member of a value; its polygons are those of one POLYGON or MULTIPOLYGON. */
interface Parts {
  readonly polygons: readonly (readonly Ring[])[]
  readonly lines: readonly (readonly Position[])[]
  readonly points: readonly Position[]
}

function collectParts(geometry: Geometry): readonly Parts[] {
  const none = { polygons: [], lines: [], points: [] }
  switch (geometry.type) {
    case 'Point':
      return [{ ...none, points: [geometry.coordinates] }]
    case 'MultiPoint':
      return [{ ...none, points: geometry.coordinates }]
    case 'LineString':
      return [{ ...none, lines: [geometry.coordinates] }]
    case 'MultiLineString':
      return [{ ...none, lines: geometry.coordinates }]
    case 'Polygon':
      return [{ ...none, polygons: [geometry.coordinates] }]
    case 'MultiPolygon':
      return [{ ...none, polygons: geometry.coordinates }]
    case 'GeometryCollection':
      return geometry.geometries.flatMap(collectParts)
  }
}

function checkRanges(parts: Parts): void {
  for (const [x = 0, y = 0] of [...parts.polygons.flat(2), ...parts.lines.flat(), ...parts.points]) {
    if (!(x >= -360 && x <= 360)) throw new GeometryFault('must have longitudes from -360 to 360')
    if (!(y >= -90 && y <= 90)) throw new GeometryFault('must have latitudes from -90 to 90')
  }
}

function readLine(line: readonly Position[]): readonly Position[] {
  const path = collapse(line)
  if (path.length < 2) throw new GeometryFault('has a line without two different positions')
  return path
}

function readPolygons(
  drawn: readonly (readonly Ring[])[],
  righthand: boolean | undefined,
): readonly (readonly Ring[])[] {
  if (drawn.length === 0) return []
  if (!drawn.flat().every(isClosed)) throw new GeometryFault('has a ring that is not closed')
  const polygons = drawn.map((polygon) => polygon.map(collapse))
  const fault = polygonFault(polygons)
  if (fault !== undefined) throw new GeometryFault(fault)
  if (righthand === undefined) return polygons.map(windPolygon)
  return polygons.map((polygon) =>
    isCounterClockwise(polygon[0] ?? []) === righthand ? polygon : complementOf(polygon, righthand),
  )
}

function complementOf([exterior = [], ...holes]: readonly Ring[], righthand: boolean): readonly Ring[] {
  const drawn = `is read as the complement of a ring drawn ${righthand ? 'clockwise' : 'counter-clockwise'}`
  if (holes.length > 0) throw new GeometryFault(`${drawn} and must not have holes`)
  const ring = changeLongitudes(exterior, otherSide(exterior))
  if (polygonFault([[ring]]) !== undefined) throw new GeometryFault(`${drawn}, which has no valid complement`)
  return [ring]
}

/** Returns the same area as boxes if it is one or two disjoint upright rectangles: boxes are faster to test. */
function asBoxes(area: Area): Area | undefined {
  if (area.polygons.length === 0 || area.polygons.length > 2 || area.lines.length > 0 || area.points.length > 0) {
    return undefined
  }
  const boxes = area.polygons.map(rectangleOf).filter((box) => box !== undefined)
  const [first, second] = boxes
  if (boxes.length < area.polygons.length || (first && second && boxesMeet(first, second))) return undefined
  return { ...area, boxes, polygons: [] }
}

function rectangleOf(polygon: readonly Ring[]): Box | undefined {
  const [ring = [], hole] = polygon
  if (hole || ring.length !== 5) return undefined
  const { west, south, east, north } = pathBounds(ring)
  const isCorner = ([x, y]: Position): boolean => (x === west || x === east) && (y === south || y === north)
  const isUpright = ring.every((position, i) => {
    const next = ring[i + 1] ?? position
    return isCorner(position) && (position[0] === next[0] || position[1] === next[1])
  })
  return isUpright ? { west, south, east, north } : undefined
}
