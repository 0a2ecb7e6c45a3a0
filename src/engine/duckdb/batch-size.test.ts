import { expect, test } from 'vitest'
import { BatchSize } from './batch-size.ts'

const limits = { start: 10_000, min: 100, max: 50_000, targetMs: 250 }

test('a batch over the target halves it, one under two fifths of it doubles it, others leave it', () => {
  const size = new BatchSize(limits)
  const after = (ms: number): number => {
    size.took(ms)
    return size.current
  }
  expect([251, 250, 100, 99, 99, 300].map(after)).toEqual([5_000, 5_000, 5_000, 10_000, 20_000, 10_000])
})

test('stays within its limits, and says when it cannot become smaller', () => {
  const size = new BatchSize(limits)
  for (let n = 0; n < 20; n++) size.took(1)
  expect(size.current).toBe(limits.max)
  for (let n = 0; n < 20; n++) size.took(1e9)
  expect(size.current).toBe(limits.min)
  expect(size.halve()).toBe(false)
})
