import type { Position } from '../../model/geometry.ts'
import type { Ring } from '../ring.ts'
import type { Shape } from './shape.ts'

const POINT = 1
const LINE = 2
const POLYGON = 3
const COLLECTION = 7
const HEADER = 5

/** Encodes the shape as little-endian WKB: its only part, or a GEOMETRYCOLLECTION of points, lines and polygons. */
export function encodeShape(shape: Shape): Uint8Array {
  const parts = shape.polygons.length + shape.lines.length + shape.points.length
  const path = (positions: readonly Position[]): number => 4 + 16 * positions.length
  let size = parts === 1 ? 0 : HEADER + 4
  for (const rings of shape.polygons) size += rings.reduce((sum, ring) => sum + path(ring), HEADER + 4)
  for (const line of shape.lines) size += HEADER + path(line)
  size += shape.points.length * (HEADER + 16)

  const view = new DataView(new ArrayBuffer(size))
  let at = 0
  const integer = (value: number): void => {
    view.setUint32(at, value, true)
    at += 4
  }
  const header = (type: number): void => {
    view.setUint8(at++, 1)
    integer(type)
  }
  const position = (ordinates: Position): void => {
    view.setFloat64(at, ordinates[0] ?? 0, true)
    view.setFloat64(at + 8, ordinates[1] ?? 0, true)
    at += 16
  }
  const positions = (list: readonly Position[]): void => {
    integer(list.length)
    list.forEach(position)
  }

  if (parts !== 1) {
    header(COLLECTION)
    integer(parts)
  }
  for (const rings of shape.polygons) {
    header(POLYGON)
    integer(rings.length)
    rings.forEach(positions)
  }
  for (const line of shape.lines) {
    header(LINE)
    positions(line)
  }
  for (const point of shape.points) {
    header(POINT)
    position(point)
  }
  return new Uint8Array(view.buffer)
}

/** The inverse of `encodeShape`. Throws RangeError for other input. */
export function decodeShape(bytes: Uint8Array): Shape {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const polygons: (readonly Ring[])[] = []
  const lines: (readonly Position[])[] = []
  const points: Position[] = []
  let at = 0
  const integer = (): number => {
    at += 4
    return view.getUint32(at - 4, true)
  }
  const header = (): number => {
    if (view.getUint8(at++) !== 1) throw new RangeError('WKB is not little-endian')
    return integer()
  }
  const position = (): Position => {
    at += 16
    return [view.getFloat64(at - 16, true), view.getFloat64(at - 8, true)]
  }
  // Items are read one by one: a wrong count fails at the end of the bytes, before memory is allocated for it.
  const list = <T>(read: () => T): T[] => {
    const items: T[] = []
    for (let count = integer(); count > 0; count--) items.push(read())
    return items
  }
  const part = (type: number): void => {
    if (type === POLYGON) polygons.push(list(() => list(position)))
    else if (type === LINE) lines.push(list(position))
    else if (type === POINT) points.push(position())
    else throw new RangeError(`unexpected WKB type ${type}`)
  }
  const type = header()
  if (type === COLLECTION) list(() => part(header()))
  else part(type)
  if (at !== bytes.byteLength) throw new RangeError('WKB has bytes after the geometry')
  return { polygons, lines, points }
}
