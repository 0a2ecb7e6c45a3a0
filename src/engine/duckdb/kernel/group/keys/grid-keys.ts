import { type Cell, pointInCell } from '../../../../../geo/grid/cell.ts'
import { geohashSize } from '../../../../../geo/grid/cell-grid.ts'
import type { H3Locator } from '../../../../../geo/grid/h3-locator.ts'
import { h3LocatorOf } from '../../../../../geo/grid/h3-locators.ts'
import { tileShift } from '../../../../../geo/grid/morton-key.ts'
import { clampTile } from '../../../../../geo/grid/tile.ts'
import type { GridGrouping } from '../../../../../query/plan/aggregation-plan.ts'
import { BLOCK, NO_KEY, type Points } from '../../../segment/column.ts'
import { readCodes, readDoubles } from '../arrays/block-reader.ts'
import { PairTable } from '../arrays/pair-table.ts'
import { type FilledKeys, isDense, type KeyRuns } from './key-column.ts'
import { type CellSpace, COARSE_ZOOM, type TileSpace } from './key-space.ts'

interface PointValues extends Points {
  readonly starts?: Uint32Array
}

/** Points of one part. */
export interface PartPoints {
  readonly points: PointValues
  readonly rows: number
  /** True if the rows are sorted by Morton key. */
  readonly isSorted: boolean
}

/** Returns the tiles of the points of a GEO_POINT. */
export function tileKeys(part: PartPoints, { level, scope }: GridGrouping, space: TileSpace): FilledKeys {
  const { points, rows } = part
  const keys =
    level <= COARSE_ZOOM && isDense(4 ** level + 1, rows)
      ? new DenseTileKeys(part, level, space)
      : new TileKeys(part, level, space)
  return scoped(keys, points, scope)
}

/** Returns the cells of the points of a GEO_POINT, or of the centroids of a GEO_SHAPE. */
export function cellKeys({ points }: PartPoints, { kind, level, scope }: GridGrouping, space: CellSpace): FilledKeys {
  const keys = kind === 'geohash' ? new GeohashKeys(points, level, space) : new HexagonKeys(points, level, space)
  return scoped(keys, points, scope)
}

/** A row with one point is selected for it; only rows with several points have some that do not count. */
const scoped = (keys: FilledKeys, points: PointValues, scope: Cell | undefined): FilledKeys =>
  scope && points.starts ? new ScopedKeys(keys, points, pointInCell(scope)) : keys

const COARSE_BITS = 2 * COARSE_ZOOM

let highs = new Uint32Array(BLOCK)
let lows = new Uint32Array(BLOCK)
let lons = new Float64Array(BLOCK)
let lats = new Float64Array(BLOCK)

function ensure(count: number): void {
  if (count <= highs.length) return
  highs = new Uint32Array(2 * count)
  lows = new Uint32Array(2 * count)
  lons = new Float64Array(2 * count)
  lats = new Float64Array(2 * count)
}

/** Runs of equal tiles of a coarse zoom. */
class TileRuns implements KeyRuns {
  readonly #high: Uint32Array
  readonly #shift: number
  readonly #slotOf: (tile: number) => number

  constructor(high: Uint32Array, zoom: number, slotOf: (tile: number) => number) {
    this.#high = high
    this.#shift = COARSE_BITS - 2 * zoom
    this.#slotOf = slotOf
  }

  markOf(row: number): number {
    const high = this.#high[row] ?? NO_KEY
    return high === NO_KEY ? -1 : high >>> this.#shift
  }

  slotOf(tile: number): number {
    return tile < 0 ? 0 : this.#slotOf(tile)
  }
}

/** Slots are tiles of a coarse zoom. */
class DenseTileKeys implements FilledKeys {
  readonly kind = 'filled'
  readonly bounded = true
  readonly slots: number
  readonly starts: Uint32Array | undefined
  readonly runs: KeyRuns | undefined
  readonly scheme: FilledKeys['scheme']
  readonly #points: PointValues
  readonly #zoom: number
  readonly #space: TileSpace

  constructor({ points, isSorted }: PartPoints, zoom: number, space: TileSpace) {
    this.slots = 4 ** zoom + 1
    this.starts = points.starts
    this.runs = isSorted && !points.starts ? new TileRuns(points.high, zoom, (tile) => tile + 1) : undefined
    this.scheme = { column: points, name: `tile ${zoom}` }
    this.#points = points
    this.#zoom = zoom
    this.#space = space
  }

  fill(rows: Uint32Array | undefined, from: number, count: number, out: Uint32Array): void {
    readCodes(this.#points.high, rows, from, count, out)
    const shift = COARSE_BITS - 2 * this.#zoom
    for (let i = 0; i < count; i++) {
      const high = out[i] ?? 0
      out[i] = high === NO_KEY ? 0 : (high >>> shift) + 1
    }
  }

  idOf(slot: number): number {
    return this.#space.table.numberOf(slot - 1, 0)
  }
}

/** Cells get slots by appearance. */
class CellSlots {
  readonly kind = 'filled'
  readonly bounded = false
  readonly starts: Uint32Array | undefined
  protected readonly points: PointValues
  /** Slots are numbers of cells in this table, plus 1. */
  protected readonly table: PairTable
  readonly #ids: PairTable

  constructor(points: PointValues, ids: PairTable) {
    this.starts = points.starts
    this.points = points
    this.#ids = ids
    // Positions between those of selected rows are read too, and their cells must not get ids.
    this.table = points.starts ? new PairTable() : ids
  }

  get slots(): number {
    return this.table.count + 1
  }

  idOf(slot: number): number {
    if (this.table === this.#ids) return slot - 1
    return this.#ids.numberOf(this.table.high(slot - 1), this.table.low(slot - 1))
  }
}

/** Neighbouring rows are often in the same tile, so the table is only asked when the tile changes. */
class TileKeys extends CellSlots implements FilledKeys {
  readonly runs: KeyRuns | undefined
  readonly #zoom: number

  constructor({ points, isSorted }: PartPoints, zoom: number, space: TileSpace) {
    super(points, space.table)
    this.#zoom = zoom
    if (isSorted && !points.starts && zoom <= COARSE_ZOOM) {
      this.runs = new TileRuns(points.high, zoom, (tile) => this.table.numberOf(tile, 0) + 1)
    }
  }

  fill(rows: Uint32Array | undefined, from: number, count: number, out: Uint32Array): void {
    ensure(count)
    readCodes(this.points.high, rows, from, count, highs)
    const isFine = this.#zoom > COARSE_ZOOM
    const highShift = isFine ? 0 : COARSE_BITS - 2 * this.#zoom
    const lowShift = isFine ? tileShift(this.#zoom) : 0
    if (isFine) readCodes(this.points.low, rows, from, count, lows)
    const { table } = this
    let lastHigh = -1
    let lastLow = -1
    let slot = 0
    for (let i = 0; i < count; i++) {
      const full = highs[i] ?? 0
      if (full === NO_KEY) {
        out[i] = 0
        continue
      }
      const high = full >>> highShift
      const low = isFine ? (lows[i] ?? 0) >>> lowShift : 0
      if (high !== lastHigh || low !== lastLow) {
        slot = table.numberOf(high, low) + 1
        lastHigh = high
        lastLow = low
      }
      out[i] = slot
    }
  }
}

/** Far above the rounding error of the cell formulas, far below the size of a cell. Degrees. */
const ROUNDING = 1e-9

class GeohashKeys extends CellSlots implements FilledKeys {
  readonly #columns: number
  readonly #rows: number

  constructor(points: PointValues, length: number, space: CellSpace) {
    super(points, space.table)
    const { columns, rows } = geohashSize(length)
    this.#columns = columns
    this.#rows = rows
  }

  /**
   * The formula of `geohashOf`, with the same rounding. Neighbouring rows are often in the same cell, so a point well
   * inside the last cell needs no division.
   */
  fill(rows: Uint32Array | undefined, from: number, count: number, out: Uint32Array): void {
    ensure(count)
    readDoubles(this.points.lon, rows, from, count, lons)
    readDoubles(this.points.lat, rows, from, count, lats)
    const columnCount = this.#columns
    const rowCount = this.#rows
    const { table } = this
    let west = 1
    let east = 0
    let south = 1
    let north = 0
    let slot = 0
    for (let i = 0; i < count; i++) {
      const lon = lons[i] ?? 0
      const lat = lats[i] ?? 0
      if (lon > west && lon < east && lat > south && lat < north) {
        out[i] = slot
        continue
      }
      if (Number.isNaN(lon)) {
        out[i] = 0
        continue
      }
      const column = clampTile(((lon + 180) / 360) * columnCount, columnCount)
      const row = clampTile(((lat + 90) / 180) * rowCount, rowCount)
      slot = table.numberOf(column, row) + 1
      out[i] = slot
      west = (column / columnCount) * 360 - 180 + ROUNDING
      east = ((column + 1) / columnCount) * 360 - 180 - ROUNDING
      south = (row / rowCount) * 180 - 90 + ROUNDING
      north = ((row + 1) / rowCount) * 180 - 90 - ROUNDING
    }
  }
}

const index = new BigUint64Array(1)
const halves = new Uint32Array(index.buffer)

class HexagonKeys extends CellSlots implements FilledKeys {
  readonly #locator: H3Locator

  constructor(points: PointValues, resolution: number, space: CellSpace) {
    super(points, space.table)
    this.#locator = h3LocatorOf(resolution)
  }

  fill(rows: Uint32Array | undefined, from: number, count: number, out: Uint32Array): void {
    ensure(count)
    readDoubles(this.points.lon, rows, from, count, lons)
    readDoubles(this.points.lat, rows, from, count, lats)
    const { table } = this
    for (let i = 0; i < count; i++) {
      const lon = lons[i] ?? 0
      if (Number.isNaN(lon)) {
        out[i] = 0
        continue
      }
      index[0] = this.#locator.locate(lon, lats[i] ?? 0)
      out[i] = table.numberOf(halves[1] ?? 0, halves[0] ?? 0) + 1
    }
  }
}

/** Only points that lie in a cell. */
class ScopedKeys implements FilledKeys {
  readonly kind = 'filled'
  readonly #keys: FilledKeys
  readonly #points: PointValues
  readonly #isInside: (lon: number, lat: number) => boolean

  constructor(keys: FilledKeys, points: PointValues, isInside: (lon: number, lat: number) => boolean) {
    this.#keys = keys
    this.#points = points
    this.#isInside = isInside
  }

  get slots(): number {
    return this.#keys.slots
  }

  get bounded(): boolean {
    return this.#keys.bounded
  }

  get starts(): Uint32Array | undefined {
    return this.#keys.starts
  }

  fill(rows: Uint32Array | undefined, from: number, count: number, out: Uint32Array): void {
    this.#keys.fill(rows, from, count, out)
    const { lon, lat } = this.#points
    for (let i = 0; i < count; i++) {
      const position = rows === undefined ? from + i : (rows[i] ?? 0)
      if (out[i] !== 0 && !this.#isInside(lon[position] ?? 0, lat[position] ?? 0)) out[i] = 0
    }
  }

  idOf(slot: number): number {
    return this.#keys.idOf(slot)
  }
}
