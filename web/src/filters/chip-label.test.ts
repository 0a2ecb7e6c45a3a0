import { expect, test } from 'vitest'
import { chip } from './chip.ts'
import { chipLabel } from './chip-label.ts'

const field = (path: string, name: string, type: string) => ({ path, name, type, indexed: true, taggable: false })
const fields = [
  field('mag', 'Magnitude', 'DOUBLE'),
  field('time', 'Time', 'DATE'),
  field('region', 'Region', 'KEYWORD'),
]

test.each([
  ['mag:gte:5', 'Magnitude ≥ 5'],
  ['mag:range:[4.5<6]', 'Magnitude: 4.5 – 6'],
  ['region:ne:CA', 'Region is not CA'],
  ['region:eq:a,b,c,d', 'Region is a, b and 2 more'],
  ['centroid:within:1,2,3,4', 'centroid within a box'],
  ['centroid:notwithin:POLYGON((0 0,1 0,1 1,0 0))', 'centroid not within a polygon'],
  ['mag:lt:1;mag:gt:2', 'Magnitude < 1 or Magnitude > 2'],
  ['unfinished', 'unfinished'],
])('%s reads as %s', (text, label) => {
  expect(chipLabel(chip(text), fields, 'time')).toBe(label)
})

test('moments are told as dates', () => {
  const bounds = `${Date.UTC(2018, 1, 1)}<${Date.UTC(2018, 1, 6)}`
  expect(chipLabel(chip(`$timestamp:range:[${bounds}]`), fields, 'time')).toMatch(/^Time: .*2018/)
})
