import type { Draw, Question, SqlDialect } from '../questions/question.ts'
import { flatTableOf } from './flat-table.ts'
import { TIME_FIELD, timeOf } from './time-filter.ts'

const DAY_MS = 86_400_000

/** Both tables have a column with the day of the date, as Periplus has. */
const dayOf = (column: string, computed: string): string => (column === TIME_FIELD ? 'day' : computed)

const clickhouseDay = (column: string): string => dayOf(column, `intDiv(${column}, ${DAY_MS})`)
const duckdbDay = (column: string): string => dayOf(column, `${column} // ${DAY_MS}`)

/** `toRelativeMonthNum` counts from the year 0. */
const MONTHS_TO_1970 = 1970 * 12 + 1

export const clickhouseDialect: SqlDialect = {
  name: 'ClickHouse',
  day: clickhouseDay,
  month: (column) => `toRelativeMonthNum(toDate32(${clickhouseDay(column)})) - ${MONTHS_TO_1970}`,
  exactCardinality: (column) => `uniqExact(${column})`,
}

export const duckdbDialect: SqlDialect = {
  name: 'DuckDB',
  day: duckdbDay,
  month: (column) => `date_diff('month', DATE '1970-01-01', DATE '1970-01-01' + (${duckdbDay(column)})::INTEGER)`,
  exactCardinality: (column) => `count(DISTINCT ${column})`,
}

/** Returns the statement of a question with the time filter of its draw; undefined if there is none. */
export function statementOf(question: Question, draw: Draw, dialect: SqlDialect): string | undefined {
  const table = flatTableOf(question.dataset)
  const asked = question.sql?.(draw, dialect)
  if (table === undefined || asked === undefined) return undefined
  const time = timeOf(question, draw)
  const conditions = [
    ...(asked.where ?? []),
    ...(time === undefined ? [] : [`${TIME_FIELD} BETWEEN ${time.from} AND ${time.to}`]),
  ]
  return [
    `SELECT ${asked.select} FROM ${table.name}`,
    ...(conditions.length === 0 ? [] : [`WHERE ${conditions.map((one) => `(${one})`).join(' AND ')}`]),
    ...(asked.tail === undefined ? [] : [asked.tail]),
  ].join(' ')
}
