import type { Geometry, Position } from '../../model/geometry.ts'

/** Numbers of geometry types in WKB (OGC 06-103r4), and in FlatGeobuf. */
export const geometryTypes = {
  Point: 1,
  LineString: 2,
  Polygon: 3,
  MultiPoint: 4,
  MultiLineString: 5,
  MultiPolygon: 6,
  GeometryCollection: 7,
} as const

const LITTLE_ENDIAN = 1

/** Encodes a geometry as two-dimensional little-endian WKB. */
export function encodeGeometry(geometry: Geometry): Buffer {
  const bytes = Buffer.alloc(sizeOf(geometry))
  write(bytes, 0, geometry)
  return bytes
}

const HEADER = 5
const COUNT = 4
const POSITION = 16

const pathSize = (path: readonly Position[]): number => COUNT + POSITION * path.length
const sum = <T>(parts: readonly T[], size: (part: T) => number): number => parts.reduce((n, part) => n + size(part), 0)
const polygonSize = (rings: readonly (readonly Position[])[]): number => COUNT + sum(rings, pathSize)

function sizeOf(geometry: Geometry): number {
  switch (geometry.type) {
    case 'Point':
      return HEADER + POSITION
    case 'LineString':
      return HEADER + pathSize(geometry.coordinates)
    case 'Polygon':
      return HEADER + polygonSize(geometry.coordinates)
    case 'MultiPoint':
      return HEADER + COUNT + (HEADER + POSITION) * geometry.coordinates.length
    case 'MultiLineString':
      return HEADER + COUNT + sum(geometry.coordinates, (line) => HEADER + pathSize(line))
    case 'MultiPolygon':
      return HEADER + COUNT + sum(geometry.coordinates, (rings) => HEADER + polygonSize(rings))
    case 'GeometryCollection':
      return HEADER + COUNT + sum(geometry.geometries, sizeOf)
  }
}

function write(bytes: Buffer, start: number, geometry: Geometry): number {
  const at = bytes.writeUInt32LE(geometryTypes[geometry.type], bytes.writeUInt8(LITTLE_ENDIAN, start))
  switch (geometry.type) {
    case 'Point':
      return writePosition(bytes, at, geometry.coordinates)
    case 'LineString':
      return writePath(bytes, at, geometry.coordinates)
    case 'Polygon':
      return writeAll(bytes, at, geometry.coordinates, writePath)
    case 'MultiPoint':
      return writeMembers(bytes, at, 'Point', geometry.coordinates, writePosition)
    case 'MultiLineString':
      return writeMembers(bytes, at, 'LineString', geometry.coordinates, writePath)
    case 'MultiPolygon':
      return writeMembers(bytes, at, 'Polygon', geometry.coordinates, (b, place, rings) =>
        writeAll(b, place, rings, writePath),
      )
    case 'GeometryCollection':
      return writeAll(bytes, at, geometry.geometries, write)
  }
}

type Write<T> = (bytes: Buffer, at: number, part: T) => number

function writeAll<T>(bytes: Buffer, start: number, parts: readonly T[], one: Write<T>): number {
  return parts.reduce((at, part) => one(bytes, at, part), bytes.writeUInt32LE(parts.length, start))
}

/** Each member of a multi-geometry has its own header. */
function writeMembers<T>(
  bytes: Buffer,
  start: number,
  type: keyof typeof geometryTypes,
  parts: readonly T[],
  one: Write<T>,
): number {
  return writeAll(bytes, start, parts, (b, at, part) =>
    one(b, b.writeUInt32LE(geometryTypes[type], b.writeUInt8(LITTLE_ENDIAN, at)), part),
  )
}

const writePath: Write<readonly Position[]> = (bytes, at, path) => writeAll(bytes, at, path, writePosition)

const writePosition: Write<Position> = (bytes, at, [x = 0, y = 0]) => bytes.writeDoubleLE(y, bytes.writeDoubleLE(x, at))
