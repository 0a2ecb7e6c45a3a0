import { describe, expect, it } from 'vitest'
import { readTile, readZoom } from './tile-request.ts'

describe('the tile of a path', () => {
  it('is a tile', () => {
    expect(readTile({ z: '2', x: '+3', y: '-0' })).toEqual({ z: 2, x: 3, y: 0 })
    const last = String(2 ** 28 - 1)
    expect(readTile({ z: '28', x: last, y: last })).toMatchObject({ z: 28, x: 2 ** 28 - 1 })
  })

  it.each([
    ['0', '1', '0', 'x and y from 0 to 0'],
    ['2', '0', '4', 'x and y from 0 to 3'],
    ['2', '-1', '0', 'x and y from 0 to 3'],
    ['2', '2', 'x', 'x and y from 0 to 3'],
    ['2', '1.0', '0', 'x and y from 0 to 3'],
    ['29', '1', '0', 'x and y from 0 to 2^z - 1'],
    ['-1', '0', '0', 'x and y from 0 to 2^z - 1'],
    ['x', '0', '0', 'z from 0 to 28'],
  ])('is not the tile %s/%s/%s', (z, x, y, range) => {
    expect(() => readTile({ z, x, y })).toThrow(`got '${z}/${x}/${y}'`)
    expect(() => readTile({ z, x, y })).toThrow(range)
  })

  it('has a zoom, whatever the rest', () => {
    expect(readZoom({ z: '5', x: 'x', y: '99' })).toBe(5)
    expect(() => readZoom({ z: '29', x: 'x', y: '99' })).toThrow("got '29/x/99'")
  })
})
