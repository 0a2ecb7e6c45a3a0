import { problem } from '../../errors.ts'
import { identifies } from '../../explore/document.ts'
import type { Operation } from '../../explore/operation.ts'
import type { Filter } from '../../model/filter.ts'
import type { Json } from '../../model/json/document.ts'
import type { Cql2 } from '../../query/cql2/expression.ts'
import { printCql2Json } from '../../query/cql2/printer.ts'
import { readTime } from '../../query/cql2/time-literal.ts'
import { and, nothing, or, type Predicate } from '../../query/plan/predicate.ts'
import type { Field } from '../../query/schema/field.ts'
import { crs84 } from '../ogc/crs.ts'
import { meets, readBbox } from '../ogc/items-question.ts'
import type { FieldChoice } from './chosen-members.ts'
import { expressionFor } from './item-filter.ts'
import { type ItemNames, itemNames } from './item-names.ts'

/** Conditions of a search, with names of STAC. They act together by AND. */
export interface ItemConditions {
  /** Absent: all collections. */
  readonly collections?: readonly string[] | undefined
  readonly ids?: readonly string[] | undefined
  /** Numbers separated by commas. */
  readonly bbox?: string | undefined
  readonly datetime?: string | undefined
  /** `filter`, `query` and `intersects` together. */
  readonly filter?: Cql2 | undefined
  /** Texts of which one must occur. */
  readonly words?: readonly string[] | undefined
}

export interface SortName {
  readonly name: string
  readonly descending: boolean
}

export interface ItemSearch extends ItemConditions {
  readonly sort: readonly SortName[]
  readonly limit: number
  readonly token?: string | undefined
  readonly fields?: FieldChoice | undefined
}

/** A collection that is searched. */
export interface SearchedCollection {
  readonly operation: Operation
  readonly names: ItemNames
}

export const searched = (operation: Operation): SearchedCollection => ({
  operation,
  names: itemNames(operation.collection),
})

export const nameOfCollection = ({ operation }: SearchedCollection): string =>
  operation.collection.reference.collection_name

/** Returns the filter of exploration for the conditions on one collection. */
export function filterOf(conditions: ItemConditions, { operation, names }: SearchedCollection): Filter {
  const { collection_name, params } = operation.collection.reference
  const { bbox, datetime, filter, words = [] } = conditions
  const parts: Json[] = [
    ...(bbox === undefined ? [] : [meets(params.geometry_path, readBbox(bbox, crs84))]),
    ...(datetime === undefined ? [] : [happens(names, readPeriod(datetime))]),
    ...(filter === undefined ? [] : [printCql2Json(expressionFor(filter, names, collection_name))]),
  ]
  const cql2 = parts.length <= 1 ? parts[0] : { op: 'and', args: parts }
  return {
    ...(cql2 === undefined ? {} : { cql2: cql2 as NonNullable<Filter['cql2']> }),
    // Quoted, so that a text is neither an operator nor the name of a field.
    ...(words.length === 0 ? {} : { q: [words.map((word) => `"${word.replaceAll(/["\\]/g, ' ')}"`)] }),
  }
}

/** The time of a document, or the period between its start and end, meets a period. */
function happens({ field }: ItemNames, period: readonly [string, string]): Json {
  const [time, start, end] = [field('datetime'), field('start_datetime'), field('end_datetime')]
  const meetsPeriod = (value: Json): Json => ({ op: 't_intersects', args: [value, { interval: period }] })
  const named = ({ path }: Field): Json => ({ property: path })
  const atTime = time === undefined ? false : meetsPeriod(named(time))
  if (start?.type !== 'DATE' || end?.type !== 'DATE') return atTime
  const within = meetsPeriod({ interval: [named(start), named(end)] })
  if (time === undefined) return within
  return { op: 'or', args: [atTime, { op: 'and', args: [{ op: 'isNull', args: [named(time)] }, within] }] }
}

/** Reads a time of RFC 3339, or two of them with a slash. STAC has no days, and at most one open end. */
export function readPeriod(text: string): readonly [string, string] {
  const fail = (reason: string): never => {
    throw problem('INVALID_PARAMETER', { parameter: 'datetime', value: text, reason })
  }
  const ends = text.split('/').map((end) => (end === '' ? '..' : end))
  const [from = '..', to = from] = ends
  const isTime = (end: string): boolean => /[tT]/.test(end) && readTime(end) !== undefined
  const isBroken = ends.length > 2 || ends.some((end) => end !== '..' && !isTime(end)) || (from === '..' && to === '..')
  if (isBroken) fail('must be a time of RFC 3339, or two of them separated by a slash, with .. for one open end')
  const [first, last] = [readTime(from), readTime(to)]
  if (first !== undefined && last !== undefined && last.last < first.first) fail('must not end before it starts')
  return [from, to]
}

/** Documents that are items: with an identifier, and a time or both ends of a period. Also limits them to `ids`. */
export function itemPredicate(ids: readonly string[] | undefined, { operation, names }: SearchedCollection): Predicate {
  const { collection } = operation
  const id = collection.schema.lookup(collection.reference.params.id_path)
  const [time, start, end] = [names.field('datetime'), names.field('start_datetime'), names.field('end_datetime')]
  if (id === undefined || !id.indexed) return nothing
  const has = (...fields: readonly (Field | undefined)[]): Predicate =>
    fields.every((field) => field?.type === 'DATE')
      ? and(fields.flatMap((field) => (field === undefined ? [] : [{ kind: 'exists', field }])))
      : nothing
  return and([
    { kind: 'exists', field: id },
    or([has(time), has(start, end)]),
    ...(ids === undefined ? [] : [or(ids.map((one) => identifies(id, one)))]),
  ])
}
