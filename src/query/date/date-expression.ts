import {
  calendarDay,
  DAY_MS,
  dayNumber,
  daysInMonth,
  HOUR_MS,
  isInstant,
  MINUTE_MS,
  nearestInstant,
  SECOND_MS,
  weekday,
} from './calendar.ts'
import { type DateFormat, readDate } from './date-format.ts'

/** An invalid date bound; `reason` is a clause that follows the name of the parameter. */
export class DateFault extends Error {
  readonly reason: string
  constructor(reason: string) {
    super(reason)
    this.name = 'DateFault'
    this.reason = reason
  }
}

interface DateBoundOptions {
  /** Milliseconds; read once per request. */
  readonly now: number
  /** Format of the text before `||`, or of the whole bound. */
  readonly dateformat?: DateFormat
  /** `/U` rounds to the last ms of the unit (gt, lte) instead of the first (gte, lt). */
  readonly roundUp: boolean
}

const UNITS = ['y', 'M', 'w', 'd', 'h', 'H', 'm', 's'] as const
type Unit = (typeof UNITS)[number]

const isUnit = (text: string | undefined): text is Unit => UNITS.some((unit) => unit === text)

const FIXED_MS: Readonly<Record<Exclude<Unit, 'y' | 'M'>, number>> = {
  w: 7 * DAY_MS,
  d: DAY_MS,
  h: HOUR_MS,
  H: HOUR_MS,
  m: MINUTE_MS,
  s: SECOND_MS,
}

function within(ms: number): number {
  if (!isInstant(ms)) throw new DateFault('must be a date from year -271821 to 275760')
  return ms + 0
}

/** Keeps the day of the month, or uses the last day if the month is shorter. */
function addMonths(ms: number, months: number): number {
  const days = Math.floor(ms / DAY_MS)
  const from = calendarDay(days)
  const month = from.year * 12 + from.month - 1 + months
  const year = Math.floor(month / 12)
  const monthOfYear = month - year * 12 + 1
  const day = Math.min(from.day, daysInMonth(year, monthOfYear))
  return dayNumber(year, monthOfYear, day) * DAY_MS + (ms - days * DAY_MS)
}

function add(ms: number, count: number, unit: Unit): number {
  if (unit === 'y' || unit === 'M') return addMonths(ms, unit === 'y' ? count * 12 : count)
  return ms + count * FIXED_MS[unit]
}

/** First ms of the unit that contains `ms`. */
function floorTo(ms: number, unit: Unit): number {
  const days = Math.floor(ms / DAY_MS)
  if (unit === 'w') return (days - weekday(days)) * DAY_MS
  if (unit === 'y' || unit === 'M') {
    const { year, month } = calendarDay(days)
    return dayNumber(year, unit === 'y' ? 1 : month, 1) * DAY_MS
  }
  return Math.floor(ms / FIXED_MS[unit]) * FIXED_MS[unit]
}

/** Applies a chain of `+nU` and `-nU`, then at most one `/U`. */
function applyMath(start: number, math: string, roundUp: boolean): number {
  const chain = /([+-])(\d*)([a-zA-Z]?)|\/([a-zA-Z]?)/y
  let ms = start
  while (chain.lastIndex < math.length) {
    const at = chain.lastIndex
    const match = chain.exec(math)
    if (match === null) {
      throw new DateFault(`has date arithmetic with '${math.slice(at, at + 20)}' instead of +nU, -nU or /U`)
    }
    const [step, sign, digits, unit, roundUnit] = match
    if (sign === undefined) {
      if (!isUnit(roundUnit)) throw new DateFault(`has '${step}', which must be / and a unit (y M w d h H m s)`)
      if (chain.lastIndex < math.length)
        throw new DateFault(`has text after '${step}', which must be the end of the expression`)
      const first = within(floorTo(ms, roundUnit))
      return roundUp ? within(add(first, 1, roundUnit) - 1) : first
    }
    if (digits === '' || !isUnit(unit)) {
      throw new DateFault(`has '${step}', which must be a sign, a number and a unit (y M w d h H m s)`)
    }
    ms = within(add(ms, sign === '-' ? -Number(digits) : Number(digits), unit))
  }
  return ms
}

function readAnchor(text: string, dateformat: DateFormat | undefined): number {
  if (dateformat !== undefined) {
    const period = readDate(dateformat, text)
    if (period === undefined) throw new DateFault(`must match dateformat '${dateformat.text}'`)
    return period.first
  }
  if (!/^[+-]?\d+$/.test(text)) {
    throw new DateFault(
      'must be milliseconds since 1970, or now or <ms>|| with date arithmetic; use dateformat for other formats',
    )
  }
  return nearestInstant(Number(text))
}

/** Returns the ms of a bound of range, gt, gte, lt or lte on a DATE field (spec 3.7.2 to 3.7.4). Throws DateFault. */
export function parseDateBound(text: string, options: DateBoundOptions): number {
  const bound = text.trim()
  if (bound.startsWith('now')) return applyMath(within(options.now), bound.slice('now'.length), options.roundUp)
  const bar = bound.indexOf('||')
  if (bar < 0) return readAnchor(bound, options.dateformat)
  const anchor = readAnchor(bound.slice(0, bar), options.dateformat)
  const math = bound.slice(bar + 2)
  if (math === '') throw new DateFault(`must have date arithmetic such as -1d/d after '||'`)
  return applyMath(within(anchor), math, options.roundUp)
}
