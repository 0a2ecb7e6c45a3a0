import type { DateInterval } from '../../query/plan/aggregation-plan.ts'
import { fault, type Members, placeOf, readText } from './members.ts'

const LENGTHS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

const CALENDAR: Readonly<Record<string, DateInterval>> = {
  second: { kind: 'fixed', length: 1000 },
  '1s': { kind: 'fixed', length: 1000 },
  minute: { kind: 'fixed', length: 60_000 },
  '1m': { kind: 'fixed', length: 60_000 },
  hour: { kind: 'fixed', length: 3_600_000 },
  '1h': { kind: 'fixed', length: 3_600_000 },
  day: { kind: 'fixed', length: 86_400_000 },
  '1d': { kind: 'fixed', length: 86_400_000 },
  week: { kind: 'calendar', unit: 'week' },
  '1w': { kind: 'calendar', unit: 'week' },
  month: { kind: 'calendar', unit: 'month' },
  '1M': { kind: 'calendar', unit: 'month' },
  quarter: { kind: 'calendar', unit: 'quarter' },
  '1q': { kind: 'calendar', unit: 'quarter' },
  year: { kind: 'calendar', unit: 'year' },
  '1y': { kind: 'calendar', unit: 'year' },
}

/** Reads `calendar_interval`, `fixed_interval`, or `interval` of earlier versions, which can be both. */
export function readDateInterval(options: Members, place: string): DateInterval {
  const names = ['calendar_interval', 'fixed_interval', 'interval'].filter((name) => options[name] !== undefined)
  const [name] = names
  if (name === undefined || names.length > 1) throw fault(place, 'must have one interval')
  const at = placeOf(place, name)
  const text = readText(options[name], at)
  const calendar = Object.hasOwn(CALENDAR, text) ? CALENDAR[text] : undefined
  const match = /^(\d{1,9})(ms|[smhd])$/.exec(text)
  const length = match === null ? 0 : Number(match[1]) * (LENGTHS[match[2] ?? ''] ?? 0)
  if (name !== 'fixed_interval' && calendar !== undefined) return calendar
  if (name !== 'calendar_interval' && length > 0) return { kind: 'fixed', length }
  const units =
    name === 'fixed_interval' ? 'a number and a unit (ms s m h d)' : `one of ${Object.keys(CALENDAR).join(', ')}`
  throw fault(at, `must be ${units}`, text)
}

/** Start of the interval after the one that starts at `ms`. */
export function nextStart(ms: number, interval: DateInterval): number {
  if (interval.kind === 'fixed') return ms + interval.length
  if (interval.unit === 'week') return ms + 7 * 86_400_000
  const date = new Date(ms)
  const months = interval.unit === 'month' ? 1 : interval.unit === 'quarter' ? 3 : 12
  date.setUTCMonth(date.getUTCMonth() + months)
  return date.getTime()
}
