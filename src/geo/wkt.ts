import type { Geometry, Position } from '../model/geometry.ts'
import { GeometryFault } from './geometry-fault.ts'
import { WktTokens } from './wkt-token.ts'

interface WktOptions {
  /** For documents: Z and M are accepted (Z is kept), collections may be nested. */
  readonly lenient?: boolean
  /** Maximum number of positions. */
  readonly maxVertices?: number
}

const DEEPEST = 16

/** Parses one WKT geometry to GeoJSON. Checks only the grammar, not whether rings are closed or polygons valid. */
export function parseWkt(text: string, options: WktOptions = {}): Geometry {
  if (/^\s*SRID\s*=/i.test(text)) throw new GeometryFault('must be WKT without SRID')
  return new WktReader(text.trim(), options).readWhole()
}

/** Prints WKT in the usual spelling, with numbers in their shortest form. */
export function printWkt(geometry: Geometry): string {
  switch (geometry.type) {
    case 'Point':
      return `POINT${flag([geometry.coordinates])} (${printPosition(geometry.coordinates)})`
    case 'MultiPoint':
      return `MULTIPOINT${flag(geometry.coordinates)} (${geometry.coordinates.map((p) => `(${printPosition(p)})`).join(', ')})`
    case 'LineString':
      return `LINESTRING${flag(geometry.coordinates)} ${printPath(geometry.coordinates)}`
    case 'MultiLineString':
      return `MULTILINESTRING${flag(geometry.coordinates.flat())} (${geometry.coordinates.map(printPath).join(', ')})`
    case 'Polygon':
      return `POLYGON${flag(geometry.coordinates.flat())} ${printPaths(geometry.coordinates)}`
    case 'MultiPolygon':
      return `MULTIPOLYGON${flag(geometry.coordinates.flat(2))} (${geometry.coordinates.map(printPaths).join(', ')})`
    case 'GeometryCollection':
      return `GEOMETRYCOLLECTION (${geometry.geometries.map(printWkt).join(', ')})`
  }
}

const flag = (positions: readonly Position[]): string => (positions[0] && positions[0].length > 2 ? ' Z' : '')
const printPosition = (position: Position): string => position.join(' ')
const printPath = (path: readonly Position[]): string => `(${path.map(printPosition).join(', ')})`
const printPaths = (paths: readonly (readonly Position[])[]): string => `(${paths.map(printPath).join(', ')})`

type Dimensions = '' | 'Z' | 'M' | 'ZM'

/** A cursor over the tokens of one value. */
class WktReader {
  readonly #tokens: WktTokens
  readonly #lenient: boolean
  readonly #maxVertices: number
  #vertices = 0

  constructor(text: string, options: WktOptions) {
    this.#tokens = new WktTokens(text)
    this.#lenient = options.lenient ?? false
    this.#maxVertices = options.maxVertices ?? Infinity
  }

  readWhole(): Geometry {
    const geometry = this.#geometry(0)
    if (this.#tokens.ahead !== undefined) throw new GeometryFault('must not have text after the geometry')
    return geometry
  }

  #geometry(depth: number): Geometry {
    const word = this.#tokens.next()
    const [, keyword, suffix] = /^(.*?)(ZM|Z|M)?$/.exec(typeof word === 'string' ? word : '') ?? []
    const dimensions = this.#dimensions(suffix)
    switch (keyword) {
      case 'POINT':
        return { type: 'Point', coordinates: this.#enclosed(() => this.#position(dimensions)) }
      case 'MULTIPOINT':
        return { type: 'MultiPoint', coordinates: this.#list(() => this.#multiPointMember(dimensions)) }
      case 'LINESTRING':
        return { type: 'LineString', coordinates: this.#path(dimensions) }
      case 'MULTILINESTRING':
        return { type: 'MultiLineString', coordinates: this.#list(() => this.#path(dimensions)) }
      case 'POLYGON':
        return { type: 'Polygon', coordinates: this.#list(() => this.#path(dimensions)) }
      case 'MULTIPOLYGON':
        return { type: 'MultiPolygon', coordinates: this.#list(() => this.#list(() => this.#path(dimensions))) }
      case 'GEOMETRYCOLLECTION':
        if (depth > (this.#lenient ? DEEPEST : 0)) throw new GeometryFault('has a collection inside a collection')
        return { type: 'GeometryCollection', geometries: this.#list(() => this.#geometry(depth + 1)) }
      default:
        throw new GeometryFault('must be a bbox west,south,east,north or WKT')
    }
  }

  #dimensions(suffix: string | undefined): Dimensions {
    const next = suffix ?? this.#tokens.ahead
    if (next !== 'Z' && next !== 'M' && next !== 'ZM') return ''
    if (!this.#lenient) throw new GeometryFault('must have two ordinates per position, without Z and M')
    if (suffix === undefined) this.#tokens.next()
    return next
  }

  #expect(token: string): void {
    const found = this.#tokens.next()
    if (found === token) return
    if (found === 'EMPTY') throw new GeometryFault('must not be EMPTY')
    throw new GeometryFault(`is not valid WKT: expected ${token === ')' ? 'a closing' : 'an opening'} bracket`)
  }

  #enclosed<T>(read: () => T): T {
    this.#expect('(')
    const value = read()
    this.#expect(')')
    return value
  }

  #list<T>(read: () => T): readonly T[] {
    return this.#enclosed(() => {
      const values = [read()]
      while (this.#tokens.ahead === ',') {
        this.#tokens.next()
        values.push(read())
      }
      return values
    })
  }

  #path(dimensions: Dimensions): readonly Position[] {
    return this.#list(() => this.#position(dimensions))
  }

  #multiPointMember(dimensions: Dimensions): Position {
    return this.#tokens.ahead === '(' ? this.#enclosed(() => this.#position(dimensions)) : this.#position(dimensions)
  }

  #position(dimensions: Dimensions): Position {
    if (++this.#vertices > this.#maxVertices) {
      throw new GeometryFault(`must have at most ${this.#maxVertices} positions (setting limits.vertices)`)
    }
    const x = this.#ordinate()
    const y = this.#ordinate()
    const more: number[] = []
    while (typeof this.#tokens.ahead === 'number' && more.length < 2) {
      if (!this.#lenient) throw new GeometryFault('must have two ordinates per position, without Z and M')
      more.push(this.#ordinate())
    }
    const [z] = more
    return z === undefined || dimensions === 'M' ? [x, y] : [x, y, z]
  }

  #ordinate(): number {
    const token = this.#tokens.next()
    if (typeof token === 'number') return token
    if (token === 'EMPTY') throw new GeometryFault('must not be EMPTY')
    throw new GeometryFault('is not valid WKT: expected a number')
  }
}
