import type { FastifyRequest } from 'fastify'
import type { Limits } from '../../../config/settings.ts'
import { problem } from '../../../errors.ts'
import { crs84, readCrs } from '../../../interop/ogc/crs.ts'
import { converted } from '../../../interop/ogc/items-question.ts'
import { type AggregationForm, timeUnits } from '../../../interop/stac/aggregate-items.ts'
import { DEFAULT_MEMBERS, type FieldChoice } from '../../../interop/stac/chosen-members.ts'
import type { ItemConditions, ItemSearch, SortName } from '../../../interop/stac/item-search.ts'
import { queryExpression } from '../../../interop/stac/query-members.ts'
import { StacAggregateBody, StacSearchBody } from '../../../interop/stac/search-body.ts'
import { checkBody } from '../../../model/check-body.ts'
import type { Cql2 } from '../../../query/cql2/expression.ts'
import { parseCql2 } from '../../../query/filter/cql2-filter.ts'
import { parseJson, readJsonBody } from '../../request/body/json-body.ts'
import { type Parameters, readParameters } from '../../request/parameters.ts'
import { readCql2Parameter } from '../cql2-parameter.ts'
import { checkKnownParameters } from './begin-interop.ts'

const CONDITIONS = [
  'collections',
  'bbox',
  'intersects',
  'datetime',
  'ids',
  'filter',
  'filter-lang',
  'filter-crs',
  'query',
  'q',
]
const PAGE = ['limit', 'sortby', 'fields', 'token']
const AGGREGATION = [
  'aggregations',
  'datetime_frequency_interval',
  'geometry_geohash_grid_frequency_precision',
  'geometry_geotile_grid_frequency_precision',
]

const DEFAULT_LIMIT = 10
const DEFAULT_SORT: readonly SortName[] = [{ name: 'datetime', descending: true }]

/** Conditions in one form, from the query or the body. */
interface Given {
  readonly collections?: readonly string[] | undefined
  readonly ids?: readonly string[] | undefined
  readonly bbox?: string | undefined
  readonly intersects?: unknown
  readonly datetime?: string | undefined
  readonly filter?: unknown
  readonly filterCrs?: string | undefined
  readonly query?: unknown
  readonly q?: readonly string[] | undefined
}

/** Reads the parameters of a search. `collection`: the only one, for the items of a collection. */
export function readSearchParameters(request: FastifyRequest, limits: Limits, collection?: string): ItemSearch {
  const parameters = readParameters(request)
  checkKnownParameters(request, [...CONDITIONS, ...PAGE])
  const limit = parameters.integer('limit', { min: 1 })
  return {
    ...conditionsOf(givenIn(parameters), limits, collection),
    limit: Math.min(limit ?? DEFAULT_LIMIT, limits.ogcItems),
    sort: readSort(listIn(parameters, 'sortby'), limits),
    token: parameters.text('token'),
    fields: readFields(parameters, limits),
  }
}

/** Reads the body of a search. */
export function readSearchBody(request: FastifyRequest, limits: Limits): ItemSearch {
  checkKnownParameters(request, [])
  const json = readJsonBody(request)
  const body = checkBody(StacSearchBody, json)
  const { sortby, fields, limit, token } = body
  if (fields === undefined && isObject(json) && json.fields === null) {
    throw problem('INVALID_BODY', { parameter: 'fields', reason: 'must be an object' })
  }
  bound(sortby, 'sortby', limits)
  return {
    ...conditionsOf(givenInBody(body), limits),
    limit: Math.min(limit ?? DEFAULT_LIMIT, limits.ogcItems),
    sort: distinct(sortby?.map(({ field, direction }) => ({ name: nameIn(field), descending: direction === 'desc' }))),
    token,
    fields: fields && chosenFields(fields, isObject(json) && isObject(json.fields) && 'include' in json.fields, limits),
  }
}

export interface AggregationParameters {
  readonly names: readonly string[]
  readonly conditions: ItemConditions
  readonly form: AggregationForm
}

/** Reads the parameters or the body of an aggregation. `collection`: the only one. */
export function readAggregation(request: FastifyRequest, limits: Limits, collection?: string): AggregationParameters {
  const isBody = request.method === 'POST'
  checkKnownParameters(request, isBody ? [] : [...CONDITIONS, ...AGGREGATION])
  const body: StacAggregateBody = isBody
    ? checkBody(StacAggregateBody, readJsonBody(request))
    : aggregationIn(readParameters(request))
  const given = isBody ? givenInBody(body) : givenIn(readParameters(request))
  bound(body.aggregations, 'aggregations', limits)
  return {
    names: body.aggregations ?? [],
    conditions: conditionsOf(given, limits, collection),
    form: {
      interval: body.datetime_frequency_interval,
      geohash: body.geometry_geohash_grid_frequency_precision ?? 3,
      geotile: body.geometry_geotile_grid_frequency_precision ?? 5,
    },
  }
}

function aggregationIn(parameters: Parameters): StacAggregateBody {
  const interval = parameters.text('datetime_frequency_interval')?.toLowerCase()
  const unit = timeUnits.find((one) => one === interval)
  if (interval !== undefined && unit === undefined) {
    const reason = `must be one of ${timeUnits.join(', ')}`
    throw problem('INVALID_PARAMETER', { parameter: 'datetime_frequency_interval', value: interval, reason })
  }
  const precision = (name: string, max: number): number | undefined => parameters.integer(name, { min: 1, max })
  const geohash = precision('geometry_geohash_grid_frequency_precision', 12)
  const geotile = precision('geometry_geotile_grid_frequency_precision', 29)
  const aggregations = listIn(parameters, 'aggregations')
  return {
    ...(aggregations === undefined ? {} : { aggregations: [...aggregations] }),
    ...(unit === undefined ? {} : { datetime_frequency_interval: unit }),
    ...(geohash === undefined ? {} : { geometry_geohash_grid_frequency_precision: geohash }),
    ...(geotile === undefined ? {} : { geometry_geotile_grid_frequency_precision: geotile }),
  }
}

/** Within a collection only this one is searched, if at all. */
function collectionsOf({ collections }: Given, collection: string | undefined): readonly string[] | undefined {
  if (collection === undefined) return collections
  return collections === undefined || collections.includes(collection) ? [collection] : []
}

const listIn = (parameters: Parameters, name: string): readonly string[] | undefined => listOf(parameters.text(name))

/** A list, or texts separated by commas. */
const listOf = (list: string | readonly string[] | undefined): readonly string[] | undefined =>
  typeof list === 'string' ? list.split(',').map((item) => item.trim()) : list

function givenIn(parameters: Parameters): Given {
  const json = (name: string): unknown => {
    const text = parameters.text(name)
    return text === undefined ? undefined : parseJson(Buffer.from(text), name)
  }
  return {
    collections: listIn(parameters, 'collections'),
    ids: listIn(parameters, 'ids'),
    bbox: parameters.text('bbox'),
    intersects: json('intersects'),
    datetime: parameters.text('datetime'),
    filter: readCql2Parameter(parameters),
    filterCrs: parameters.text('filter-crs'),
    query: json('query'),
    q: listIn(parameters, 'q'),
  }
}

function givenInBody(body: StacAggregateBody | StacSearchBody): Given {
  const {
    collections,
    ids,
    bbox,
    filter,
    q,
    'filter-lang': language = typeof filter === 'string' ? 'cql2-text' : 'cql2-json',
  } = body
  if (filter !== undefined && (typeof filter === 'string') !== (language === 'cql2-text')) {
    throw problem('INVALID_BODY', { parameter: 'filter', reason: `must be ${language} as filter-lang says` })
  }
  return {
    ...body,
    collections: listOf(collections),
    ids: listOf(ids),
    bbox: bbox?.join(','),
    filterCrs: body['filter-crs'],
    q: listOf(q),
  }
}

function conditionsOf(given: Given, limits: Limits, collection?: string): ItemConditions {
  const { ids, bbox, intersects, datetime, q } = given
  if (bbox !== undefined && intersects !== undefined) {
    throw problem('INVALID_PARAMETER', { parameter: 'intersects', reason: 'must not be given together with bbox' })
  }
  bound(given.collections, 'collections', limits)
  const collections = collectionsOf(given, collection)
  bound(ids, 'ids', limits)
  bound(q, 'q', limits)
  const members = [readFilter(given, limits), readQuery(given), readIntersects(intersects, limits)]
  const parts = members.flatMap((member) => member ?? [])
  const filter: Cql2 | undefined = parts.length <= 1 ? parts[0] : { kind: 'and', members: parts, at: 0 }
  return { collections, ids, bbox, datetime, filter, words: q?.filter((word) => word.trim() !== '') }
}

function readFilter({ filter, filterCrs }: Given, limits: Limits): Cql2 | undefined {
  const crs = readCrs('filter-crs', filterCrs)
  if (filter === undefined) return undefined
  const { node } = parseCql2(filter, 'filter', limits)
  return crs === crs84 ? node : converted(node, crs.toLonLat)
}

const readQuery = ({ query }: Given): Cql2 | undefined => (query === undefined ? undefined : queryExpression(query))

function readIntersects(value: unknown, limits: Limits): Cql2 | undefined {
  if (value === undefined) return undefined
  if (!isObject(value) || typeof value.type !== 'string') {
    throw problem('INVALID_PARAMETER', { parameter: 'intersects', value, reason: 'must be a GeoJSON geometry' })
  }
  const args = [{ property: 'geometry' }, value]
  return parseCql2({ op: 's_intersects', args }, 'intersects', limits).node
}

/** Names of STAC may be given by their place in the item. */
const nameIn = (field: string): string => field.replace(/^properties\./, '')

/** `-a,+b`; a plus may arrive as a blank, which is trimmed. */
function readSort(items: readonly string[] | undefined, limits: Limits): readonly SortName[] {
  bound(items, 'sortby', limits)
  return distinct(items?.map((item) => ({ name: nameIn(item.replace(/^[+-]/, '')), descending: item.startsWith('-') })))
}

/** A name that is repeated has no effect. */
function distinct(sort: readonly SortName[] = DEFAULT_SORT): readonly SortName[] {
  const seen = new Map<string, SortName>()
  for (const item of sort) if (!seen.has(item.name)) seen.set(item.name, item)
  return [...seen.values()]
}

function readFields(parameters: Parameters, limits: Limits): FieldChoice | undefined {
  if (!parameters.names().includes('fields')) return undefined
  const items = listIn(parameters, 'fields') ?? []
  const exclude = items.filter((item) => item.startsWith('-')).map((item) => item.slice(1))
  const include = items.filter((item) => !item.startsWith('-')).map((item) => item.replace(/^\+/, ''))
  return chosenFields({ include, exclude }, items.length === 0 || include.length > 0, limits)
}

/** `isIncluding`: an empty `include` means the default members. */
function chosenFields(
  { include = [], exclude = [] }: { include?: readonly string[]; exclude?: readonly string[] },
  isIncluding: boolean,
  limits: Limits,
): FieldChoice {
  bound([...include, ...exclude], 'fields', limits)
  if (include.length > 0) return { include, exclude }
  return isIncluding || exclude.length === 0 ? { include: DEFAULT_MEMBERS, exclude, isDefault: true } : { exclude }
}

function bound(list: readonly unknown[] | undefined, parameter: string, { expressions }: Limits): void {
  if (list === undefined || list.length <= expressions) return
  const reason = `must have at most ${expressions} values`
  throw problem('LIMIT_EXCEEDED', { parameter, reason, setting: 'limits.expressions' })
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
