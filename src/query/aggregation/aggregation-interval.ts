import type { DateInterval } from '../plan/aggregation-plan.ts'
import { parseDecimal } from '../value/numbers.ts'
import type { AggregationDraft, IntervalDraft } from './aggregation-draft.ts'
import { aggregationFault } from './aggregation-fault.ts'

const SECOND = 1000
const fixedUnits = { day: 86_400 * SECOND, hour: 3_600 * SECOND, minute: 60 * SECOND, second: SECOND } as const
const calendarUnits = ['year', 'quarter', 'month', 'week'] as const

const UNITS = [...calendarUnits, ...Object.keys(fixedUnits)].join(', ')
const LARGEST_COUNT = 2_147_483_647

export type GridType = 'geohash' | 'geotile' | 'geohex'
const levels: Readonly<Record<GridType, readonly [number, number]>> = {
  geohash: [1, 12],
  geotile: [0, 29],
  geohex: [0, 15],
}

/** Maximum zoom. */
export const LAST_GEOTILE = levels.geotile[1]

/** Rules V6, V7, V8. */
export function readDateInterval(draft: AggregationDraft): DateInterval {
  const interval = requireInterval(draft)
  const count = /^\d+$/.test(interval.value) ? Number(interval.value) : 0
  const unit = interval.unit.toLowerCase()
  const calendar = calendarUnits.find((known) => known === unit)
  if (count >= 1 && count <= LARGEST_COUNT) {
    if (isFixedUnit(unit)) return { kind: 'fixed', length: count * fixedUnits[unit] }
    if (calendar !== undefined && count === 1) return { kind: 'calendar', unit: calendar }
    if (calendar !== undefined) throw intervalFault(draft, interval, `must be 1 with the unit ${calendar}`)
  }
  const rule = `must be an integer from 1 to ${LARGEST_COUNT} and a unit, one of ${UNITS}`
  throw intervalFault(draft, interval, rule)
}

const isFixedUnit = (unit: string): unit is keyof typeof fixedUnits => Object.hasOwn(fixedUnits, unit)

/** Rules V6, V7, V9. */
export function readNumberInterval(draft: AggregationDraft): number {
  const interval = requireInterval(draft)
  const number = parseDecimal(interval.value) === undefined ? Number.NaN : Number(interval.value)
  if (interval.unit === '' && number > 0 && Number.isFinite(number)) return number
  throw intervalFault(draft, interval, `must be a number greater than 0${withoutUnit(interval)}`)
}

/** Rules V6, V7, V10. */
export function readLevel(draft: AggregationDraft, type: GridType): number {
  const interval = requireInterval(draft)
  const [least, most] = levels[type]
  const level = /^\d+$/.test(interval.value) ? Number(interval.value) : -1
  if (interval.unit === '' && level >= least && level <= most) return level
  const rule = `must be an integer from ${least} to ${most} for type ${type}${withoutUnit(interval)}`
  throw intervalFault(draft, interval, rule)
}

const withoutUnit = ({ unit }: IntervalDraft): string =>
  unit === '' ? '' : ` without unit (${UNITS} are for datehistogram)`

/** Rule V6 for terms. */
export function refuseInterval({ position, type, interval }: AggregationDraft): void {
  if (interval === undefined) return
  throw aggregationFault(position, 'interval', `must not be given for type ${type}`, interval.written)
}

function requireInterval({ position, type, interval }: AggregationDraft): IntervalDraft {
  if (interval === undefined) throw aggregationFault(position, 'interval', `must be given for type ${type}`)
  return interval
}

const intervalFault = ({ position }: AggregationDraft, { written }: IntervalDraft, reason: string): Error =>
  aggregationFault(position, 'interval', reason, written)
