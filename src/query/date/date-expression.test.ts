import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DateFault, parseDateBound } from './date-expression.ts'
import { parseDatePattern } from './date-format.ts'

const NOW = Date.parse('2024-05-15T10:20:30.400Z')
const down = (text: string, pattern?: string): number =>
  parseDateBound(text, { now: NOW, roundUp: false, ...(pattern && { dateformat: parseDatePattern(pattern) }) })
const up = (text: string): number => parseDateBound(text, { now: NOW, roundUp: true })
const iso = (ms: number): string => new Date(ms).toISOString()

describe('parseDateBound', () => {
  it.each([
    ['0', 0],
    ['775000', 775000],
    ['-5', -5],
    [' 775000 ', 775000],
    ['now', NOW],
    ['775000||-3s', 772000],
    ['775000||-3s/s', 772000],
    ['763600||+10s-2s', 771600],
    ['-5||+1s', 995],
    ['8640000000000000', 8.64e15],
    ['9223372036854775807', 8.64e15 + 1],
    ['-9223372036854775808', -8.64e15 - 1],
  ])('%s is %i ms', (text, expected) => {
    expect(down(text)).toBe(expected)
  })

  it.each([
    ['now-1M', '2024-04-15T10:20:30.400Z'],
    ['now+2M-1d', '2024-07-14T10:20:30.400Z'],
    ['now+1y', '2025-05-15T10:20:30.400Z'],
    ['now-1w', '2024-05-08T10:20:30.400Z'],
    ['now+1h-1H', '2024-05-15T10:20:30.400Z'],
    ['now+90m', '2024-05-15T11:50:30.400Z'],
    ['now+0d', '2024-05-15T10:20:30.400Z'],
    [`${Date.UTC(2024, 0, 31)}||+1M`, '2024-02-29T00:00:00.000Z'],
    [`${Date.UTC(2023, 0, 31)}||+1M`, '2023-02-28T00:00:00.000Z'],
    [`${Date.UTC(2024, 0, 31)}||+1M+1M`, '2024-03-29T00:00:00.000Z'],
    [`${Date.UTC(2024, 1, 29)}||+1y`, '2025-02-28T00:00:00.000Z'],
    [`${Date.UTC(2024, 2, 31)}||-13M`, '2023-02-28T00:00:00.000Z'],
    [`${Date.UTC(1970, 0, 1)}||-1M`, '1969-12-01T00:00:00.000Z'],
  ])('%s is %s', (text, expected) => {
    expect(iso(down(text))).toBe(expected)
  })

  it.each([
    ['/y', '2024-01-01T00:00:00.000Z', '2024-12-31T23:59:59.999Z'],
    ['/M', '2024-05-01T00:00:00.000Z', '2024-05-31T23:59:59.999Z'],
    ['/w', '2024-05-13T00:00:00.000Z', '2024-05-19T23:59:59.999Z'],
    ['/d', '2024-05-15T00:00:00.000Z', '2024-05-15T23:59:59.999Z'],
    ['/h', '2024-05-15T10:00:00.000Z', '2024-05-15T10:59:59.999Z'],
    ['/H', '2024-05-15T10:00:00.000Z', '2024-05-15T10:59:59.999Z'],
    ['/m', '2024-05-15T10:20:00.000Z', '2024-05-15T10:20:59.999Z'],
    ['/s', '2024-05-15T10:20:30.000Z', '2024-05-15T10:20:30.999Z'],
  ])('now%s rounds to %s or %s', (round, first, last) => {
    expect(iso(down(`now${round}`))).toBe(first)
    expect(iso(up(`now${round}`))).toBe(last)
    expect(iso(up(`${NOW}||${round}`))).toBe(last)
  })

  it('rounds before 1970 towards the past, weeks from Monday', () => {
    expect(iso(down('-1||/d'))).toBe('1969-12-31T00:00:00.000Z')
    expect(iso(down('0||/w'))).toBe('1969-12-29T00:00:00.000Z')
    expect(iso(up('-1||/y'))).toBe('1969-12-31T23:59:59.999Z')
    expect(down(`${Date.UTC(2024, 1, 29, 12)}||/w`)).toBe(Date.UTC(2024, 1, 26))
  })

  it('reads the text before || with dateformat', () => {
    expect(down('01-01-1970 00:12:55', 'dd-MM-yyyy HH:mm:ss')).toBe(775000)
    expect(down('01-01-1970 00:12:55||-3s/s', 'dd-MM-yyyy HH:mm:ss')).toBe(772000)
    expect(down('now', 'yyyy')).toBe(NOW)
    expect(down('1970', 'yyyy')).toBe(0)
    expect(down('2024||/M', 'yyyy')).toBe(Date.UTC(2024, 0, 1))
  })

  it.each([
    '',
    ' ',
    'foo',
    '775000.0',
    '1970-01-01',
    '775000||',
    '||+1d',
    'now-',
    'now+',
    'now-d',
    'now-1',
    'now+1x',
    'now+1D',
    'now/',
    'now/x',
    'now/d/d',
    'now/d+1d',
    'now/dd',
    'now1d',
    'now +1d',
    'nowhere',
    'now||',
    'now||+1d',
    'Now',
    '5+1d',
    '0||1d',
    '0||+1.5d',
    '0||+-1d',
    '0||+1d||',
    '8640000000000001||/d',
    'now+999999y',
    '8640000000000000||+1s',
    '-8640000000000000||/y',
    `0||+${'9'.repeat(400)}M`,
    `0||+${'9'.repeat(400)}s`,
  ])('faults on %j', (text) => {
    expect(() => down(text)).toThrow(DateFault)
  })

  it('names dateformat when there is none, and the pattern when there is', () => {
    expect(() => down('1970-01-01')).toThrow('dateformat')
    expect(() => down('01-01-1970 00:12:55', 'dd-MM-yyyy')).toThrow("'dd-MM-yyyy'")
    expect(() => down('775000', 'dd-MM-yyyy')).toThrow(DateFault)
    expect(() => down('01-01-1970||', 'dd-MM-yyyy')).toThrow(DateFault)
  })

  it('never fails but with its own fault, and rounds to a unit that holds the instant', () => {
    const text = fc.string({
      unit: fc.constantFrom('now', '||', '+', '-', '/', '1', '20', 'd', 'M', 'y', 'w', 's', 'x'),
    })
    fc.assert(
      fc.property(text, (t) => {
        try {
          expect(down(t)).toBeLessThanOrEqual(up(t))
        } catch (fault) {
          expect(fault).toBeInstanceOf(DateFault)
        }
      }),
      { numRuns: 2000 },
    )
    fc.assert(
      fc.property(fc.integer({ min: -4e12, max: 4e12 }), fc.constantFrom(...'yMwdhms'), (ms, unit) => {
        const [first, last] = [down(`${ms}||/${unit}`), up(`${ms}||/${unit}`)]
        expect(first <= ms && ms <= last).toBe(true)
        expect(down(`${last}||/${unit}`)).toBe(first)
        expect(down(`${last + 1}||/${unit}`)).toBe(last + 1)
      }),
    )
  })
})
