import { expect } from 'vitest'
import type { Geometry, Position } from '../../model/geometry.ts'
import { normaliseShape, type Shape } from '../shape/shape.ts'
import type { Cell } from './cell.ts'
import { cellGrid, cellsAround, type GridKind } from './cell-grid.ts'
import { shapeCells } from './shape-cells.ts'

export function shapeOf(geometry: Geometry): Shape {
  const shape = normaliseShape(geometry)
  if (!shape) throw new Error('the geometry has no shape')
  return shape
}

export const box = (west: number, south: number, east: number, north: number): Position[] => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
]

export const LIMIT = 65_535

/** Returns the cells of a shape as `column/row`, sorted as strings. */
export function cellsOf(shape: Shape, kind: GridKind, level: number, scope?: Cell): string[] {
  const grid = cellGrid(kind, level)
  const cells = shapeCells(shape, grid, LIMIT, scope && cellsAround(grid, scope))
  if (!cells) throw new Error(`more than ${LIMIT} cells`)
  const names = cells.map(({ column, row }) => `${column}/${row}`).sort()
  expect(new Set(names).size).toBe(names.length)
  return names
}
