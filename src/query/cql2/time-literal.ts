import type { DatePeriod } from '../date/date-period.ts'
import { readIsoDate } from '../date/iso-date.ts'
import { Cql2Fault } from './cql2-fault.ts'
import type { Cql2 } from './expression.ts'

const DAY = /^\d{4}-\d{2}-\d{2}$/
const INSTANT = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:[Zz]|[+-]\d{2}:\d{2})$/

/** Reads a date (its day in UTC) or an RFC 3339 instant; undefined if it is neither. */
export function readTime(text: string): DatePeriod | undefined {
  if (!DAY.test(text) && !INSTANT.test(text)) return undefined
  const period = readIsoDate(text.toUpperCase())
  return period === undefined || DAY.test(text) ? period : { first: period.first, last: period.first }
}

/** The period of a date, a timestamp or a text that is one of them; undefined for other nodes. */
export function timeOf(node: Cql2): DatePeriod | undefined {
  if (node.kind !== 'date' && node.kind !== 'timestamp' && node.kind !== 'text') return undefined
  const period = readTime(node.value)
  const isDay = DAY.test(node.value)
  if (period === undefined || (node.kind === 'date' && !isDay) || (node.kind === 'timestamp' && isDay)) {
    const form = node.kind === 'date' ? '2024-05-01' : '2024-05-01T10:30:00Z'
    throw new Cql2Fault(`must have dates and times such as ${form}, got '${node.value}'`, node.at)
  }
  return period
}
