import { findRingContact } from '../../geo/polygon/ring-sweep.ts'
import { collapse, isClosed, isFlat } from '../../geo/ring.ts'
import type { Position } from '../../model/geometry.ts'

/** A broken rule of a geometry: the JSON pointer of the invalid part, and the reason as a clause. */
export interface PointedFault {
  readonly pointer: string
  readonly reason: string
}

const MOST_VERTICES = 5_000
const DEEPEST_COLLECTION = 4

/**
 * Returns why a value is not a valid GeoJSON geometry for triggers and events (spec 3.4), undefined if it is valid.
 * Ring direction and additional members are ignored.
 */
export function geometryFault(value: unknown): PointedFault | undefined {
  const left = { vertices: MOST_VERTICES }
  try {
    checkGeometry(value, '', 1, left)
  } catch (error) {
    if (error instanceof Fault) return { pointer: error.pointer, reason: error.reason }
    throw error
  }
  return undefined
}

/** Same for a value that must be a Point. */
export function pointFault(value: unknown): PointedFault | undefined {
  if (isObject(value) && value.type !== 'Point') return { pointer: '/type', reason: 'must be Point' }
  return geometryFault(value)
}

class Fault extends Error {
  readonly pointer: string
  readonly reason: string

  constructor(pointer: string, reason: string) {
    super(`${pointer} ${reason}`)
    this.pointer = pointer
    this.reason = reason
  }
}

/** Number of vertices a geometry may still have. */
interface Left {
  vertices: number
}

type Check = (value: unknown, pointer: string, left: Left) => void

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function checkGeometry(value: unknown, pointer: string, depth: number, left: Left): void {
  if (!isObject(value)) throw new Fault(pointer, 'must be a GeoJSON geometry')
  if (value.type === 'GeometryCollection') {
    if (depth > DEEPEST_COLLECTION) {
      throw new Fault(pointer, `must not nest GeometryCollections deeper than ${DEEPEST_COLLECTION}`)
    }
    const members = listOf((member, at) => checkGeometry(member, at, depth + 1, left), 1)
    members(value.geometries, `${pointer}/geometries`, left)
    return
  }
  const check = typeof value.type === 'string' && Object.hasOwn(checks, value.type) ? checks[value.type] : undefined
  if (check === undefined) throw new Fault(`${pointer}/type`, 'must be a GeoJSON geometry type')
  check(value.coordinates, `${pointer}/coordinates`, left)
}

function listOf(check: Check, least: number): Check {
  return (value, pointer, left) => {
    if (!Array.isArray(value)) throw new Fault(pointer, 'must be an array')
    if (value.length < least) throw new Fault(pointer, `must have at least ${least} ${least === 1 ? 'item' : 'items'}`)
    value.forEach((item: unknown, i) => {
      check(item, `${pointer}/${i}`, left)
    })
  }
}

const position: Check = (value, pointer, left) => {
  if (!isPosition(value)) throw new Fault(pointer, 'must be a position: two or three numbers')
  const [lon = 0, lat = 0] = value
  if (!(lon >= -180 && lon <= 180)) throw new Fault(`${pointer}/0`, 'must be a longitude from -180 to 180')
  if (!(lat >= -90 && lat <= 90)) throw new Fault(`${pointer}/1`, 'must be a latitude from -90 to 90')
  left.vertices -= 1
  if (left.vertices < 0) throw new Fault('', `must not have more than ${MOST_VERTICES} vertices`)
}

const isPosition = (value: unknown): value is Position =>
  Array.isArray(value) && (value.length === 2 || value.length === 3) && value.every(Number.isFinite)

const isPath = (value: unknown): value is readonly Position[] => Array.isArray(value) && value.every(isPosition)

const ring: Check = (value, pointer, left) => {
  listOf(position, 4)(value, pointer, left)
  if (!isPath(value)) return
  if (!isClosed(value)) throw new Fault(pointer, 'must be a closed ring: the last position must equal the first')
  const path = collapse(value)
  if (path.length < 4 || isFlat(path)) throw new Fault(pointer, 'must be a ring with a non-zero area')
  if (findRingContact([path]) !== undefined) throw new Fault(pointer, 'must be a ring that does not intersect itself')
}

const line = listOf(position, 2)
const polygon = listOf(ring, 1)

const checks: Readonly<Record<string, Check>> = {
  Point: position,
  MultiPoint: listOf(position, 1),
  LineString: line,
  MultiLineString: listOf(line, 1),
  Polygon: polygon,
  MultiPolygon: listOf(polygon, 1),
}
