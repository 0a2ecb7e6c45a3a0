import { describe, expect, test } from 'vitest'
import { classBreaks, classings, sampleOf } from './class-breaks.ts'

/** Sizes of areas: most are small, few are large. */
const skewed = Array.from({ length: 200 }, (_, i) => 1.05 ** i)

const sharesOf = (values: readonly number[], breaks: readonly number[]): readonly number[] =>
  breaks.map((from, i) => values.filter((value) => value >= from && value < (breaks[i + 1] ?? Infinity)).length)

describe.each(classings)('classes: %s', (classing) => {
  test.each([
    ['skewed values', skewed],
    ['values below zero', [-5, -3, -1, 0, 0, 2, 8, 40]],
    ['many equal values', [...Array.from({ length: 90 }, () => 0), 1, 2, 3, 4, 5]],
    ['tiny differences', [1, 1.0001, 1.0002, 1.0004]],
    ['two values', [3, 9]],
    ['one value', [3, 3, 3]],
  ])('%s: bounds rise, and every value is in a class', (_, values) => {
    const breaks = classBreaks(values, 7, classing)
    expect(breaks.length).toBeGreaterThan(0)
    expect(breaks.length).toBeLessThanOrEqual(7)
    expect(breaks).toEqual([...new Set(breaks)].sort((a, b) => a - b))
    expect(sharesOf(values, breaks).reduce((sum, count) => sum + count)).toBe(values.length)
  })

  test('nothing has no classes', () => {
    expect(classBreaks([], 7, classing)).toEqual([])
  })
})

test('quantiles divide skewed values evenly, equal widths put most into one class', () => {
  for (const count of sharesOf(skewed, classBreaks(skewed, 5, 'quantile'))) expect(count).toBeCloseTo(40, -1)
  expect(sharesOf(skewed, classBreaks(skewed, 5, 'equal'))[0]).toBeGreaterThan(150)
})

test('natural breaks are in the gaps', () => {
  expect(classBreaks([1, 2, 3, 50, 51, 52, 900, 901], 3, 'natural')).toEqual([1, 50, 900])
})

test('bounds are rounded as far as the classes allow', () => {
  expect(classBreaks([0.123456, 10.98765, 20.13579, 30.24681], 4, 'quantile')).toEqual([0.1, 11, 20.1, 30.2])
})

test('a sample has the first and the last value', () => {
  expect(sampleOf([1, 2, 3, 4, 5, 6, 7, 8, 9], 3)).toEqual([1, 5, 9])
  expect(sampleOf([1, 2], 3)).toEqual([1, 2])
})
