import { DuckDBBlobValue, DuckDBListValue, DuckDBStructValue } from '@duckdb/node-api'
import type { FieldType } from '../../../../model/field-type.ts'
import { type Column, LOW_BITS, NO_KEY } from '../column.ts'
import {
  hasValues,
  type IncomingColumn,
  type IncomingLongs,
  type IncomingNumbers,
  isValid,
  longsOf,
  numbersOf,
  plainValues,
  valueAt,
} from '../incoming-column.ts'
import { columnAt, type IncomingField, severalOf } from '../incoming-rows.ts'
import { grown, makeFloat64s, makeUint8s, makeUint32s, startsOf } from './growing-array.ts'

const LOW_MASK = 2 ** LOW_BITS - 1

/** The points of some rows. Those without a point have no key. */
interface IncomingPoints {
  readonly lons: IncomingNumbers
  readonly lats: IncomingNumbers
  readonly keys: IncomingLongs
}

function pointsOf(field: IncomingField | undefined, count: number): IncomingPoints {
  return {
    lons: numbersOf(columnAt(field, 0), count),
    lats: numbersOf(columnAt(field, 1), count),
    keys: longsOf(columnAt(field, 2), count),
  }
}

/** Coordinates and Morton keys, by position. */
class GrowingPoints {
  lon: Float64Array = new Float64Array()
  lat: Float64Array = new Float64Array()
  high: Uint32Array = new Uint32Array()
  low: Uint32Array = new Uint32Array()

  reserve(length: number): void {
    this.lon = grown(this.lon, length, makeFloat64s)
    this.lat = grown(this.lat, length, makeFloat64s)
    this.high = grown(this.high, length, makeUint32s)
    this.low = grown(this.low, length, makeUint32s)
  }

  set(at: number, { lons, lats, keys }: IncomingPoints, i: number): void {
    const low = keys.halves[2 * i] ?? 0
    const high = keys.halves[2 * i + 1] ?? 0
    this.lon[at] = lons.values[i] ?? 0
    this.lat[at] = lats.values[i] ?? 0
    this.high[at] = (high << (32 - LOW_BITS)) | (low >>> LOW_BITS)
    this.low[at] = low & LOW_MASK
  }

  clear(from: number, to: number): void {
    this.lon.fill(Number.NaN, from, to)
    this.lat.fill(Number.NaN, from, to)
    this.high.fill(NO_KEY, from, to)
    this.low.fill(0, from, to)
  }

  /** Returns the points of the first `rows` rows, without the gaps. */
  compact(rows: number): GrowingPoints {
    const kept = new GrowingPoints()
    kept.reserve(this.lon.length)
    let end = 0
    for (let row = 0; row < rows; row++) {
      if (this.high[row] === NO_KEY) continue
      kept.lon[end] = this.lon[row] ?? 0
      kept.lat[end] = this.lat[row] ?? 0
      kept.high[end] = this.high[row] ?? 0
      kept.low[end++] = this.low[row] ?? 0
    }
    return kept
  }

  get bytes(): number {
    return this.lon.length * 24
  }
}

export class PointTail {
  readonly #type: FieldType
  #points = new GrowingPoints()
  #starts: Uint32Array | undefined

  constructor(type: FieldType, rows: number) {
    this.#type = type
    this.#points.reserve(rows)
    this.#points.clear(0, rows)
  }

  write(field: IncomingField | undefined, at: number, count: number): void {
    const points = pointsOf(field, count)
    const several = severalOf(field)
    if (this.#starts === undefined && hasValues(several, count)) {
      const { high } = this.#points
      this.#starts = startsOf(at, (row) => high[row] !== NO_KEY)
      this.#points = this.#points.compact(at)
    }
    if (this.#starts === undefined) this.#writeSingle(points, at, count)
    else this.#writeSeveral(points, several, this.#starts, at, count)
  }

  #writeSingle(points: IncomingPoints, at: number, count: number): void {
    const own = this.#points
    const { valid } = points.keys
    own.reserve(at + count)
    own.clear(at, at + count)
    for (let i = 0; i < count; i++) if (isValid(valid, i)) own.set(at + i, points, i)
  }

  #writeSeveral(
    points: IncomingPoints,
    several: IncomingColumn,
    earlier: Uint32Array,
    at: number,
    count: number,
  ): void {
    const starts = grown(earlier, at + count + 1, makeUint32s)
    this.#starts = starts
    let end = starts[at] ?? 0
    const add = (added: IncomingPoints, i: number): void => {
      this.#points.reserve(end + 1)
      this.#points.set(end++, added, i)
    }
    for (let i = 0; i < count; i++) {
      const all = valueAt(several, i)
      if (all instanceof DuckDBListValue) {
        const list = listedPoints(all)
        for (let k = 0; k < all.items.length; k++) if (isValid(list.keys.valid, k)) add(list, k)
      } else if (isValid(points.keys.valid, i)) add(points, i)
      starts[at + i + 1] = end
    }
  }

  view(): Column {
    const { lon, lat, high, low } = this.#points
    const starts = this.#starts
    return { kind: 'point', type: this.#type, lon, lat, high, low, ...(starts === undefined ? {} : { starts }) }
  }

  get bytes(): number {
    return this.#points.bytes + (this.#starts?.byteLength ?? 0)
  }
}

function listedPoints({ items }: DuckDBListValue): IncomingPoints {
  const entries = items.map((item) => (item instanceof DuckDBStructValue ? item.entries : {}))
  const columns = ['lon', 'lat', 'key'].map((name) => plainValues(entries.map((entry) => entry[name] ?? null)))
  return pointsOf({ columns }, items.length)
}

export class ShapeTail {
  readonly #type: FieldType
  readonly #points = new GrowingPoints()
  /** West, south, east, north. */
  readonly #edges: Float64Array[] = [0, 1, 2, 3].map(() => new Float64Array())
  #wkb: Uint8Array = new Uint8Array()
  #wkbStarts: Float64Array

  constructor(type: FieldType, rows: number) {
    this.#type = type
    this.#wkbStarts = new Float64Array(rows + 1)
    this.#reserve(rows)
    this.#clear(0, rows)
  }

  write(field: IncomingField | undefined, at: number, count: number): void {
    const points = pointsOf(field, count)
    const shapes = columnAt(field, 3)
    const edges = [4, 5, 6, 7].map((i) => numbersOf(columnAt(field, i), count).values)
    this.#reserve(at + count)
    this.#clear(at, at + count)
    this.#wkbStarts = grown(this.#wkbStarts, at + count + 1, makeFloat64s)
    let end = this.#wkbStarts[at] ?? 0
    for (let i = 0; i < count; i++) {
      const shape = valueAt(shapes, i)
      if (isValid(points.keys.valid, i) && shape instanceof DuckDBBlobValue) {
        this.#points.set(at + i, points, i)
        for (const [e, edge] of this.#edges.entries()) edge[at + i] = edges[e]?.[i] ?? Number.NaN
        this.#wkb = grown(this.#wkb, end + shape.bytes.length, makeUint8s)
        this.#wkb.set(shape.bytes, end)
        end += shape.bytes.length
      }
      this.#wkbStarts[at + i + 1] = end
    }
  }

  #reserve(rows: number): void {
    this.#points.reserve(rows)
    for (const [e, edge] of this.#edges.entries()) this.#edges[e] = grown(edge, rows, makeFloat64s)
  }

  #clear(from: number, to: number): void {
    this.#points.clear(from, to)
    for (const edge of this.#edges) edge.fill(Number.NaN, from, to)
  }

  view(): Column {
    const { lon, lat, high, low } = this.#points
    const [west, south, east, north] = this.#edges as [Float64Array, Float64Array, Float64Array, Float64Array]
    const [wkb, wkbStarts] = [this.#wkb, this.#wkbStarts]
    return { kind: 'shape', type: this.#type, lon, lat, high, low, west, south, east, north, wkb, wkbStarts }
  }

  get bytes(): number {
    return this.#points.bytes + this.#wkb.byteLength + this.#wkbStarts.byteLength + this.#points.lon.length * 32
  }
}
