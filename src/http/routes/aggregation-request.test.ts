import { describe, expect, it } from 'vitest'
import { readCollectionNames, readGeohashCell, readTileCell } from './aggregation-request.ts'

describe('the cell of a path', () => {
  it('is a geohash in any case', () => {
    expect(readGeohashCell('YnP')).toEqual({ kind: 'geohash', hash: 'ynp' })
    expect(readGeohashCell('0123456789bc')).toEqual({ kind: 'geohash', hash: '0123456789bc' })
  })

  it.each(['a1', 'i', 'l', 'o', '0123456789bcd', 's ', '', '\u212a'])('is not the geohash %j', (text) => {
    expect(() => readGeohashCell(text)).toThrow(/^geohash must be 1 to 12 characters/)
  })

  it('is a tile', () => {
    expect(readTileCell({ z: '2', x: '+3', y: '-0' })).toEqual({ kind: 'tile', z: 2, x: 3, y: 0 })
    const last = String(2 ** 28 - 1)
    expect(readTileCell({ z: '28', x: last, y: last })).toMatchObject({ z: 28, x: 2 ** 28 - 1 })
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
    expect(() => readTileCell({ z, x, y })).toThrow(`got '${z}/${x}/${y}'`)
    expect(() => readTileCell({ z, x, y })).toThrow(range)
  })
})

describe('readCollectionNames', () => {
  it('takes each name once, in path order', () => {
    expect(readCollectionNames('b, a,,b')).toEqual(['b', 'a'])
  })

  it('leaves a path without name to be not found', () => {
    expect(readCollectionNames(',')).toEqual([','])
  })
})
