import { describe, expect, it } from 'vitest'
import { readCollectionNames, readGeohashCell } from './aggregation-request.ts'

describe('the cell of a path', () => {
  it('is a geohash in any case', () => {
    expect(readGeohashCell('YnP')).toEqual({ kind: 'geohash', hash: 'ynp' })
    expect(readGeohashCell('0123456789bc')).toEqual({ kind: 'geohash', hash: '0123456789bc' })
  })

  it.each(['a1', 'i', 'l', 'o', '0123456789bcd', 's ', '', '\u212a'])('is not the geohash %j', (text) => {
    expect(() => readGeohashCell(text)).toThrow(/^geohash must be 1 to 12 characters/)
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
