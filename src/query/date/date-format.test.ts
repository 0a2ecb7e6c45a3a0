import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FormatFault, parseDateFormat, parseDatePattern, readDate } from './date-format.ts'

/** `first` or `first/last`, as ISO instants; undefined if the text is not accepted. */
function period(format: string, text: string): string | undefined {
  const read = readDate(parseDateFormat(format), text)
  return read && `${new Date(read.first).toISOString()}/${new Date(read.last).toISOString()}`
}
const iso = (text: string): string | undefined => period('strict_date_optional_time', text)

describe('strict_date_optional_time', () => {
  it.each([
    ['2024', '2024-01-01T00:00:00.000Z/2024-12-31T23:59:59.999Z'],
    ['0000', '0000-01-01T00:00:00.000Z/0000-12-31T23:59:59.999Z'],
    ['2024-02', '2024-02-01T00:00:00.000Z/2024-02-29T23:59:59.999Z'],
    ['2024-12', '2024-12-01T00:00:00.000Z/2024-12-31T23:59:59.999Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z/2024-02-29T23:59:59.999Z'],
    ['2024-02-29T12', '2024-02-29T12:00:00.000Z/2024-02-29T12:59:59.999Z'],
    ['2024-02-29T12:30', '2024-02-29T12:30:00.000Z/2024-02-29T12:30:59.999Z'],
    ['2024-02-29T12:30:15', '2024-02-29T12:30:15.000Z/2024-02-29T12:30:15.999Z'],
    ['2024-02-29T12:30:15Z', '2024-02-29T12:30:15.000Z/2024-02-29T12:30:15.999Z'],
    ['2024-02-29T12:30:15.5', '2024-02-29T12:30:15.500Z/2024-02-29T12:30:15.500Z'],
    ['2024-02-29T12:30:15,25Z', '2024-02-29T12:30:15.250Z/2024-02-29T12:30:15.250Z'],
    ['2024-02-29T12:30:15.123456789Z', '2024-02-29T12:30:15.123Z/2024-02-29T12:30:15.123Z'],
    ['1969-12-31T23:59:59.9999Z', '1969-12-31T23:59:59.999Z/1969-12-31T23:59:59.999Z'],
    ['2024-02-29T12:30+02:00', '2024-02-29T10:30:00.000Z/2024-02-29T10:30:59.999Z'],
    ['2024-02-29T12:30:15-0530', '2024-02-29T18:00:15.000Z/2024-02-29T18:00:15.999Z'],
    ['2024-01-01T00:00:00.000+01', '2023-12-31T23:00:00.000Z/2023-12-31T23:00:00.000Z'],
    ['2024-02-29T12Z', '2024-02-29T12:00:00.000Z/2024-02-29T12:59:59.999Z'],
  ])('%s', (text, expected) => {
    expect(iso(text)).toBe(expected)
  })

  it.each([
    '',
    '24',
    '202',
    '20240',
    '2024-',
    '2024-2',
    '2024-13',
    '2024-00',
    '2024-02-30',
    '2023-02-29',
    '2024-04-31',
    '2024-01-00',
    '2024-01-1',
    '2024-01-01T',
    '2024-01-01T1',
    '2024-01-01T24',
    '2024-01-01T10:60',
    '2024-01-01T10:00:60',
    '2024-01-01T10:00:00.',
    '2024-01-01T10:00:00.1234567890',
    '2024-01-01T10:00:00z',
    '2024-01-01 10:00:00',
    '2024-01-01Z',
    '2024-01-01T10:00:00+1',
    '2024-01-01T10:00:00+19:00',
    '2024-01-01T10:00:00+01:60',
    '2024-01-01T10:00:00+01:000',
    '2024-01-01T10:00:00Zx',
    '1709251200000',
    'now',
  ])('does not read %j', (text) => {
    expect(iso(text)).toBeUndefined()
  })

  it('reads what Date prints', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('0000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
        (date) => {
          expect(readDate(parseDateFormat('strict_date_optional_time'), date.toISOString())).toEqual({
            first: date.getTime(),
            last: date.getTime(),
          })
        },
      ),
    )
  })
})

describe('epoch formats', () => {
  const read = (format: string, text: string) => readDate(parseDateFormat(format), text)
  it.each([
    ['epoch_millis', '0', 0, 0],
    ['epoch_millis', '775000', 775000, 775000],
    ['epoch_millis', '-1', -1, -1],
    ['epoch_millis', '12.9', 12, 12],
    ['epoch_second', '775', 775000, 775999],
    ['epoch_second', '775.25', 775250, 775250],
    ['epoch_second', '-1.5', -1500, -1500],
    ['epoch_second', '1.0019', 1001, 1001],
  ])('%s reads %s', (format, text, first, last) => {
    expect(read(format, text)).toEqual({ first, last })
  })
  it.each(['', '-', '1e3', '1.', '.5', 'now', '8640000000000001', '9'.repeat(400)])('does not read %j', (text) => {
    expect(read('epoch_millis', text)).toBeUndefined()
  })
})

describe('patterns', () => {
  it.each([
    ['dd-MM-yyyy HH:mm:ss', '01-01-1970 00:12:55', '1970-01-01T00:12:55.000Z/1970-01-01T00:12:55.999Z'],
    ['yyyy-MM-dd HH:mm', '1970-01-01 00:20', '1970-01-01T00:20:00.000Z/1970-01-01T00:20:59.999Z'],
    ['yyyy', '2024', '2024-01-01T00:00:00.000Z/2024-12-31T23:59:59.999Z'],
    ['MM/yyyy', '02/2024', '2024-02-01T00:00:00.000Z/2024-02-29T23:59:59.999Z'],
    ['yyyyMMdd', '20240229', '2024-02-29T00:00:00.000Z/2024-02-29T23:59:59.999Z'],
    ['yyyyMMddHHmmssSSS', '20240229123015042', '2024-02-29T12:30:15.042Z/2024-02-29T12:30:15.042Z'],
    ['yMMdd', '20240229', '2024-02-29T00:00:00.000Z/2024-02-29T23:59:59.999Z'],
    ['d/M/u', '9/2/2024', '2024-02-09T00:00:00.000Z/2024-02-09T23:59:59.999Z'],
    ['d/M/u', '09/02/2024', '2024-02-09T00:00:00.000Z/2024-02-09T23:59:59.999Z'],
    ['dd.MM.yy', '01.02.03', '2003-02-01T00:00:00.000Z/2003-02-01T23:59:59.999Z'],
    ['dd MMM yyyy', '05 Mar 2024', '2024-03-05T00:00:00.000Z/2024-03-05T23:59:59.999Z'],
    ['MMMM d, yyyy', 'September 7, 2024', '2024-09-07T00:00:00.000Z/2024-09-07T23:59:59.999Z'],
    ['E, d MMM yyyy', 'Thu, 29 Feb 2024', '2024-02-29T00:00:00.000Z/2024-02-29T23:59:59.999Z'],
    ['EEEE d MMM yyyy', 'Thursday 29 Feb 2024', '2024-02-29T00:00:00.000Z/2024-02-29T23:59:59.999Z'],
    ['yyyy-DDD', '2024-366', '2024-12-31T00:00:00.000Z/2024-12-31T23:59:59.999Z'],
    ['yyyy D', '2023 32', '2023-02-01T00:00:00.000Z/2023-02-01T23:59:59.999Z'],
    ['h:mm a', '12:05 AM', '1970-01-01T00:05:00.000Z/1970-01-01T00:05:59.999Z'],
    ['h:mm a', '12:05 PM', '1970-01-01T12:05:00.000Z/1970-01-01T12:05:59.999Z'],
    ['hh a', '11 PM', '1970-01-01T23:00:00.000Z/1970-01-01T23:59:59.999Z'],
    ['KK a', '00 PM', '1970-01-01T12:00:00.000Z/1970-01-01T12:59:59.999Z'],
    ['kk', '24', '1970-01-01T00:00:00.000Z/1970-01-01T00:59:59.999Z'],
    ['hh', '12', '1970-01-01T00:00:00.000Z/1970-01-01T00:59:59.999Z'],
    ['a', 'PM', '1970-01-01T12:00:00.000Z/1970-01-01T23:59:59.999Z'],
    ['ss.S', '07.5', '1970-01-01T00:00:07.500Z/1970-01-01T00:00:07.500Z'],
    ['ss.SSSSSSSSS', '07.123456789', '1970-01-01T00:00:07.123Z/1970-01-01T00:00:07.123Z'],
    ["yyyy'T'MM''dd", "2024T02'29", '2024-02-29T00:00:00.000Z/2024-02-29T23:59:59.999Z'],
    ["'o''clock' HH", "o'clock 07", '1970-01-01T07:00:00.000Z/1970-01-01T07:59:59.999Z'],
    ['HH:mmX', '10:00Z', '1970-01-01T10:00:00.000Z/1970-01-01T10:00:59.999Z'],
    ['HH:mmX', '10:00+02', '1970-01-01T08:00:00.000Z/1970-01-01T08:00:59.999Z'],
    ['HH:mmX', '10:00+0230', '1970-01-01T07:30:00.000Z/1970-01-01T07:30:59.999Z'],
    ['HH:mmXX', '10:00-0100', '1970-01-01T11:00:00.000Z/1970-01-01T11:00:59.999Z'],
    ['HH:mmXXX', '10:00+05:30', '1970-01-01T04:30:00.000Z/1970-01-01T04:30:59.999Z'],
    ['HH:mmxxx', '10:00+00:00', '1970-01-01T10:00:00.000Z/1970-01-01T10:00:59.999Z'],
    ['HH:mmZ', '10:00+0100', '1970-01-01T09:00:00.000Z/1970-01-01T09:00:59.999Z'],
    ['HH:mm ZZZZ', '10:00 GMT+01:00', '1970-01-01T09:00:00.000Z/1970-01-01T09:00:59.999Z'],
    ['HH:mm ZZZZ', '10:00 GMT', '1970-01-01T10:00:00.000Z/1970-01-01T10:00:59.999Z'],
    ['yyyy年MM月', '2024年02月', '2024-02-01T00:00:00.000Z/2024-02-29T23:59:59.999Z'],
    ['basic_date', '20240229', '2024-02-29T00:00:00.000Z/2024-02-29T23:59:59.999Z'],
    ['strict_date_hour_minute', '2024-02-29T10:05', '2024-02-29T10:05:00.000Z/2024-02-29T10:05:59.999Z'],
  ])('%s reads %s', (pattern, text, expected) => {
    expect(period(pattern, text)).toBe(expected)
  })

  it.each([
    ['dd-MM-yyyy', '01-01-1970 00:12:55'],
    ['dd-MM-yyyy', '30-02-2024'],
    ['dd-MM-yyyy', '29-02-2023'],
    ['dd-MM-yyyy', '1-01-1970'],
    ['dd-MM-yyyy', '01-1-1970'],
    ['dd-MM-yyyy', '01-13-1970'],
    ['dd-MM-yyyy', '00-01-1970'],
    ['dd-MM-yyyy', '01-01-70'],
    ['dd-MM-yyyy', '01-01-19700'],
    ['dd-MM-yyyy', ' 01-01-1970'],
    ['yyyy', '0000'],
    ['yyyy', '+2024'],
    ['yyyyMMdd', '202402290'],
    ['yyyyMMdd', '2024022'],
    ['yyyy-DDD', '2023-366'],
    ['yyyy-DDD', '2023-000'],
    ['E d/M/yyyy', 'Wed 29/2/2024'],
    ['yyyy-MM-dd D', '2024-02-29 61'],
    ['HH', '24'],
    ['hh', '00'],
    ['kk', '00'],
    ['KK', '12'],
    ['mm', '60'],
    ['ss', '60'],
    ['HH a', '13 AM'],
    ['dd MMM', '05 mar'],
    ['dd MMM', '05 March'],
    ['HH:mmXXX', '10:00+0530'],
    ['HH:mmXX', '10:00+05:30'],
    ['HH:mmx', '10:00Z'],
    ['HH:mmX', '10:00+1'],
    ['HH:mmX', '10:00'],
    ['HH:mmX', '10:00+19'],
    ['HH:mm ZZZZ', '10:00 +01:00'],
    ['y', '999999'],
    ['yyyy yyyy', '2024 2023'],
  ])('%s does not read %s', (pattern, text) => {
    expect(period(pattern, text)).toBeUndefined()
  })

  it.each([
    '',
    ' ',
    'foo',
    'yyyy-nn',
    'yyyy||MM',
    'YYYY',
    'GG',
    'w',
    'A',
    'V',
    'z',
    'yyyy-MM-dd T HH',
    "yyyy'",
    'MMMMM',
  ])('is no pattern: %j', (pattern) => {
    expect(() => parseDatePattern(pattern)).toThrow(FormatFault)
  })
  it.each(['ddd', 'DDDD', 'HHH', 'SSSSSSSSSS', 'XXXXXX', 'EEEEE', 'aa', 'epoch_days', 'weekyear_week'])(
    'is no format: %j',
    (format) => {
      expect(() => parseDateFormat(format)).toThrow(FormatFault)
    },
  )

  it('keeps the names of 2.1.9 out of dateformat', () => {
    expect(() => parseDatePattern('epoch_millis')).toThrow(FormatFault)
    expect(parseDateFormat('mm_ss').kind).toBe('pattern')
  })

  it('names the letter at fault', () => {
    expect(() => parseDatePattern('yyyy-nn')).toThrow("'n'")
  })

  it('never fails but with its own fault', () => {
    const pattern = fc.string({ unit: fc.constantFrom(..."yuMdDEHhKkmsSaXxZ'-:./ T|n"), maxLength: 12 })
    fc.assert(
      fc.property(
        pattern,
        fc.string({ unit: fc.constantFrom(..."0123456789-:+ZTAMPJanWed'./ "), maxLength: 16 }),
        (p, t) => {
          try {
            const read = readDate(parseDateFormat(p), t)
            if (read !== undefined) expect(read.first).toBeLessThanOrEqual(read.last)
          } catch (fault) {
            expect(fault).toBeInstanceOf(FormatFault)
          }
        },
      ),
      { numRuns: 2000 },
    )
  })
})
