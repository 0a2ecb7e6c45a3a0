import { not, nothing, type Predicate } from '../../query/plan/predicate.ts'
import { isNumber } from '../../query/schema/field.ts'
import type { AskedFilter, FilterAggregation } from './aggregation.ts'
import { fieldOf, misfit } from './aggregation-field.ts'
import { checkNames, fault, type Members, placeOf, readBoolean, readMembers, readNumber, readText } from './members.ts'
import { exists, translateQuery } from './query.ts'
import type { QueryContext } from './query-context.ts'
import { between, type RangeEnd } from './value-queries.ts'

type Filters = Pick<FilterAggregation, 'form' | 'filters'>

/** Aggregations that make buckets of the documents that match filters. */
export function readFilters(
  type: FilterAggregation['type'],
  options: Members,
  value: unknown,
  place: string,
  context: QueryContext,
): Filters {
  switch (type) {
    case 'filter':
      return { form: 'single', filters: [{ more: {}, predicate: translateQuery(value, place, context) }] }
    case 'missing': {
      checkNames(options, place, ['field'])
      const at = placeOf(place, 'field')
      const present = exists(readText(options.field, at), at, context)
      return { form: 'single', filters: [{ more: {}, predicate: not(present) }] }
    }
    case 'filters':
      return namedFilters(options, place, context)
    case 'range':
    case 'date_range':
      return rangeFilters(type === 'date_range', options, place, context)
  }
}

function namedFilters(options: Members, place: string, context: QueryContext): Filters {
  checkNames(options, place, ['filters'])
  const at = placeOf(place, 'filters')
  const one = (key: string, query: unknown) => ({
    more: {},
    predicate: translateQuery(query, placeOf(at, key), context),
  })
  if (Array.isArray(options.filters)) {
    return { form: 'list', filters: options.filters.map((query, i) => one(String(i), query)) }
  }
  const filters = Object.entries(readMembers(options.filters, at)).map(([key, query]) => ({ ...one(key, query), key }))
  return { form: 'keyed', filters }
}

function rangeFilters(isOfDates: boolean, options: Members, place: string, context: QueryContext): Filters {
  checkNames(options, place, ['field', 'ranges', 'keyed', 'format'])
  const field = fieldOf(options, place, context)
  const fits = field === undefined || field.type === 'DATE' || (!isOfDates && isNumber(field.type))
  if (!fits) throw misfit(field, place)
  const { ranges } = options
  if (!Array.isArray(ranges)) throw fault(placeOf(place, 'ranges'), 'must be an array', ranges)
  const filters = ranges.map((range: unknown, i): AskedFilter => {
    const at = `${place}.ranges[${i}]`
    const members = readMembers(range, at)
    checkNames(members, at, ['from', 'to', 'key'])
    const end = (name: 'from' | 'to'): RangeEnd | undefined =>
      members[name] === undefined || members[name] === null
        ? undefined
        : { name, value: members[name], inclusive: name === 'from' }
    const predicate =
      field === undefined ? nothing : between(field, end('from'), end('to'), options.format, at, context.now)
    return { ...readBounds(predicate, members, isOfDates, at), predicate }
  })
  return { form: readBoolean(options.keyed, placeOf(place, 'keyed')) === true ? 'keyed' : 'list', filters }
}

/** Key and ends of a bucket as Elasticsearch prints them. */
function readBounds(predicate: Predicate, members: Members, isOfDates: boolean, place: string) {
  const bounds = predicate.kind === 'range' ? predicate : undefined
  const number = (name: 'from' | 'to'): number | undefined => {
    const value = members[name]
    if (value === undefined || value === null) return undefined
    if (!isOfDates) return readNumber(value, placeOf(place, name))
    const bound = name === 'from' ? bounds?.lower : bounds?.upper
    return bound === undefined ? undefined : Number(bound.value)
  }
  const print = (value: number): string => (isOfDates ? new Date(value).toISOString() : printDouble(value))
  const [from, to] = [number('from'), number('to')]
  const key = members.key === undefined ? undefined : readText(members.key, placeOf(place, 'key'))
  const side = (name: 'from' | 'to', value: number | undefined): Members =>
    value === undefined ? {} : { [name]: value, ...(isOfDates ? { [`${name}_as_string`]: print(value) } : {}) }
  return {
    key: key ?? `${from === undefined ? '*' : print(from)}-${to === undefined ? '*' : print(to)}`,
    more: { ...side('from', from), ...side('to', to) },
  }
}

const printDouble = (value: number): string => (Number.isInteger(value) ? `${value}.0` : String(value))
