import fc from 'fast-check'
import { expect, it } from 'vitest'
import { columnNames } from './column-names.ts'

const names = (...properties: (string | [string, string])[]): readonly string[] => [
  ...columnNames(
    properties.map((each) => (typeof each === 'string' ? { property: each } : { property: each[0], given: each[1] })),
  ).values(),
]

it('cuts names to ten characters and numbers those that are taken, whatever their case', () => {
  expect(names('geo_params_centroid', 'geo_params_other', 'GEO_PARAMS')).toEqual([
    'geo_params',
    'geo_para_1',
    'GEO_PARA_2',
  ])
})

it('replaces every character that is not a letter, digit or underscore by one', () => {
  expect(names('été\u{1f30d}', 'a b', '')).toEqual(['_t__', 'a_b', 'column'])
})

it('places given names before the others', () => {
  const placed = columnNames([{ property: 'start' }, { property: 'params_startdate', given: 'start' }])
  expect(Object.fromEntries(placed)).toEqual({ params_startdate: 'start', start: 'start_1' })
  expect(names(['a', ''], ['b', 'a very long name'])).toEqual(['column', 'a_very_lon'])
})

it('counts on beyond nine', () => {
  const many = names(...Array.from({ length: 12 }, (_, i) => `a_long_property_${i}`))
  expect(many.slice(-2)).toEqual(['a_long__10', 'a_long__11'])
})

it('gives every property a name of its own that any reader takes', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string({ unit: 'binary' }), { maxLength: 60 }), (properties) => {
      const given = names(...properties)
      expect(given).toHaveLength(properties.length)
      for (const name of given) expect(name).toMatch(/^[A-Za-z0-9_]{1,10}$/)
      expect(new Set(given.map((name) => name.toLowerCase())).size).toBe(given.length)
    }),
  )
})
