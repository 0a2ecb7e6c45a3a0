import { doubleArea, type Ring } from '../../../geo/ring.ts'
import type { Geometry, Position } from '../../../model/geometry.ts'

const POINT_TYPES = new Set([1, 11, 21])
const LINE_TYPES = new Set([3, 13, 23])
const POLYGON_TYPES = new Set([5, 15, 25])
const MULTIPOINT_TYPES = new Set([8, 18, 28])

/** Reads the content of one record; undefined for the null shape, a text if it is invalid. Z and M are dropped. */
export function readShape(bytes: Buffer): Geometry | undefined | string {
  const type = bytes.readInt32LE(0)
  if (type === 0) return undefined
  if (POINT_TYPES.has(type)) return bytes.length < 20 ? TRUNCATED : { type: 'Point', coordinates: position(bytes, 4) }
  if (MULTIPOINT_TYPES.has(type)) {
    if (bytes.length < 40) return TRUNCATED
    const points = positions(bytes, 40, bytes.readInt32LE(36))
    return points === undefined ? TRUNCATED : { type: 'MultiPoint', coordinates: points }
  }
  if (!LINE_TYPES.has(type) && !POLYGON_TYPES.has(type)) return `has the shape type ${type}, which is not supported`
  const parts = readParts(bytes)
  if (parts === undefined) return TRUNCATED
  const [only] = parts
  if (only === undefined) return undefined
  if (POLYGON_TYPES.has(type)) return polygonOf(parts)
  return parts.length === 1
    ? { type: 'LineString', coordinates: only }
    : { type: 'MultiLineString', coordinates: parts }
}

const TRUNCATED = 'is shorter than its shape'

const position = (bytes: Buffer, at: number): Position => [bytes.readDoubleLE(at), bytes.readDoubleLE(at + 8)]

function positions(bytes: Buffer, at: number, count: number): readonly Position[] | undefined {
  if (count < 0 || at + count * 16 > bytes.length) return undefined
  return Array.from({ length: count }, (_, i) => position(bytes, at + i * 16))
}

function readParts(bytes: Buffer): readonly Ring[] | undefined {
  if (bytes.length < 44) return undefined
  const parts = bytes.readInt32LE(36)
  const points = bytes.readInt32LE(40)
  const start = 44 + parts * 4
  if (parts < 0 || start > bytes.length) return undefined
  const all = positions(bytes, start, points)
  if (all === undefined) return undefined
  const starts = Array.from({ length: parts }, (_, i) => bytes.readInt32LE(44 + i * 4))
  return starts.map((first, i) => all.slice(first, starts[i + 1] ?? points)).filter((part) => part.length > 0)
}

/** Exterior rings are clockwise, holes follow in any order: a hole belongs to the smallest ring around it. */
function polygonOf(rings: readonly Ring[]): Geometry {
  const exteriors = rings.filter((ring) => doubleArea(ring) <= 0)
  // some programs write every ring counter-clockwise
  if (exteriors.length === 0) return multi(rings.map((ring) => [ring]))
  const polygons = exteriors.map((ring): Ring[] => [ring])
  for (const hole of rings) {
    if (doubleArea(hole) <= 0) continue
    const around = polygons
      .filter(([exterior = []]) => isInside(hole, exterior))
      .toSorted(([a = []], [b = []]) => Math.abs(doubleArea(a)) - Math.abs(doubleArea(b)))[0]
    if (around === undefined) polygons.push([hole])
    else around.push(hole)
  }
  return multi(polygons)
}

function multi(polygons: readonly (readonly Ring[])[]): Geometry {
  const [only] = polygons
  return polygons.length === 1 && only !== undefined
    ? { type: 'Polygon', coordinates: only }
    : { type: 'MultiPolygon', coordinates: polygons }
}

/** True if most of the first positions of a ring are inside another, so that shared positions do not decide. */
function isInside(ring: Ring, exterior: Ring): boolean {
  const sample = ring.slice(0, 9)
  return sample.filter((point) => holds(exterior, point)).length * 2 > sample.length
}

function holds(ring: Ring, [x = 0, y = 0]: Position): boolean {
  let inside = false
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
    const [ax = 0, ay = 0] = ring[i] ?? []
    const [bx = 0, by = 0] = ring[j] ?? []
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside
  }
  return inside
}
