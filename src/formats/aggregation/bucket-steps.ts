import { calendarDay, DAY_MS, dayNumber } from '../../query/date/calendar.ts'
import type { DateInterval, Grouping } from '../../query/plan/aggregation-plan.ts'

/** The buckets of a histogram, numbered without gaps. */
export interface BucketSteps {
  readonly ordinalOf: (key: number) => number
  readonly keyOf: (ordinal: number) => number
}

/** Returns the numbering of the buckets of a level; undefined for types without empty buckets (spec 2.1). */
export function bucketSteps(grouping: Grouping): BucketSteps | undefined {
  switch (grouping.kind) {
    case 'histogram':
      return evenSteps(grouping.interval)
    case 'datehistogram':
      return dateSteps(grouping.interval)
    default:
      return undefined
  }
}

/**
 * Computes a key as number times interval instead of adding intervals, so that rounding errors do not add up (spec
 * 2.3).
 */
const evenSteps = (interval: number): BucketSteps => ({
  ordinalOf: (key) => Math.round(key / interval),
  keyOf: (ordinal) => ordinal * interval,
})

function dateSteps(interval: DateInterval): BucketSteps {
  if (interval.kind === 'fixed') return evenSteps(interval.length)
  switch (interval.unit) {
    case 'year':
      return monthSteps(12)
    case 'quarter':
      return monthSteps(3)
    case 'month':
      return monthSteps(1)
    case 'week':
      // Day 4 of the epoch (5 January 1970) was a Monday.
      return {
        ordinalOf: (key) => Math.floor((key / DAY_MS - 4) / 7),
        keyOf: (ordinal) => (ordinal * 7 + 4) * DAY_MS,
      }
  }
}

const monthSteps = (months: number): BucketSteps => ({
  ordinalOf: (key) => {
    const { year, month } = calendarDay(Math.floor(key / DAY_MS))
    return Math.floor((year * 12 + month - 1) / months)
  },
  keyOf: (ordinal) => dayNumber(0, ordinal * months + 1, 1) * DAY_MS,
})
