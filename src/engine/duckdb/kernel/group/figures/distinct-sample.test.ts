import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addTerm, DistinctSample } from './distinct-sample.ts'

describe('DistinctSample', () => {
  it('counts few values exactly', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ noNaN: true })), (values) => {
        const sample = new DistinctSample(100)
        for (const value of values) sample.addDouble(value)
        expect(sample.estimate).toBe(new Set(values.map((value) => value + 0)).size)
      }),
    )
  })

  it('estimates many numbers within 2 %', () => {
    const sample = new DistinctSample(100)
    for (let i = 0; i < 700_000; i++) sample.addDouble((i % 600_000) * 0.25)
    expect(sample.estimate).not.toBe(600_000)
    expect(Math.abs(sample.estimate / 600_000 - 1)).toBeLessThan(0.02)
  })

  it('estimates many terms within 2 %', () => {
    const sample = new DistinctSample(100)
    for (let i = 0; i < 400_000; i++) addTerm(sample, `term ${i}`, () => true)
    expect(sample.estimate).not.toBe(400_000)
    expect(Math.abs(sample.estimate / 400_000 - 1)).toBeLessThan(0.02)
  })

  it('is exact up to the number asked for', () => {
    const sample = new DistinctSample(150_000)
    for (let i = 0; i < 150_000; i++) sample.addDouble(i / 7)
    expect(sample.estimate).toBe(150_000)
  })
})
