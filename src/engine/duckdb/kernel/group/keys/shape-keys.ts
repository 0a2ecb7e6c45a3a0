import { type CellGrid, type CellRange, cellGrid, cellsAround } from '../../../../../geo/grid/cell-grid.ts'
import { shapeCells } from '../../../../../geo/grid/shape-cells.ts'
import { decodeShape } from '../../../../../geo/shape/wkb.ts'
import { checkBucketCount } from '../../../../../query/aggregation/bucket-limits.ts'
import type { GridGrouping } from '../../../../../query/plan/aggregation-plan.ts'
import type { ShapeColumn } from '../../../segment/column.ts'
import { PairTable } from '../arrays/pair-table.ts'
import type { ListedKeys } from './key-column.ts'
import type { CellSpace } from './key-space.ts'

const NONE: readonly number[] = []

/** The cells that a shape intersects. Only shapes whose envelope spans several cells are decoded. */
export class ShapeKeys implements ListedKeys {
  readonly kind = 'listed'
  readonly bounded = false
  readonly #column: ShapeColumn
  readonly #space: CellSpace
  readonly #grid: CellGrid
  readonly #scope: CellRange | undefined
  readonly #mostCells: number
  readonly #table = new PairTable()
  readonly #found: number[] = []

  constructor(
    column: ShapeColumn,
    { level, scope }: GridGrouping,
    kind: 'geohash' | 'geotile',
    mostCells: number,
    space: CellSpace,
  ) {
    this.#column = column
    this.#space = space
    this.#grid = cellGrid(kind, level)
    this.#scope = scope && cellsAround(this.#grid, scope)
    this.#mostCells = mostCells
  }

  get slots(): number {
    return this.#table.count + 1
  }

  /** Throws LIMIT_EXCEEDED if the shape lies in more cells than a response may have. */
  list(row: number): readonly number[] {
    const { west, south, east, north } = this.#column
    const left = west[row] ?? Number.NaN
    if (Number.isNaN(left)) return NONE
    const found = this.#found
    found.length = 0
    const column = this.#grid.columnOf(left)
    const line = this.#grid.rowOf(south[row] ?? 0)
    if (column === this.#grid.columnOf(east[row] ?? 0) && line === this.#grid.rowOf(north[row] ?? 0)) {
      found.push(this.#table.numberOf(column, line) + 1)
      return found
    }
    const { wkb, wkbStarts } = this.#column
    const shape = decodeShape(wkb.subarray(wkbStarts[row], wkbStarts[row + 1]))
    const cells = shapeCells(shape, this.#grid, this.#mostCells, this.#scope)
    if (!cells) checkBucketCount(this.#mostCells + 1, { buckets: this.#mostCells })
    for (const cell of cells ?? []) found.push(this.#table.numberOf(cell.column, cell.row) + 1)
    return found
  }

  idOf(slot: number): number {
    return this.#space.table.numberOf(this.#table.high(slot - 1), this.#table.low(slot - 1))
  }
}
