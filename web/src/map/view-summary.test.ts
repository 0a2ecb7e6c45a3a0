import { expect, test } from 'vitest'
import { showsDocuments, summarise } from './view-summary.ts'

const world = { west: -200, south: -85, east: 200, north: 85 }
const cell = (tile: string, count: number, mag = count) => ({ tile, count, mag })

test('every cell of the zoom counts once', () => {
  const cells = [cell('2/0/1', 3), cell('2/0/1', 3), cell('2/3/2', 4), cell('1/0/0', 99)]
  expect(summarise(cells, 2, world, 'count')).toEqual({
    documents: 7,
    cells: 2,
    values: [3, 4],
    domain: { min: 3, max: 4 },
  })
})

test('cells beside the view do not count, those across the antimeridian do', () => {
  const cells = [cell('3/7/3', 1), cell('3/0/3', 2), cell('3/4/3', 4), cell('3/0/7', 8)]
  expect(summarise(cells, 3, { west: 150, south: -10, east: 200, north: 40 }, 'count').documents).toBe(3)
  expect(summarise(cells, 3, { west: 1, south: 1, east: 2, north: 2 }, 'count').documents).toBe(4)
})

test('without cells there is no domain', () => {
  expect(summarise([], 2, world, 'count')).toEqual({ documents: 0, cells: 0, values: [] })
})

test('documents are shown when there is room for them', () => {
  expect(showsDocuments(300, 1200 * 800, 2)).toBe(true)
  expect(showsDocuments(3000, 1200 * 800, 2)).toBe(false)
  expect(showsDocuments(3000, 1200 * 800, 18)).toBe(true)
})
