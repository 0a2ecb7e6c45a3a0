import sharp from 'sharp'
import { expect, test } from 'vitest'
import { ratioChart, rowChart } from './chart.ts'
import { joinParts } from './result.ts'
import { header, sample, tables } from './sample-result.ts'

const table = tables[0]
if (table === undefined) throw new Error('no table')

const numbersOf = (svg: string, name: string, attribute: string): readonly number[] =>
  [...svg.matchAll(new RegExp(`<${name} [^>]*\\b${attribute}="([^"]+)"`, 'g'))].map((match) => Number(match[1]))

test.each([
  ['ratios', ratioChart(sample)],
  ['rows', rowChart(table)],
  ['no ratios', ratioChart(joinParts(header, new Map()))],
  ['no rows', rowChart({ state: 'rest', time: 'none', rows: [] })],
])('the chart of %s is an image without references to elsewhere', async (_, svg) => {
  expect(svg.replaceAll('http://www.w3.org/2000/svg', '')).not.toMatch(/http|href|script|@import|NaN|Infinity/)
  const { width, height } = await sharp(Buffer.from(svg)).metadata()
  expect(width).toBe(880)
  expect(height).toBeGreaterThan(100)
})

test('a bar starts at one, to the left where Periplus is slower', () => {
  const svg = ratioChart(sample)
  // The background has no x; the first two are in the legend.
  const lefts = numbersOf(svg, 'rect', 'x').slice(2)
  expect(lefts).toHaveLength(3)
  expect(lefts[0]).toBe(lefts[2])
  expect(lefts[1]).toBeLessThan(lefts[0] ?? 0)
  expect(svg).toContain('>0.50x<')
})

test('every system has a mark in every row that it answers', () => {
  const svg = rowChart(table)
  // One more mark in the legend.
  expect(numbersOf(svg, 'circle', 'cx')).toHaveLength(4 + 1)
  expect(numbersOf(svg, 'polygon', 'stroke-width')).toHaveLength(2 + 1)
})
