import { equalsInAnyCase } from '../../query/cql2/text-pattern.ts'
import { DateFault, parseDateBound } from '../../query/date/date-expression.ts'
import { type DateFormat, type DatePeriod, FormatFault } from '../../query/date/date-format.ts'
import { parseFieldFormat, readableFormats, readFieldDate } from '../../query/date/field-date.ts'
import { resolveDatePeriods } from '../../query/filter/date-bounds.ts'
import { hasToken } from '../../query/filter/resolve-equality.ts'
import { type Bound, equalsAny, nothing, or, type Predicate } from '../../query/plan/predicate.ts'
import { type Field, isNumber } from '../../query/schema/field.ts'
import { parseIp } from '../../query/value/ip-address.ts'
import { type Decimal, numberOf, numberRange, parseDecimal } from '../../query/value/numbers.ts'
import { readBoolean as parseBoolean } from '../../query/value/typed-text.ts'
import { checkNames, fault, type Members, placeOf, readBoolean, readText } from './members.ts'
import type { QueryContext } from './query-context.ts'

/** Conditions on the values of a field: equality and ranges. */

/** Values of a field that are equal to a text. Undefined if the text does not fit the type of the field. */
export function equalTo(field: Field, text: string, now: number): Predicate | undefined {
  switch (field.type) {
    case 'KEYWORD':
      return equalsAny(field, [text])
    case 'TEXT':
      return text === '' ? nothing : hasToken(field, text)
    case 'DATE': {
      const period = readPeriod(readableFormats(field.format), text, now)
      return period && resolveDatePeriods(field, [period])
    }
    case 'BOOLEAN': {
      const value = text === '' ? false : parseBoolean(text)
      return value === undefined ? undefined : equalsAny(field, [value])
    }
    case 'IP': {
      const address = parseIp(text)
      return address === undefined ? undefined : equalsAny(field, [address])
    }
    default: {
      const decimal = isNumber(field.type) ? parseDecimal(text) : undefined
      const value = decimal && numberOf(field.type, decimal)
      return decimal && (value === undefined ? nothing : equalsAny(field, [value]))
    }
  }
}

/** As `equalTo`. Throws if a text does not fit. */
export function equalToAny(
  field: Field,
  texts: readonly string[],
  place: string,
  { now, budget }: QueryContext,
): Predicate {
  budget.spend(texts.length, place)
  if (field.type === 'KEYWORD') return equalsAny(field, texts)
  return or(
    texts.map((text) => {
      const found = equalTo(field, text, now)
      if (found === undefined) throw fault(place, `must have values that fit a field of type ${field.type}`, text)
      return found
    }),
  )
}

/** `term`: with `case_insensitive`, for keywords. */
export function termQuery(
  field: Field,
  value: unknown,
  members: Members,
  place: string,
  context: QueryContext,
): Predicate {
  const text = readText(value, place)
  if (readBoolean(members.case_insensitive, placeOf(place, 'case_insensitive')) !== true) {
    return equalToAny(field, [text], place, context)
  }
  if (field.type !== 'KEYWORD' || field.isId) throw fault(place, 'must use case_insensitive on keywords only')
  context.budget.spend(1, place)
  return equalsInAnyCase(field, text)
}

function readPeriod(formats: readonly DateFormat[], text: string, now: number): DatePeriod | undefined {
  if (!text.startsWith('now') && !text.includes('||')) return readFieldDate(formats, text)
  try {
    return { first: dateBound(formats, text, now, false), last: dateBound(formats, text, now, true) }
  } catch (error) {
    if (error instanceof DateFault) return undefined
    throw error
  }
}

/** Milliseconds of a date, with arithmetic. Rounded to the first or last millisecond of what it names. */
function dateBound(formats: readonly DateFormat[], text: string, now: number, roundUp: boolean): number {
  if (text.startsWith('now')) return parseDateBound(text, { now, roundUp })
  const bar = text.indexOf('||')
  const period = readFieldDate(formats, bar < 0 ? text : text.slice(0, bar))
  if (period === undefined) throw new DateFault('must be a date in the format of the field')
  if (bar < 0) return roundUp ? period.last : period.first
  return parseDateBound(`${period.first}${text.slice(bar)}`, { now, roundUp })
}

const RANGE_MEMBERS = ['gt', 'gte', 'lt', 'lte', 'from', 'to', 'include_lower', 'include_upper']
const RANGE_OPTIONS = ['format', 'time_zone', 'boost', '_name', 'relation']

/** `range`: with the names of bounds of all versions. */
export function rangeQuery(field: Field, value: Members, place: string, context: QueryContext): Predicate {
  checkNames(value, place, [...RANGE_MEMBERS, ...RANGE_OPTIONS])
  const zone = value.time_zone
  if (zone !== undefined && !(typeof zone === 'string' && /^(z|utc|gmt|[+-]00:?00)$/i.test(zone))) {
    throw fault(placeOf(place, 'time_zone'), 'must be UTC', zone)
  }
  context.budget.spend(1, place)
  return between(field, lowerOf(value), upperOf(value), value.format, place, context.now)
}

/** One end of a range, as written. */
export interface RangeEnd {
  readonly name: string
  readonly value: unknown
  readonly inclusive: boolean
}

function lowerOf({ gt, gte, from, include_lower: included }: Members): RangeEnd | undefined {
  if (isGiven(gte)) return { name: 'gte', value: gte, inclusive: true }
  if (isGiven(gt)) return { name: 'gt', value: gt, inclusive: false }
  return isGiven(from) ? { name: 'from', value: from, inclusive: included !== false } : undefined
}

function upperOf({ lt, lte, to, include_upper: included }: Members): RangeEnd | undefined {
  if (isGiven(lte)) return { name: 'lte', value: lte, inclusive: true }
  if (isGiven(lt)) return { name: 'lt', value: lt, inclusive: false }
  return isGiven(to) ? { name: 'to', value: to, inclusive: included !== false } : undefined
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null

/** Values between two ends, of which one may be absent. */
export function between(
  field: Field,
  lower: RangeEnd | undefined,
  upper: RangeEnd | undefined,
  format: unknown,
  place: string,
  now: number,
): Predicate {
  if (lower === undefined && upper === undefined) return { kind: 'exists', field }
  const textOf = ({ name, value }: RangeEnd): string => readText(value, placeOf(place, name))
  if (isNumber(field.type)) {
    const bound = (end: RangeEnd) => ({ decimal: decimalOf(textOf(end), placeOf(place, end.name)), ...end })
    return numberRange(field, lower && bound(lower), upper && bound(upper))
  }
  if (field.isId || (field.type !== 'DATE' && field.type !== 'KEYWORD')) {
    throw fault(place, `must not compare ${field.path}, a field of type ${field.type}, with a range`)
  }
  const boundOf = (end: RangeEnd, isLower: boolean): Bound => {
    const text = textOf(end)
    if (field.type === 'KEYWORD') return { value: text, inclusive: end.inclusive }
    // An inclusive bound includes the whole unit it names, an exclusive one excludes it.
    const ms = dateOf(field, text, format, now, isLower !== end.inclusive, placeOf(place, end.name))
    return { value: ms, inclusive: end.inclusive }
  }
  return {
    kind: 'range',
    field,
    ...(lower === undefined ? {} : { lower: boundOf(lower, true) }),
    ...(upper === undefined ? {} : { upper: boundOf(upper, false) }),
  }
}

function decimalOf(text: string, place: string): Decimal {
  const decimal = parseDecimal(text)
  if (decimal === undefined) throw fault(place, 'must be a number', text)
  return decimal
}

function dateOf(field: Field, text: string, format: unknown, now: number, roundUp: boolean, place: string): number {
  try {
    const formats = typeof format === 'string' ? parseFieldFormat(format) : readableFormats(field.format)
    return dateBound(formats, text, now, roundUp)
  } catch (error) {
    if (!(error instanceof DateFault) && !(error instanceof FormatFault)) throw error
    throw fault(place, error.reason, text)
  }
}
