import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseDatePattern, readDate } from './date-format.ts'
import { datePrinter, fieldDatePrinter } from './date-printer.ts'

const print = (pattern: string, ms: number): string => datePrinter(parseDatePattern(pattern))(ms)

/** 2024-02-29T15:04:05.678Z, a Thursday, day 60 of its year. */
const LEAP_DAY = Date.UTC(2024, 1, 29, 15, 4, 5, 678)
const MIDNIGHT = Date.UTC(2024, 0, 1)

it('prints a whole instant the same, whether JavaScript can or not', () => {
  const whole = datePrinter(parseDatePattern("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'"))
  const last = Date.UTC(10_000, 0) + 1
  const instant = fc.oneof(fc.integer({ min: -last, max: last }), fc.double({ min: -last, max: last, noNaN: true }))
  const print = fieldDatePrinter(undefined)
  fc.assert(
    fc.property(instant, (ms) => {
      expect(print(ms)).toBe(whole(ms))
    }),
  )
  for (const ms of [-62135596800000, -62135596800001, 253402300799999, 253402300800000, -0, 0.5, -0.5]) {
    expect(print(ms)).toBe(whole(ms))
  }
})

describe('datePrinter', () => {
  it.each([
    ['yyyy-MM-dd-HH:mm:ss', '2024-02-29-15:04:05'],
    ['uuuu', '2024'],
    ['yy', '24'],
    ['y-M-d', '2024-2-29'],
    ['dd MMM yyyy', '29 Feb 2024'],
    ['d MMMM', '29 February'],
    ['E', 'Thu'],
    ['EEEE', 'Thursday'],
    ['D', '60'],
    ['DDD', '060'],
    ['H h K k', '15 3 3 15'],
    ['hh:mm a', '03:04 PM'],
    ['S', '6'],
    ['SSS', '678'],
    ['SSSSSS', '678000'],
    ["yyyy'T'''HH", "2024T'15"],
    ['X x xx xxx Z ZZZZ ZZZZZ', 'Z +00 +0000 +00:00 +0000 GMT Z'],
  ])('prints %s', (pattern, text) => {
    expect(print(pattern, LEAP_DAY)).toBe(text)
  })

  it('knows the four ways to count the hour of midnight', () => {
    expect(print('H h K k a', MIDNIGHT)).toBe('0 12 0 24 AM')
  })

  it('prints times before 1970 and years before 1', () => {
    expect(print('yyyy-MM-dd-HH:mm:ss', -259_200_000)).toBe('1969-12-29-00:00:00')
    expect(print('yyyy-MM-dd HH:mm:ss.SSS', -1)).toBe('1969-12-31 23:59:59.999')
    const year0 = -62_167_219_200_000
    expect(print('yyyy uuuu', year0)).toBe('0001 0000')
    expect(print('uuuu', year0 - 1)).toBe('-0001')
  })

  it('cuts what is finer than a millisecond', () => {
    expect(print('HH:mm:ss.SSS', 600_001.5)).toBe('00:10:00.001')
    expect(print('HH:mm:ss.SSS', -0.5)).toBe('23:59:59.999')
  })

  it('prints what the reader reads', () => {
    const pattern = parseDatePattern("EEE, dd MMM yyyy HH:mm:ss.SSS 'o''clock' xxx")
    for (let ms = -5e12; ms < 5e12; ms += 123_456_789_123) {
      expect(readDate(pattern, datePrinter(pattern)(ms))?.first).toBe(ms)
    }
  })
})

describe('fieldDatePrinter', () => {
  it.each([
    ['epoch_millis', '1500'],
    ['epoch_second', '1.5'],
    ['epoch_second||epoch_millis', '1.5'],
    ['yyyy/MM/dd||epoch_millis', '1970/01/01'],
    ['yyyy_MM', '1970_01'],
    ["yyyy 'at' HH", '1970 at 00'],
    ['strict_date_optional_time||epoch_millis', '1970-01-01T00:00:01.500Z'],
    ['basic_date', '1970-01-01T00:00:01.500Z'],
    ['date', '1970-01-01T00:00:01.500Z'],
    ['strict_year_month', '1970-01-01T00:00:01.500Z'],
    ['a_format_of_another_server', '1970-01-01T00:00:01.500Z'],
    [undefined, '1970-01-01T00:00:01.500Z'],
  ])('prints by the first format of %s', (format, text) => {
    expect(fieldDatePrinter(format)(1500)).toBe(text)
  })

  it('prints an instant of epoch_millis with its fraction', () => {
    expect(fieldDatePrinter('epoch_millis')(600_001.5)).toBe('600001.5')
  })
})
