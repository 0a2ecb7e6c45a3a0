import { expect, it } from 'vitest'
import { geometryReader } from './document-reader.ts'

const read = geometryReader('stops.place', 'GEO_POINT')

it('takes the first geometry that can be read, of all parts of a document', () => {
  const place = { type: 'Point', coordinates: [2, 1] }
  expect(read({ stops: [{ place: 'nowhere at all' }, { place: '1,2' }, { place: '3,4' }] })).toEqual(place)
  expect(read({ stops: [{ place: null }, { place: ['nowhere at all', '1,2'] }] })).toEqual(place)
  expect(read({ stops: { place: [2, 1] } })).toEqual(place)
  expect(read({ stops: [{ place: [] }, { other: '1,2' }] })).toBeUndefined()
})
