import { expect, test } from 'vitest'
import { image, label, logScale } from './svg.ts'

test('a decade has the same length everywhere', () => {
  const { at } = logScale(0.1, 1000, 100, 500)
  expect([0.1, 1, 10, 100, 1000].map((value) => Math.round(at(value)))).toEqual([100, 200, 300, 400, 500])
})

test('ticks are round and inside', () => {
  expect(logScale(0.4, 30, 0, 1).ticks).toEqual([0.5, 1, 2, 5, 10, 20])
  expect(logScale(0.3, 5000, 0, 1).ticks).toEqual([1, 10, 100, 1000])
  expect(logScale(0.1, 10, 0, 1).ticks).toEqual([0.1, 0.2, 0.5, 1, 2, 5, 10])
})

test('texts are escaped', () => {
  expect(image(10, 10, 'a < b', [label(1, 2, 'term > "days" & more')])).toContain(
    'term &gt; &quot;days&quot; &amp; more',
  )
})
