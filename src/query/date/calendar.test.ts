import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { calendarDay, DAY_MS, dayNumber, daysInMonth, isInstant, weekday } from './calendar.ts'

describe('calendar', () => {
  it('agrees with Date on every day number', () => {
    fc.assert(
      fc.property(fc.integer({ min: -100_000_000, max: 100_000_000 }), (days) => {
        const date = new Date(days * DAY_MS)
        const expected = { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
        expect(calendarDay(days)).toEqual(expected)
        expect(dayNumber(expected.year, expected.month, expected.day)).toBe(days)
        expect(weekday(days)).toBe((date.getUTCDay() + 6) % 7)
      }),
    )
  })

  it('carries months into years', () => {
    expect(dayNumber(2023, 13, 1)).toBe(dayNumber(2024, 1, 1))
    expect(dayNumber(2024, 0, 31)).toBe(dayNumber(2023, 12, 31))
  })

  it('knows leap years', () => {
    expect([2023, 2024, 1900, 2000, 0, -4].map((year) => daysInMonth(year, 2))).toEqual([28, 29, 28, 29, 29, 29])
  })

  it('ends where JavaScript dates end', () => {
    expect([8.64e15, -8.64e15, 0.5, 8.64e15 + 1, Number.NaN].map(isInstant)).toEqual([true, true, false, false, false])
  })
})
