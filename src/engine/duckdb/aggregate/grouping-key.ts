import type { DuckDBValue } from '@duckdb/node-api'
import { problem } from '../../../errors.ts'
import { DAY_MS, dayNumber } from '../../../query/date/calendar.ts'
import type { DateInterval, Grouping, HistogramGrouping } from '../../../query/plan/aggregation-plan.ts'
import type { SqlBuilder } from '../database/sql-builder.ts'
import { hasSeveral, listOf } from '../index/several-values.ts'
import type { FieldLayout } from '../index/table-layout.ts'
import type { IndexTable } from '../table/index-table.ts'
import type { BucketKeySql } from './bucket-key.ts'
import { compileGridKey } from './grid-key.ts'
import { compileTermKey } from './term-key.ts'

/** Compiles the keys of any grouping. A table without the field has no keys. `mostCells`: maximum cells of one shape. */
export function compileKey(grouping: Grouping, table: IndexTable, mostCells: number, sql: SqlBuilder): BucketKeySql {
  const field = table.field(grouping.field)
  switch (grouping.kind) {
    case 'term':
      return compileTermKey(grouping, table, sql)
    case 'histogram':
      return histogramKey(grouping, field)
    case 'datehistogram':
      return dateKey(grouping.interval, field)
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

function dateKey(interval: DateInterval, field: FieldLayout | undefined): BucketKeySql {
  if (interval.kind === 'fixed') return fixedKey(interval.length, 0, field)
  if (interval.unit === 'week') return fixedKey(7 * DAY_MS, EPOCH_WEEKDAY * DAY_MS, field)
  return calendarKey(interval.unit, field)
}

function fixedKey(length: number, shift: number, field: FieldLayout | undefined): BucketKeySql {
  const before = Math.ceil(FARTHEST_MS / length)
  const bucketOf = (instant: string): string => `(${instant} + ${before * length + shift}) // ${length}`
  const decode = (value: DuckDBValue): number => (Number(value) - before) * length - shift
  return { ...mapped(field, 'BIGINT', bucketOf), decode }
}

/** SQL of the day of an instant, counted from 1970. */
function compileDay(instant: string): string {
  const before = Math.ceil(FARTHEST_MS / DAY_MS)
  return `((${instant} + ${before * DAY_MS}) // ${DAY_MS} - ${before})`
}

/** Like FARTHEST_MS, in months: 400,000 years. */
const FARTHEST_MONTHS = 4_800_000

const monthsOf = { month: 1, quarter: 3, year: 12 } as const

/**
 * The SQL value counts months, quarters or years. Grouping by day first and folding the groups is far faster for many
 * rows.
 */
function calendarKey(unit: 'year' | 'quarter' | 'month', field: FieldLayout | undefined): BucketKeySql {
  const months = monthsOf[unit]
  const ofInstant = (instant: string): string =>
    `(CAST(year(${instant}) AS BIGINT) * 12 + month(${instant}) + ${FARTHEST_MONTHS - 1}) // ${months}`
  const key = mapped(field, 'BIGINT', (v) => ofInstant(`make_timestamp_ms(${v})`))
  const fold = (day: string): string => ofInstant(`make_timestamp_ms(CAST(${day} AS BIGINT) * ${DAY_MS})`)
  const decode = (value: DuckDBValue): number => startOfMonths(value, months)
  return { ...key, decode, ...(field && !field.several ? { fine: { single: compileDay(field.column), fold } } : {}) }
}

function startOfMonths(value: DuckDBValue, months: number): number {
  const index = Number(value) * months - FARTHEST_MONTHS
  const year = Math.floor(index / 12)
  return dayNumber(year, index - year * 12 + 1, 1) * DAY_MS
}
