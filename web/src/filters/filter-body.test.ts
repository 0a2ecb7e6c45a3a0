import { expect, test } from 'vitest'
import { chip } from './chip.ts'
import { filterArea, filterBody, filterFragment } from './filter-body.ts'

const chips = [
  chip('mag:gte:5;region:eq:a\\;b'),
  chip('rain;snow', 'q'),
  { ...chip('mag:lt:1'), off: true },
  chip('centroid:within:170,-10,-170,10'),
]

test('filters in force become a body', () => {
  expect(filterBody(chips)).toEqual({
    f: [
      [
        { field: 'mag', op: 'gte', value: '5' },
        { field: 'region', op: 'eq', value: 'a;b' },
      ],
      [{ field: 'centroid', op: 'within', value: '170,-10,-170,10' }],
    ],
    q: [['rain', 'snow']],
  })
  expect(filterBody([])).toEqual({})
})

test('and a piece of a query', () => {
  const parameters = [...new URLSearchParams(filterFragment(chips))]
  expect(parameters).toEqual([
    ['f', 'mag:gte:5;region:eq:a\\;b'],
    ['q', 'rain;snow'],
    ['f', 'centroid:within:170,-10,-170,10'],
  ])
})

test('their areas become one geometry, cut at the antimeridian', () => {
  expect(filterArea(chips)?.coordinates).toHaveLength(2)
  expect(filterArea(chips)?.type).toBe('MultiPolygon')
  expect(filterArea([chip('c:within:0,0,1,1')])).toMatchObject({ type: 'Polygon' })
  expect(filterArea([chip('mag:gte:5'), chip('c:notwithin:0,0,1,1')])).toBeUndefined()
})
