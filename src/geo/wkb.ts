import type { Geometry, Position } from '../model/geometry.ts'
import { GeometryFault } from './geometry-fault.ts'

const DEEPEST = 16
const EWKB_Z = 0x80000000
const EWKB_M = 0x40000000
const EWKB_SRID = 0x20000000

/** A parsed geometry, with the number of its coordinate system if it states one (EWKB). */
interface ParsedWkb {
  readonly geometry: Geometry
  readonly srid?: number
}

/**
 * Parses well-known binary to GeoJSON: ISO WKB and EWKB, with Z kept and M dropped. Throws GeometryFault. The counts of
 * the bytes are checked against their length before anything is allocated.
 */
export function parseWkb(bytes: Uint8Array): ParsedWkb {
  const reader = new WkbReader(bytes)
  const geometry = reader.read(0)
  return reader.srid === undefined ? { geometry } : { geometry, srid: reader.srid }
}

class WkbReader {
  srid: number | undefined
  readonly #view: DataView
  #at = 0
  #little = true
  #size = 2
  #hasZ = false

  constructor(bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  read(depth: number): Geometry {
    if (depth > DEEPEST) throw new GeometryFault('is nested too deep')
    const type = this.#readHeader()
    switch (type) {
      case 1:
        return { type: 'Point', coordinates: this.#position() }
      case 2:
        return { type: 'LineString', coordinates: this.#path() }
      case 3:
        return { type: 'Polygon', coordinates: this.#paths() }
      case 4:
        return {
          type: 'MultiPoint',
          coordinates: this.#members(depth).map((member) => memberOf(member, 'Point').coordinates),
        }
      case 5:
        return {
          type: 'MultiLineString',
          coordinates: this.#members(depth).map((member) => memberOf(member, 'LineString').coordinates),
        }
      case 6:
        return {
          type: 'MultiPolygon',
          coordinates: this.#members(depth).map((member) => memberOf(member, 'Polygon').coordinates),
        }
      case 7:
        return { type: 'GeometryCollection', geometries: this.#members(depth) }
      default:
        throw new GeometryFault(`has the geometry type ${type}, which is not supported`)
    }
  }

  #readHeader(): number {
    this.#need(5)
    this.#little = this.#view.getUint8(this.#at) === 1
    const code = this.#view.getUint32(this.#at + 1, this.#little)
    this.#at += 5
    if ((code & EWKB_SRID) !== 0) {
      this.#need(4)
      this.srid ??= this.#view.getUint32(this.#at, this.#little)
      this.#at += 4
    }
    const plain = code & 0xffff
    const dimension = Math.floor(plain / 1000)
    this.#hasZ = (code & EWKB_Z) !== 0 || dimension === 1 || dimension === 3
    const hasM = (code & EWKB_M) !== 0 || dimension === 2 || dimension === 3
    this.#size = 2 + (this.#hasZ ? 1 : 0) + (hasM ? 1 : 0)
    return plain % 1000
  }

  #need(bytes: number): void {
    if (this.#at + bytes > this.#view.byteLength) throw new GeometryFault('ends too early')
  }

  #count(least: number): number {
    this.#need(4)
    const count = this.#view.getUint32(this.#at, this.#little)
    this.#at += 4
    this.#need(count * least)
    return count
  }

  #position(): Position {
    this.#need(this.#size * 8)
    const at = (i: number): number => this.#view.getFloat64(this.#at + i * 8, this.#little)
    const position = this.#hasZ ? [at(0), at(1), at(2)] : [at(0), at(1)]
    this.#at += this.#size * 8
    return position
  }

  #path(): readonly Position[] {
    return Array.from({ length: this.#count(this.#size * 8) }, () => this.#position())
  }

  #paths(): readonly (readonly Position[])[] {
    return Array.from({ length: this.#count(4) }, () => this.#path())
  }

  #members(depth: number): readonly Geometry[] {
    return Array.from({ length: this.#count(5) }, () => this.read(depth + 1))
  }
}

const isOfType = <T extends Geometry['type']>(member: Geometry, type: T): member is Extract<Geometry, { type: T }> =>
  member.type === type

function memberOf<T extends Geometry['type']>(member: Geometry, type: T): Extract<Geometry, { type: T }> {
  if (isOfType(member, type)) return member
  throw new GeometryFault(`has a ${member.type} where a ${type} is expected`)
}
