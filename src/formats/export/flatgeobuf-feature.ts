import { Builder } from 'flatbuffers'
import { Feature } from 'flatgeobuf/lib/mjs/flat-geobuf/feature.js'
import { buildGeometry, type IParsedGeometry } from 'flatgeobuf/lib/mjs/generic/geometry.js'
import type { Geometry, Position } from '../../model/geometry.ts'
import { geometryTypes } from './wkb-geometry.ts'

/** Numbers of column types in the format. */
export const columnTypes = { boolean: 2, int: 5, long: 7, float: 9, double: 10, text: 11, date: 13 } as const

export type ColumnKind = keyof typeof columnTypes
export type CellValue = string | number | bigint | boolean

const FIRST_BYTES = 4096
/** Number of a column, and of the bytes of a text or the longest number. */
const MOST_BESIDE_TEXT = 2 + 8
/** Most bytes of UTF-8 for a character of a text. */
const BYTES_PER_CHARACTER = 3

/** Encodes features. That of the package adds the bytes of properties one by one, which is slow for long texts. */
export class FeatureEncoder {
  readonly #kinds: readonly ColumnKind[]
  readonly #builder = new Builder(FIRST_BYTES)
  #properties = Buffer.alloc(FIRST_BYTES)
  #length = 0

  constructor(kinds: readonly ColumnKind[]) {
    this.#kinds = kinds
  }

  /** Cells are in the order of the columns; a missing one is undefined. */
  encode(geometry: Geometry, cells: readonly (CellValue | undefined)[]): Uint8Array {
    this.#length = 0
    for (const [column, kind] of this.#kinds.entries()) {
      const cell = cells[column]
      if (cell !== undefined) this.#add(column, kind, cell)
    }
    const builder = this.#builder
    builder.clear()
    const properties = builder.createByteVector(this.#properties.subarray(0, this.#length))
    // The writer distinguishes the forms by their members, which its types do not express.
    const written = buildGeometry(builder, parsed(geometry) as IParsedGeometry)
    Feature.startFeature(builder)
    Feature.addGeometry(builder, written)
    if (this.#length > 0) Feature.addProperties(builder, properties)
    builder.finishSizePrefixed(Feature.endFeature(builder))
    return builder.asUint8Array().slice()
  }

  #add(column: number, kind: ColumnKind, cell: CellValue): void {
    const text = kind === 'text' || kind === 'date' ? String(cell) : ''
    this.#reserve(MOST_BESIDE_TEXT + text.length * BYTES_PER_CHARACTER)
    const bytes = this.#properties
    const at = bytes.writeUInt16LE(column, this.#length)
    switch (kind) {
      case 'boolean':
        this.#length = bytes.writeUInt8(cell === true ? 1 : 0, at)
        break
      case 'int':
        this.#length = bytes.writeInt32LE(Number(cell), at)
        break
      case 'long':
        this.#length = bytes.writeBigInt64LE(BigInt(cell), at)
        break
      case 'float':
        this.#length = bytes.writeFloatLE(Number(cell), at)
        break
      case 'double':
        this.#length = bytes.writeDoubleLE(Number(cell), at)
        break
      default: {
        const written = bytes.write(text, at + 4)
        bytes.writeUInt32LE(written, at)
        this.#length = at + 4 + written
      }
    }
  }

  #reserve(more: number): void {
    const needed = this.#length + more
    if (needed <= this.#properties.length) return
    const larger = Buffer.alloc(Math.max(needed, this.#properties.length * 2))
    this.#properties.copy(larger, 0, 0, this.#length)
    this.#properties = larger
  }
}

/** A flat list of coordinates with the ends of its paths, or parts; never both. */
type ParsedGeometry =
  | { readonly type: number; readonly xy: readonly number[]; readonly ends?: readonly number[] }
  | { readonly type: number; readonly parts: readonly ParsedGeometry[] }

function parsed(geometry: Geometry): ParsedGeometry {
  const type = geometryTypes[geometry.type]
  switch (geometry.type) {
    case 'Point':
      return flat(type, [[geometry.coordinates]])
    case 'MultiPoint':
    case 'LineString':
      return flat(type, [geometry.coordinates])
    case 'MultiLineString':
    case 'Polygon':
      return flat(type, geometry.coordinates)
    case 'MultiPolygon':
      return several(
        type,
        geometry.coordinates.map((rings) => flat(geometryTypes.Polygon, rings)),
      )
    case 'GeometryCollection':
      return several(type, geometry.geometries.map(parsed))
  }
}

function flat(type: number, paths: readonly (readonly Position[])[]): ParsedGeometry {
  const xy = paths.flatMap((path) => path.flatMap(([x = 0, y = 0]) => [x, y]))
  // The end of a single path is implied; only several paths need their ends.
  if (paths.length < 2) return { type, xy }
  let end = 0
  const ends = paths.map((path) => {
    end += path.length
    return end
  })
  return { type, xy, ends }
}

const several = (type: number, parts: readonly ParsedGeometry[]): ParsedGeometry => ({ type, parts })
