import { describe, expect, it } from 'vitest'
import { FormatFault } from './date-format.ts'
import { parseFieldFormat, readableFormats, readFieldDate, readStoredDate } from './field-date.ts'

const DAY = 86_400_000
const FEB_29 = Date.UTC(2024, 1, 29)

describe('parseFieldFormat', () => {
  it('has the default of 2.1.9', () => {
    expect(parseFieldFormat(undefined).map((format) => format.kind)).toEqual(['iso', 'epoch_millis'])
  })
  it('parses a text once', () => {
    expect(parseFieldFormat('yyyy||epoch_second')).toBe(parseFieldFormat('yyyy||epoch_second'))
  })
  it.each(['', 'yyyy||', 'nope', '||epoch_millis'])('faults on %j', (format) => {
    expect(() => parseFieldFormat(format)).toThrow(FormatFault)
  })
  it('leaves out what it cannot read from a mapping that exists', () => {
    expect(readableFormats('week_date||epoch_millis').map((format) => format.kind)).toEqual(['epoch_millis'])
  })
})

describe('readFieldDate', () => {
  it.each([
    [undefined, '2024-02-29', FEB_29, FEB_29 + DAY - 1],
    [undefined, '2024-02', Date.UTC(2024, 1, 1), Date.UTC(2024, 2, 1) - 1],
    [undefined, '2024', Date.UTC(2024, 0, 1), Date.UTC(2025, 0, 1) - 1],
    [undefined, '2024-02-29T00:00:00Z', FEB_29, FEB_29 + 999],
    [undefined, '2024-02-29T00:00:00.000Z', FEB_29, FEB_29],
    [undefined, '1709251200000', 1709251200000, 1709251200000],
    ['epoch_millis', '763600', 763600, 763600],
    ['epoch_millis', 763600, 763600, 763600],
    ['epoch_millis', ' 763600 ', 763600, 763600],
    ['epoch_second', '763', 763000, 763999],
    ['yyyy-MM-dd', '2024-02-29', FEB_29, FEB_29 + DAY - 1],
    ['yyyy-MM-dd', '-5', -5, -5],
    ['epoch_second||yyyy', '2024', 2024000, 2024999],
    ['yyyy-MM-dd', '9'.repeat(30), 8.64e15 + 1, 8.64e15 + 1],
  ])('%s reads %s', (format, value, first, last) => {
    expect(readFieldDate(parseFieldFormat(format), value)).toEqual({ first, last })
  })
  it.each([
    ['epoch_millis', '2024-02-29'],
    [undefined, 'foo'],
    [undefined, ''],
    [undefined, '775000.x'],
    ['yyyy-MM-dd', '1.5'],
  ])('%s does not read %s', (format, value) => {
    expect(readFieldDate(parseFieldFormat(format), value)).toBeUndefined()
  })
})

describe('readStoredDate', () => {
  it.each([
    [undefined, 1709251200000, 1709251200000],
    [undefined, 2024, 2024],
    [undefined, '2024', Date.UTC(2024, 0, 1)],
    [undefined, '1709251200000', 1709251200000],
    [undefined, '2024-02-29T12:30:00Z', FEB_29 + 12.5 * 3_600_000],
    ['epoch_second', 763, 763000],
    ['epoch_second', 1.001, 1001],
    ['epoch_second', -1.5, -1500],
    ['yyyy||epoch_second||epoch_millis', 5, 5000],
    ['epoch_millis||epoch_second', 5, 5],
    ['epoch_millis', 5.9, 5],
    ['yyyy-MM-dd', '2024-02-29', FEB_29],
    ['yyyy-MM-dd', 1709251200000, undefined],
    ['yyyy-MM-dd', '1709251200000', undefined],
    [undefined, true, undefined],
    [undefined, null, undefined],
    [undefined, { a: 1 }, undefined],
    [undefined, 1e300, undefined],
  ])('%s: %j is %s', (format, value, expected) => {
    expect(readStoredDate(parseFieldFormat(format), value)).toBe(expected)
  })
})
