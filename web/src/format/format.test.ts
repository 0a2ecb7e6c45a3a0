import { describe, expect, test } from 'vitest'
import { DAY, formatMoment, formatTick, fromInput, HOUR, nextStep, timeStep, toInput } from './dates.ts'
import { formatBytes, formatDocuments, niceStep } from './numbers.ts'
import { formatValue } from './values.ts'

describe('steps of numbers', () => {
  test.each([
    [100, 40, 5],
    [8.6, 40, 0.5],
    [0.0123, 40, 0.0005],
    [1e9, 10, 1e8],
    [0, 40, 1],
  ])('%d in at most %d parts: %d', (span, parts, step) => {
    expect(niceStep(span, parts)).toBe(step)
    expect(span / step).toBeLessThanOrEqual(parts + 1e-9)
  })
})

describe('steps of time', () => {
  test.each([
    [7 * DAY, 100, '2hour'],
    [2 * HOUR, 100, '2minute'],
    [365 * DAY, 100, '1week'],
    [400_000 * DAY, 100, '1year'],
  ])('%d ms in at most %d parts: %s', (span, parts, text) => {
    expect(timeStep(span, parts).text).toBe(text)
  })

  test('calendar steps follow the calendar', () => {
    const february = Date.UTC(2024, 1, 1)
    expect(nextStep(february, timeStep(7 * DAY, 100))).toBe(february + 2 * HOUR)
    expect(nextStep(february, { text: '1month', ms: 30 * DAY })).toBe(Date.UTC(2024, 2, 1))
    expect(nextStep(february, { text: '1year', ms: 365 * DAY })).toBe(Date.UTC(2025, 1, 1))
  })
})

test('moments are told in UTC, as finely as needed', () => {
  const moment = Date.UTC(2018, 1, 3, 4, 5, 6)
  expect(formatMoment(moment)).toMatch(/2018.*04[:.]05[:.]06/)
  expect(formatTick(moment, 365 * DAY)).toBe('2018')
  expect(formatTick(moment, DAY)).not.toContain('2018')
  expect(formatTick(moment, HOUR)).toMatch(/04[:.]05/)
  expect(formatTick(Date.UTC(2018, 1, 3), HOUR)).toBe(formatTick(Date.UTC(2018, 1, 3), DAY))
  expect(fromInput(toInput(moment))).toBe(moment)
  expect(fromInput('soon')).toBeUndefined()
})

test('bytes have a unit that fits', () => {
  expect(formatBytes(0)).toMatch(/^0\s?byte$/)
  expect(formatBytes(1_500_000)).toMatch(/^1[.,]5\s?MB$/)
})

describe('values of documents', () => {
  test.each([
    [34.0980819, { type: 'DOUBLE', isLabel: false }, '34.0980819'],
    [1234567.125, { type: 'DOUBLE', isLabel: false }, '1,234,567.125'],
    [1194, { type: 'LONG', isLabel: true }, '1194'],
    [1e-20, { type: 'DOUBLE', isLabel: false }, '1e-20'],
    [[1.5, 2.25], undefined, '1.5, 2.25'],
    [false, undefined, 'no'],
  ])('%s', (value, field, text) => {
    expect(formatValue(value, field)).toBe(text)
  })

  test('a count has its noun', () => {
    expect([0, 1, 2].map(formatDocuments)).toEqual(['0 documents', '1 document', '2 documents'])
  })
})
