import type { DuckDBValue } from '@duckdb/node-api'
import { problem } from '../../../errors.ts'
import { DAY_MS, dayNumber } from '../../../query/date/calendar.ts'
import type { DateInterval, Grouping, HistogramGrouping } from '../../../query/plan/aggregation-plan.ts'
import type { SqlBuilder } from '../database/sql-builder.ts'
import type { IndexTable } from '../index/index-table.ts'
import { hasSeveral, listOf } from '../index/several-values.ts'
import { dayColumnOf, type FieldLayout } from '../index/table-layout.ts'
import type { BucketKeySql } from './bucket-key.ts'
import { compileGridKey } from './grid-key.ts'
import { compileTermKey, type TermCoding } from './term-key.ts'

interface KeyOptions {
  readonly coding: TermCoding
  /** Maximum number of cells one shape may lie in. */
  readonly mostCells: number
}

/** Compiles the keys of any grouping. A table without the field has no keys. */
export function compileKey(
  grouping: Grouping,
  table: IndexTable,
  { coding, mostCells }: KeyOptions,
  sql: SqlBuilder,
): BucketKeySql {
  const field = table.field(grouping.field)
  switch (grouping.kind) {
    case 'term':
      return compileTermKey(grouping, table, coding, sql)
    case 'histogram':
      return histogramKey(grouping, field)
    case 'datehistogram':
      return dateKey(grouping.interval, field, coding)
    default:
      return field ? compileGridKey(grouping, field, mostCells, sql) : noKey('UBIGINT')
  }
}

function noKey(sqlType: string): BucketKeySql {
  return {
    sqlType,
    single: `CAST(NULL AS ${sqlType})`,
    decode: () => {
      throw new Error('the table does not have the field')
    },
  }
}

/** Maps every value of a field with the same SQL, whether rows have one or several. */
function mapped(field: FieldLayout | undefined, sqlType: string, map: (value: string) => string): BucketKeySql {
  if (!field) return noKey(sqlType)
  const key: Pick<BucketKeySql, 'sqlType' | 'single' | 'several' | 'decode'> = {
    sqlType,
    single: map(field.column),
    decode: noKey(sqlType).decode,
  }
  if (!field.several) return key
  return {
    ...key,
    several: {
      condition: hasSeveral(field),
      list: `list_distinct(list_transform(${listOf(field)}, lambda v: ${map('v')}))`,
    },
  }
}

/** The SQL value is floor(v / interval). The multiplication by the interval gives the same double in JavaScript. */
function histogramKey({ interval }: HistogramGrouping, field: FieldLayout | undefined): BucketKeySql {
  const key = mapped(field, 'DOUBLE', (v) => `floor(CAST(${v} AS DOUBLE) / CAST(${interval} AS DOUBLE))`)
  const decode = (quotient: DuckDBValue): number => {
    // Adding zero turns -0 into 0.
    const start = Number(quotient) * interval + 0
    if (Number.isFinite(start)) return start
    const reason = 'must be larger: bucket numbers would exceed the integer range'
    throw problem('LIMIT_EXCEEDED', { parameter: 'interval', value: interval, reason, setting: 'limits.buckets' })
  }
  return { ...key, decode }
}

/**
 * Milliseconds added to every instant, rounded up to whole buckets. Integer division truncates towards zero, so all
 * instants must be positive.
 */
const FARTHEST_MS = 9e15

/** Days from Monday to the weekday of 1970-01-01, a Thursday. */
const EPOCH_WEEKDAY = 3

function dateKey(interval: DateInterval, field: FieldLayout | undefined, coding: TermCoding): BucketKeySql {
  const days = field && daysOf(field, coding)
  if (interval.kind === 'fixed') {
    return interval.length === DAY_MS ? dayKey(field, days) : fixedKey(interval.length, 0, field, days)
  }
  if (interval.unit === 'week') return fixedKey(7 * DAY_MS, EPOCH_WEEKDAY * DAY_MS, field, days)
  return calendarKey(interval.unit, field, days)
}

/** SQL of the day of an instant, counted from 1970. */
export function compileDay(instant: string): string {
  const before = Math.ceil(FARTHEST_MS / DAY_MS)
  return `((${instant} + ${before * DAY_MS}) // ${DAY_MS} - ${before})`
}

/** Days of a single-valued field. Stored for arranged rows, computed otherwise. */
function daysOf(field: FieldLayout, coding: TermCoding): DaySql | undefined {
  if (field.several) return undefined
  const stored = coding === 'rank' && field.hasDay === true
  return { sql: stored ? dayColumnOf(field).name : compileDay(field.column), stored }
}

interface DaySql {
  readonly sql: string
  readonly stored: boolean
}

/** The SQL value is the day itself, which is stored for arranged rows. */
function dayKey(field: FieldLayout | undefined, days: DaySql | undefined): BucketKeySql {
  const key = mapped(field, 'INTEGER', (instant) => `CAST(${compileDay(instant)} AS INTEGER)`)
  const decode = (value: DuckDBValue): number => Number(value) * DAY_MS
  return { ...key, ...(days?.stored ? { single: days.sql } : {}), decode }
}

function fixedKey(
  length: number,
  shift: number,
  field: FieldLayout | undefined,
  days: DaySql | undefined,
): BucketKeySql {
  const before = Math.ceil(FARTHEST_MS / length)
  const bucketOf = (instant: string): string => `(${instant} + ${before * length + shift}) // ${length}`
  const fine =
    days?.stored && length % DAY_MS === 0
      ? { fine: { single: days.sql, fold: (day: string) => bucketOf(`CAST(${day} AS BIGINT) * ${DAY_MS}`) } }
      : {}
  const decode = (value: DuckDBValue): number => (Number(value) - before) * length - shift
  return { ...mapped(field, 'BIGINT', bucketOf), decode, ...fine }
}

/** Like FARTHEST_MS, in months: 400,000 years. */
const FARTHEST_MONTHS = 4_800_000

const monthsOf = { month: 1, quarter: 3, year: 12 } as const

/**
 * The SQL value counts months, quarters or years. Grouping by day first and folding the groups is far faster for many
 * rows.
 */
function calendarKey(
  unit: 'year' | 'quarter' | 'month',
  field: FieldLayout | undefined,
  days: DaySql | undefined,
): BucketKeySql {
  const months = monthsOf[unit]
  const ofInstant = (instant: string): string =>
    `(CAST(year(${instant}) AS BIGINT) * 12 + month(${instant}) + ${FARTHEST_MONTHS - 1}) // ${months}`
  const key = mapped(field, 'BIGINT', (v) => ofInstant(`make_timestamp_ms(${v})`))
  const fold = (day: string): string => ofInstant(`make_timestamp_ms(CAST(${day} AS BIGINT) * ${DAY_MS})`)
  const decode = (value: DuckDBValue): number => startOfMonths(value, months)
  return { ...key, decode, ...(days ? { fine: { single: days.sql, fold } } : {}) }
}

function startOfMonths(value: DuckDBValue, months: number): number {
  const index = Number(value) * months - FARTHEST_MONTHS
  const year = Math.floor(index / 12)
  return dayNumber(year, index - year * 12 + 1, 1) * DAY_MS
}
