import { geohashOf } from '../../../../../geo/geohash.ts'
import { geohashSize } from '../../../../../geo/grid/cell-grid.ts'
import type { FieldType } from '../../../../../model/field-type.ts'
import type { BucketKey, TileKey } from '../../../../../query/aggregation/bucket.ts'
import { compareKeys } from '../../../../../query/aggregation/bucket-order.ts'
import type { GridGrouping } from '../../../../../query/plan/aggregation-plan.ts'
import type { Scalar } from '../../../../../query/plan/predicate.ts'
import { isInteger } from '../../../../../query/schema/field.ts'
import type { Turn } from '../../../../../turn.ts'
import { doubleAt, numberOfDouble, PairTable } from '../arrays/pair-table.ts'

/** The keys of a level in all parts, numbered from 0. */
export interface KeySpace {
  /** Ids are below. */
  readonly size: number
  /** True if every id below `size` is the key of a row. */
  readonly isFound: boolean
  key(id: number): BucketKey
  /** Called before the ids of rows are sought. */
  prepare?(turn: Turn): Promise<void>
  /** Order of keys, ascending. */
  compare(a: number, b: number): number
  /** Numbers in the order of the keys, which are faster to compare. Absent if there are none. */
  readonly numberOf?: ((id: number) => number) | undefined
}

/** Numbers, including the starts of intervals. -0 is 0. */
export class NumberSpace implements KeySpace {
  readonly isFound = true
  readonly #table = new PairTable()
  readonly #toKey: (value: number) => Scalar

  /** `type`: type of a term; numbers that are starts of intervals remain numbers. */
  constructor(type?: FieldType) {
    if (type !== undefined && isInteger(type)) this.#toKey = BigInt
    else if (type === 'BOOLEAN') this.#toKey = (value) => value !== 0
    else this.#toKey = (value) => value
  }

  get size(): number {
    return this.#table.count
  }

  idOfNumber(value: number): number {
    return numberOfDouble(this.#table, value)
  }

  key(id: number): Scalar {
    return this.#toKey(doubleAt(this.#table, id))
  }

  numberOf(id: number): number {
    return doubleAt(this.#table, id)
  }

  compare(a: number, b: number): number {
    return this.numberOf(a) - this.numberOf(b)
  }
}

/** Tiles, each as the upper and lower bits of its Morton key at the zoom of the grid. */
export class TileSpace implements KeySpace {
  readonly isFound = true
  readonly table = new PairTable()
  readonly numberOf: KeySpace['numberOf']
  readonly #fineBits: number

  constructor(zoom: number) {
    this.#fineBits = Math.max(0, zoom - COARSE_ZOOM)
    this.numberOf = zoom > MOST_NUMBERED_ZOOM ? undefined : (id) => numberOfTile(this.key(id), zoom)
  }

  get size(): number {
    return this.table.count
  }

  key(id: number): TileKey {
    const [high, low] = [this.table.high(id), this.table.low(id)]
    const scale = 2 ** this.#fineBits
    return { x: evenBits(high) * scale + evenBits(low), y: evenBits(high >>> 1) * scale + evenBits(low >>> 1) }
  }

  compare(a: number, b: number): number {
    return compareKeys(this.key(a), this.key(b))
  }
}

/** Column and row of a tile fit into an exact double. */
const MOST_NUMBERED_ZOOM = 26

const numberOfTile = ({ x, y }: TileKey, zoom: number): number => x * 2 ** zoom + y

/** The zoom of the upper bits of a Morton key. */
export const COARSE_ZOOM = 14

/** The 16 even bits of 32. */
function evenBits(value: number): number {
  let bits = value & 0x55555555
  bits = (bits | (bits >>> 1)) & 0x33333333
  bits = (bits | (bits >>> 2)) & 0x0f0f0f0f
  bits = (bits | (bits >>> 4)) & 0x00ff00ff
  return (bits | (bits >>> 8)) & 0xffff
}

/** Cells of a grid: column and row, or the upper and lower half of an H3 index. */
export class CellSpace implements KeySpace {
  readonly isFound = true
  readonly table = new PairTable()
  readonly #grouping: Pick<GridGrouping, 'kind' | 'level'>

  constructor(grouping: Pick<GridGrouping, 'kind' | 'level'>) {
    this.#grouping = grouping
  }

  get size(): number {
    return this.table.count
  }

  key(id: number): BucketKey {
    const [high, low] = [this.table.high(id), this.table.low(id)]
    const { kind, level } = this.#grouping
    switch (kind) {
      case 'geotile':
        return { x: high, y: low }
      case 'geohex':
        return ((BigInt(high) << 32n) | BigInt(low)).toString(16)
      case 'geohash': {
        const { columns, rows } = geohashSize(level)
        // The centre of a cell is exact in a double.
        return geohashOf(((high + 0.5) / columns) * 360 - 180, ((low + 0.5) / rows) * 180 - 90, level)
      }
    }
  }

  compare(a: number, b: number): number {
    if (this.#grouping.kind === 'geohash') return compareKeys(this.key(a), this.key(b))
    return this.table.high(a) - this.table.high(b) || this.table.low(a) - this.table.low(b)
  }
}
