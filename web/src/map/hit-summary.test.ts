import { expect, test } from 'vitest'
import { isSameHits, summariseHits } from './hit-summary.ts'

const whole = { total: 3, hits: 3, truncated: false }
const cut = { total: 9_000, hits: 2_000, truncated: true }

test('documents are all there when no tile has left any out', () => {
  expect(summariseHits([], [whole, whole], undefined)).toEqual({ isWhole: true, values: [] })
  expect(summariseHits([], [whole, cut], undefined)).toEqual({ isWhole: false, values: [] })
})

test('the values are those of the documents, each once', () => {
  const hits = [{ mag: 4.5 }, { id: 'b', mag: -1 }, { id: 'b', mag: -1 }, { id: 'a' }, { mag: 'strong' }]
  expect(summariseHits(hits, [whole], 'mag')).toEqual({ isWhole: true, values: [-1, 4.5] })
  expect(summariseHits(hits, [whole], 'depth')).toEqual({ isWhole: true, values: [] })
})

test('summaries that say the same are told apart from those that do not', () => {
  const known = { isWhole: true, values: [1, 2] }
  expect(isSameHits(known, { isWhole: true, values: [1, 2] })).toBe(true)
  expect(isSameHits(known, { isWhole: false, values: [1, 2] })).toBe(false)
  expect(isSameHits(known, { isWhole: true, values: [1, 3] })).toBe(false)
  expect(isSameHits(known, { isWhole: true, values: [1] })).toBe(false)
  expect(isSameHits(undefined, { isWhole: true })).toBe(false)
})
