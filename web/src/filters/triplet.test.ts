import { describe, expect, test } from 'vitest'
import { negateGroup, parseBounds, parseGroup, parseList, printGroup, printList } from './triplet.ts'

describe('groups of the f language', () => {
  test.each([
    'mag:gte:5',
    'region:eq:CA,Alaska;mag:gt:6',
    'place_name:eq:a\\;b',
    'centroid:within:POLYGON((0 0,1 0,1 1,0 0))',
    'url:eq:http://x:80/',
  ])('%s is printed as it was read', (text) => {
    expect(printGroup(parseGroup(text) ?? [])).toBe(text)
  })

  test.each(['', 'mag', 'mag:gte', 'mag:gte:', ':eq:x', ';'])('%j is no group', (text) => {
    expect(parseGroup(text)).toBeUndefined()
  })

  test('a semicolon behind a backslash belongs to the value', () => {
    expect(parseGroup('a:eq:x\\;y;b:eq:z')).toEqual([
      { field: 'a', op: 'eq', value: 'x;y' },
      { field: 'b', op: 'eq', value: 'z' },
    ])
  })
})

test('lists keep commas of their items', () => {
  expect(parseList(printList(['Paris, Texas', 'Rome']))).toEqual(['Paris, Texas', 'Rome'])
})

test('bounds are read from ranges of numbers', () => {
  expect(parseBounds('[-1.5<3e2]')).toEqual({ from: -1.5, to: 300 })
  expect(parseBounds(']1<2[')).toEqual({ from: 1, to: 2 })
  for (const value of ['[now-1d<now]', '[1<2],[3<4]', '1<2']) expect(parseBounds(value)).toBeUndefined()
})

describe('negation', () => {
  test.each([
    ['region:eq:CA,Alaska', 'region:ne:CA,Alaska'],
    ['mag:gte:5', 'mag:lt:5'],
    ['mag:gt:5', 'mag:lte:5'],
    ['centroid:within:1,2,3,4', 'centroid:notwithin:1,2,3,4'],
    ['geometry:intersects:1,2,3,4', 'geometry:notintersects:1,2,3,4'],
    ['time:range:[1<2]', 'time:lt:1;time:gt:2'],
    ['time:range:]1<2[', 'time:lte:1;time:gte:2'],
    ['time:range:[1<2[', 'time:lt:1;time:gte:2'],
  ])('of %s is %s, and back', (text, opposite) => {
    expect(negateGroup(text)).toBe(opposite)
    expect(negateGroup(opposite)).toBe(text)
  })

  test.each(['region:like:A.*', 'a:eq:1;b:eq:2', 'time:range:[1<2],[3<4]', 'nothing'])(
    'of %s cannot be said',
    (text) => {
      expect(negateGroup(text)).toBeUndefined()
    },
  )
})
