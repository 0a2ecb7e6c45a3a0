/** Calendar arithmetic with the built-in UTC functions, for the units of date expressions. */

export const units = ['y', 'M', 'w', 'd', 'h', 'm', 's'] as const
type Unit = (typeof units)[number]

const DAY = 86_400_000
const LENGTHS: Readonly<Record<'w' | 'd' | 'h' | 'm' | 's', number>> = {
  w: 7 * DAY,
  d: DAY,
  h: 3_600_000,
  m: 60_000,
  s: 1_000,
}

export function addUnits(ms: number, n: number, unit: Unit): number {
  if (unit !== 'y' && unit !== 'M') return ms + n * LENGTHS[unit]
  const date = new Date(ms)
  const months = date.getUTCFullYear() * 12 + date.getUTCMonth() + (unit === 'y' ? 12 * n : n)
  const [year, month] = [Math.floor(months / 12), ((months % 12) + 12) % 12]
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return Date.UTC(year, month, Math.min(date.getUTCDate(), lastDay)) + (((ms % DAY) + DAY) % DAY)
}

/** Returns the first ms of the unit that contains `ms`. */
export function floorTo(ms: number, unit: Unit): number {
  const date = new Date(ms)
  if (unit === 'y') return Date.UTC(date.getUTCFullYear(), 0, 1)
  if (unit === 'M') return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1)
  if (unit === 'w') {
    const day = Math.floor(ms / DAY) * DAY
    return day - ((new Date(day).getUTCDay() + 6) % 7) * DAY
  }
  return Math.floor(ms / LENGTHS[unit]) * LENGTHS[unit]
}

/** Returns the last ms of the unit that contains `ms`. */
export function lastOf(ms: number, unit: Unit): number {
  const first = floorTo(ms, unit)
  return addUnits(first, 1, unit) - 1
}
