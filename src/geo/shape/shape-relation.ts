import { createRequire } from 'node:module'
import type { Geometry, Position } from '../../model/geometry.ts'
import type { Area, Box } from '../area.ts'
import { boxRing } from '../box.ts'
import type { Shape } from './shape.ts'

/** Relations of two geometries as defined by OGC Simple Features, planar in longitude and latitude. */
export type ShapeRelation = 'contains' | 'equals' | 'touches' | 'crosses' | 'overlaps'

/** What is used of JTS, whose types are incomplete. */
interface Drawn {
  getDimension(): number
}
interface IntersectionMatrix {
  isContains(): boolean
  isEquals(a: number, b: number): boolean
  isTouches(a: number, b: number): boolean
  isCrosses(a: number, b: number): boolean
  isOverlaps(a: number, b: number): boolean
}
interface Topology {
  readonly read: (geometry: Geometry) => Drawn
  readonly relate: (a: Drawn, b: Drawn) => IntersectionMatrix
  /** True for the error of a geometry that is not valid, such as a polygon that crosses itself. */
  readonly isInvalid: (error: unknown) => boolean
}

let topology: Topology | undefined

/** Loaded on first use, because few requests need it. */
function loadTopology(): Topology {
  const require = createRequire(import.meta.url)
  const load = (path: string) => require(`jsts/org/locationtech/jts/${path}.js`).default
  const reader = new (load('io/GeoJSONReader'))()
  const RelateOp = load('operation/relate/RelateOp')
  const TopologyException = load('geom/TopologyException')
  return {
    read: (geometry) => reader.read(geometry),
    relate: (a, b) => RelateOp.relate(a, b),
    isInvalid: (error) => error instanceof TopologyException,
  }
}

/**
 * Returns a test whether shapes relate to an area of one dimension. A shape that has parts of several dimensions, or is
 * not valid, has none of these relations: they are not defined for it.
 */
export function shapeRelation(relation: ShapeRelation, area: Area): (shape: Shape) => boolean {
  topology ??= loadTopology()
  const { read, relate, isInvalid } = topology
  const geometry = geometryOf(shapeOfArea(area))
  if (geometry === undefined) return () => false
  const other = read(geometry)
  return (shape) => {
    const own = geometryOf(shape)
    if (own === undefined) return false
    try {
      const drawn = read(own)
      return holds(relation, relate(drawn, other), drawn.getDimension(), other.getDimension())
    } catch (error) {
      if (isInvalid(error)) return false
      throw error
    }
  }
}

export const pointShape = (lon: number, lat: number): Shape => ({ polygons: [], lines: [], points: [[lon, lat]] })

/** True if all parts of the area are points, or all lines, or all polygons. */
export const hasOneDimension = (area: Area): boolean => geometryOf(shapeOfArea(area)) !== undefined

function holds(relation: ShapeRelation, matrix: IntersectionMatrix, own: number, other: number): boolean {
  switch (relation) {
    case 'contains':
      return matrix.isContains()
    case 'equals':
      return matrix.isEquals(own, other)
    case 'touches':
      return matrix.isTouches(own, other)
    case 'crosses':
      return matrix.isCrosses(own, other)
    case 'overlaps':
      return matrix.isOverlaps(own, other)
  }
}

function shapeOfArea({ boxes, polygons, lines, points }: Area): Shape {
  const flat = boxes.filter(isFlat)
  return {
    polygons: [...boxes.filter((box) => !isFlat(box)).map((box) => [boxRing(box)]), ...polygons],
    lines: [...flat.filter((box) => !isPoint(box)).map(diagonal), ...lines],
    points: [...flat.filter(isPoint).map(({ west, south }) => [west, south]), ...points],
  }
}

const isFlat = ({ west, south, east, north }: Box): boolean => west === east || south === north
const isPoint = ({ west, south, east, north }: Box): boolean => west === east && south === north
const diagonal = ({ west, south, east, north }: Box): readonly Position[] => [
  [west, south],
  [east, north],
]

function geometryOf({ polygons, lines, points }: Shape): Geometry | undefined {
  const kinds = [polygons, lines, points].filter((parts) => parts.length > 0)
  if (kinds.length !== 1) return undefined
  if (polygons.length > 0) return { type: 'MultiPolygon', coordinates: polygons }
  return lines.length > 0
    ? { type: 'MultiLineString', coordinates: lines }
    : { type: 'MultiPoint', coordinates: points }
}
