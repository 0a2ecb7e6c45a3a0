import { expect, test } from 'vitest'
import { BatchSize } from './batch-size.ts'

const limits = { start: 10_000, min: 100, max: 50_000, targetMs: 250 }

test('settles where a batch takes less than it may, but not much less', () => {
  for (const documentsPerMs of [5, 40, 180]) {
    const size = new BatchSize(limits)
    const msOf = (): number => 20 + size.current / documentsPerMs
    for (let n = 0; n < 20; n++) size.took(msOf())
    expect(msOf()).toBeGreaterThan(limits.targetMs * 0.7)
    expect(msOf()).toBeLessThan(limits.targetMs)
  }
})

test('takes no more than twice, and no less than half, of what one batch suggests', () => {
  const size = new BatchSize(limits)
  size.took(1)
  expect(size.current).toBe(20_000)
  size.took(1e9)
  expect(size.current).toBe(10_000)
})

test('stays within its limits, and says when it cannot become smaller', () => {
  const size = new BatchSize(limits)
  for (let n = 0; n < 20; n++) size.took(1)
  expect(size.current).toBe(limits.max)
  for (let n = 0; n < 20; n++) size.took(1e9)
  expect(size.current).toBe(limits.min)
  expect(size.halve()).toBe(false)
})
