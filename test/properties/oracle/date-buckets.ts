import { floorTo } from './dates.ts'

export const calendarUnits = ['year', 'quarter', 'month', 'week'] as const
const fixedUnits = ['day', 'hour', 'minute', 'second'] as const
export type DateUnit = (typeof calendarUnits)[number] | (typeof fixedUnits)[number]

const LENGTHS = { day: 86_400_000, hour: 3_600_000, minute: 60_000, second: 1_000 } as const

const isFixed = (unit: DateUnit): unit is (typeof fixedUnits)[number] => unit in LENGTHS

/** Returns the start of the bucket that contains an instant (spec 2.2). */
export function bucketStart(ms: number, value: number, unit: DateUnit): number {
  if (isFixed(unit)) {
    const length = value * LENGTHS[unit]
    return Math.floor(ms / length) * length
  }
  if (unit === 'year') return floorTo(ms, 'y')
  if (unit === 'month') return floorTo(ms, 'M')
  if (unit === 'week') return floorTo(ms, 'w')
  const date = new Date(ms)
  return Date.UTC(date.getUTCFullYear(), Math.floor(date.getUTCMonth() / 3) * 3, 1)
}

/** Returns the start of the next bucket after the one that starts at `start`. */
export function nextStart(start: number, value: number, unit: DateUnit): number {
  if (isFixed(unit)) return start + value * LENGTHS[unit]
  if (unit === 'week') return start + 7 * LENGTHS.day
  const date = new Date(start)
  const months = { year: 12, quarter: 3, month: 1 }[unit]
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1)
}

const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October']
const NAMES = [...MONTHS, 'November', 'December']
const two = (n: number): string => String(n).padStart(2, '0')

/** Patterns that the oracle supports, with their printers. */
export const datePrinters = {
  'yyyy-MM-dd-HH:mm:ss': (d) => d.toISOString().slice(0, 19).replace('T', '-'),
  'yyyy-MM-dd': (d) => d.toISOString().slice(0, 10),
  'dd/MM/yyyy': (d) => `${two(d.getUTCDate())}/${two(d.getUTCMonth() + 1)}/${d.getUTCFullYear()}`,
  'HH:mm': (d) => d.toISOString().slice(11, 16),
  "yyyy'y'M": (d) => `${d.getUTCFullYear()}y${d.getUTCMonth() + 1}`,
  'd MMM yyyy HH:mm:ss.SSS': (d) =>
    `${d.getUTCDate()} ${NAMES[d.getUTCMonth()]?.slice(0, 3)} ${d.getUTCFullYear()} ${d.toISOString().slice(11, 23)}`,
  "MMMM''yyyy": (d) => `${NAMES[d.getUTCMonth()]}'${d.getUTCFullYear()}`,
} as const satisfies Readonly<Record<string, (date: Date) => string>>
export type PrintedPattern = keyof typeof datePrinters

export const printDate = (ms: number, pattern: PrintedPattern): string => datePrinters[pattern](new Date(ms))
