import { calendarDay, dayNumber, daysInMonth, HOUR_MS, isLeapYear, MINUTE_MS, SECOND_MS, weekday } from './calendar.ts'
import type { NamedPart, NumberPart, OffsetStyle, PatternPart } from './date-pattern.ts'
import { type DatePeriod, type Precision, periodFrom } from './date-period.ts'
import { endOfDigits, milliseconds } from './iso-date.ts'

/** Parsed parts of a text. A part given twice must have the same value both times. */
type Found = Partial<Record<NumberPart | NamedPart | 'fraction' | 'offset', number>>

const RANGES: Readonly<Record<NumberPart, readonly [min: number, max: number]>> = {
  year: [0, 999_999],
  yearOfEra: [1, 999_999],
  yearOfCentury: [0, 99],
  month: [1, 12],
  day: [1, 31],
  dayOfYear: [1, 366],
  hour: [0, 23],
  clockHour: [1, 24],
  halfdayHour: [0, 11],
  halfdayClockHour: [1, 12],
  minute: [0, 59],
  second: [0, 59],
}

/** Parses one part at offset `at` into `found`; returns the offset after it, or -1 if the text does not match. */
function readPart(part: PatternPart, text: string, at: number, found: Found): number {
  switch (part.kind) {
    case 'text':
      return text.startsWith(part.text, at) ? at + part.text.length : -1
    case 'number': {
      const width = Math.min(part.max, endOfDigits(text, at) - at - part.reserved)
      const value = width < part.min ? -1 : Number(text.slice(at, at + width))
      const [min, max] = RANGES[part.part]
      return value >= min && value <= max && keep(found, part.part, value) ? at + width : -1
    }
    case 'fraction': {
      const end = at + part.digits
      if (endOfDigits(text, at) < end) return -1
      return keep(found, 'fraction', milliseconds(text, at, end)) ? end : -1
    }
    case 'name': {
      const index = part.names.findIndex((name) => text.startsWith(name, at))
      const name = part.names[index]
      if (name === undefined) return -1
      return keep(found, part.part, part.part === 'month' ? index + 1 : index) ? at + name.length : -1
    }
    case 'offset':
      return readOffset(part.style, text, at, found)
  }
}

function keep(found: Found, part: keyof Found, value: number): boolean {
  if (found[part] !== undefined) return found[part] === value
  found[part] = value
  return true
}

function readOffset(style: OffsetStyle, text: string, at: number, found: Found): number {
  const start = style.gmt && text.startsWith('GMT', at) ? at + 3 : at
  if (style.gmt && start === at) return -1
  if (style.zulu && text.charAt(start) === 'Z') return keep(found, 'offset', 0) ? start + 1 : -1
  const form = style.colon ? /([+-])(\d\d)(?::(\d\d)(?::(\d\d))?)?/y : /([+-])(\d\d)(?:(\d\d)(\d\d)?)?/y
  form.lastIndex = start
  const match = form.exec(text)
  if (match === null) return style.gmt && keep(found, 'offset', 0) ? start : -1
  const [whole, sign, hours = '0', minutes, seconds] = match
  if (style.minutes === 'required' && minutes === undefined) return -1
  // If the style has no seconds, digits that look like seconds belong to the next part.
  const taken = seconds !== undefined && !style.seconds ? whole.length - (style.colon ? 3 : 2) : whole.length
  const second = style.seconds ? Number(seconds ?? 0) : 0
  if (Number(hours) > 18 || Number(minutes ?? 0) > 59 || second > 59) return -1
  const size = Number(hours) * HOUR_MS + Number(minutes ?? 0) * MINUTE_MS + second * SECOND_MS
  return keep(found, 'offset', sign === '-' && size > 0 ? -size : size) ? start + taken : -1
}

/** Returns the hour of the day from any of its letters; undefined if they contradict each other. */
function hourOf(found: Found): number | undefined {
  const hours: number[] = []
  if (found.hour !== undefined) hours.push(found.hour)
  if (found.clockHour !== undefined) hours.push(found.clockHour % 24)
  const noon = (found.halfday ?? 0) * 12
  if (found.halfdayHour !== undefined) hours.push(found.halfdayHour + noon)
  if (found.halfdayClockHour !== undefined) hours.push((found.halfdayClockHour % 12) + noon)
  const hour = hours[0] ?? noon
  const agrees = hours.every((h) => h === hour) && (found.halfday === undefined || Math.floor(hour / 12) * 12 === noon)
  return agrees ? hour : undefined
}

/** Returns the day; missing parts default to 1970-01-01. Undefined if the day does not exist. */
function dayOf(found: Found): { year: number; month: number; day: number } | undefined {
  const years = [
    found.year,
    found.yearOfEra,
    found.yearOfCentury === undefined ? undefined : 2000 + found.yearOfCentury,
  ]
  const given = years.filter((y) => y !== undefined)
  const year = given[0] ?? 1970
  if (given.some((y) => y !== year)) return undefined
  let { month = 1, day = 1 } = found
  if (found.dayOfYear !== undefined) {
    if (found.dayOfYear === 366 && !isLeapYear(year)) return undefined
    const named = calendarDay(dayNumber(year, 1, found.dayOfYear))
    if (found.month !== undefined && found.month !== named.month) return undefined
    if (found.day !== undefined && found.day !== named.day) return undefined
    month = named.month
    day = named.day
  }
  if (day > daysInMonth(year, month)) return undefined
  const namesDay = found.day !== undefined || found.dayOfYear !== undefined
  if (namesDay && found.weekday !== undefined && found.weekday !== weekday(dayNumber(year, month, day)))
    return undefined
  return { year, month, day }
}

function precisionOf(found: Found): Precision {
  if (found.fraction !== undefined) return 'millisecond'
  if (found.second !== undefined) return 'second'
  if (found.minute !== undefined) return 'minute'
  const hours = [found.hour, found.clockHour, found.halfdayHour, found.halfdayClockHour]
  if (hours.some((h) => h !== undefined)) return 'hour'
  if (found.halfday !== undefined) return 'halfday'
  if (found.day !== undefined || found.dayOfYear !== undefined) return 'day'
  return found.month === undefined ? 'year' : 'month'
}

/** Parses a whole text with a pattern; undefined for impossible or contradictory dates. */
export function readPatternDate(parts: readonly PatternPart[], text: string): DatePeriod | undefined {
  const found: Found = {}
  let at = 0
  for (const part of parts) {
    at = readPart(part, text, at, found)
    if (at < 0) return undefined
  }
  if (at !== text.length) return undefined
  const day = dayOf(found)
  const hour = hourOf(found)
  if (day === undefined || hour === undefined) return undefined
  const time =
    hour * HOUR_MS + (found.minute ?? 0) * MINUTE_MS + (found.second ?? 0) * SECOND_MS + (found.fraction ?? 0)
  return periodFrom(day.year, day.month, day.day, time, precisionOf(found), found.offset ?? 0)
}
