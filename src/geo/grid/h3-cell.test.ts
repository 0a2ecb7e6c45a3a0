import { cellToBoundary, cellToChildren, getPentagons, getRes0Cells } from 'h3-js'
import { expect, test } from 'vitest'
import { doubleArea } from '../ring.ts'
import { h3Boundary, h3CellOf, h3Centre } from './h3-cell.ts'

test('the cell of a place is found at its own resolution', () => {
  expect(h3CellOf(0, 80, 0)).toBe('8001fffffffffff')
  expect(h3CellOf(180, 0, 5)).toBe(h3CellOf(-180, 0, 5))
  expect(h3CellOf(77, 90, 5)).toBe(h3CellOf(0, 90, 5))
})

test('centre and ring of a cell', () => {
  const [lon = 0, lat = 0] = h3Centre('8001fffffffffff')
  expect(lon).toBeCloseTo(38.0234070079698, 9)
  expect(lat).toBeCloseTo(79.242398509759, 9)
  const ring = h3Boundary('87283472bffffff')
  expect(ring).toHaveLength(7)
  expect(ring[6]).toEqual(ring[0])
  expect(h3Boundary(getPentagons(2)[0] ?? '')).toHaveLength(6)
  // Pentagons of odd resolutions have ten corners: five of their sides bend at an edge of the icosahedron.
  expect(h3Boundary(getPentagons(1)[0] ?? '')).toHaveLength(11)
})

test('a cell across the antimeridian has longitudes beyond 180 and no jump', () => {
  const cell = h3CellOf(180, 10, 3)
  const ring = h3Boundary(cell)
  expect(ring.some(([lon = 0]) => Math.abs(lon) > 180)).toBe(true)
  for (const [i, [lon = 0]] of ring.entries()) expect(Math.abs(lon - (ring[i + 1]?.[0] ?? lon))).toBeLessThan(90)
})

test('rings are closed, counter-clockwise, near their centre, and have the vertices of H3', () => {
  const cells = [0, 1].flatMap((resolution) =>
    getRes0Cells().flatMap((cell) => (resolution === 0 ? [cell] : cellToChildren(cell, resolution))),
  )
  for (const cell of cells) {
    const ring = h3Boundary(cell)
    const [centre = 0] = h3Centre(cell)
    expect(ring.at(-1)).toEqual(ring[0])
    expect(doubleArea(ring)).toBeGreaterThan(0)
    for (const [lon = 0] of ring) expect(Math.abs(lon - centre)).toBeLessThanOrEqual(180)
    const turned = ring.slice(0, -1).map(([lon = 0, lat = 0]) => [((((lon + 180) % 360) + 360) % 360) - 180, lat])
    cellToBoundary(cell).forEach(([lat, lon], i) => {
      expect(turned[i]?.[1]).toBe(lat)
      expect(turned[i]?.[0]).toBeCloseTo(lon, 9)
    })
  }
})
