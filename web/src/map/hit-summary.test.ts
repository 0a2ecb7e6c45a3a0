import { expect, test } from 'vitest'
import { isSameHits, summariseHits } from './hit-summary.ts'

const whole = { total: 3, hits: 3, truncated: false }
const cut = { total: 9_000, hits: 2_000, truncated: true }

test('documents are all there when no tile has left any out', () => {
  expect(summariseHits([], [whole, whole], undefined)).toEqual({ isWhole: true })
  expect(summariseHits([], [whole, cut], undefined)).toEqual({ isWhole: false })
})

test('the domain is that of the values of the documents', () => {
  const hits = [{ mag: 4.5 }, { mag: -1 }, { id: 'a' }, { mag: 'strong' }]
  expect(summariseHits(hits, [whole], 'mag')).toEqual({ isWhole: true, domain: { min: -1, max: 4.5 } })
  expect(summariseHits(hits, [whole], 'depth')).toEqual({ isWhole: true })
})

test('summaries that say the same are told apart from those that do not', () => {
  const known = { isWhole: true, domain: { min: 1, max: 2 } }
  expect(isSameHits(known, { isWhole: true, domain: { min: 1, max: 2 } })).toBe(true)
  expect(isSameHits(known, { isWhole: false, domain: { min: 1, max: 2 } })).toBe(false)
  expect(isSameHits(known, { isWhole: true, domain: { min: 1, max: 3 } })).toBe(false)
  expect(isSameHits(known, { isWhole: true })).toBe(false)
  expect(isSameHits(undefined, { isWhole: true })).toBe(false)
})
