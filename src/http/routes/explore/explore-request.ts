import type { FastifyRequest } from 'fastify'
import type { Limits } from '../../../config/settings.ts'
import { checkBody } from '../../../model/check-body.ts'
import type { Filter } from '../../../model/filter.ts'
import { type GeometryFilterName, geometryFilterNames } from '../../../model/geometry-filters.ts'
import { Count, type Form, type Page, type Projection, Search } from '../../../model/search.ts'
import { parseTriplets } from '../../../query/filter/triplets.ts'
import { readJsonBody } from '../../request/body/json-body.ts'
import { type Parameters, readParameters } from '../../request/parameters.ts'
import { readCql2Parameter } from '../cql2-parameter.ts'

/** Formatting and caching of an answer. */
export interface AnswerForm {
  readonly pretty: boolean
  readonly maxAge: number | undefined
}

/** Request of an operation, from GET or POST, in the form of the POST body. */
export interface ExploreRequest<T> {
  readonly value: T
  readonly flat: boolean
  readonly form: AnswerForm
}

/** Reads `pretty` and `max-age-cache`. One of the query and `form` of the body is enough (spec 5.1). */
export function readAnswerForm(request: FastifyRequest, form: Form = {}): AnswerForm {
  const parameters = readParameters(request)
  const pretty = parameters.boolean('pretty') ?? false
  const maxAge = parameters.integer('max-age-cache', { min: 0 })
  return { pretty: pretty || form.pretty === true, maxAge }
}

export function readFlat(request: FastifyRequest, form: Form = {}): boolean {
  const flat = readParameters(request).boolean('flat') ?? false
  return flat || form.flat === true
}

/** True if the cells of a CSV are escaped for spreadsheets. */
export const readSpreadsheet = (request: FastifyRequest): boolean =>
  readParameters(request).boolean('spreadsheet') ?? false

export function readSearch(request: FastifyRequest, limits: Limits): ExploreRequest<Search> {
  // Validate the parameter for every format.
  readSpreadsheet(request)
  const isPost = request.method === 'POST'
  return withForm(
    request,
    isPost ? checkBody(Search, readJsonBody(request)) : searchOf(readParameters(request), limits),
  )
}

export function readCount(request: FastifyRequest): ExploreRequest<Count> {
  const isPost = request.method === 'POST'
  return withForm(
    request,
    isPost ? checkBody(Count, readJsonBody(request)) : { filter: filterOf(readParameters(request)) },
  )
}

/** Adds the flags of the answer to a request. */
export function withForm<T extends { form?: Form }>(request: FastifyRequest, value: T): ExploreRequest<T> {
  return { value, flat: readFlat(request, value.form), form: readAnswerForm(request, value.form) }
}

/** Reads the filter and the page of a GET that has its own limit for `size`. */
export function readPage(request: FastifyRequest, most: SizeLimit): Search {
  const parameters = readParameters(request)
  return { filter: filterOf(parameters), page: pageOf(parameters, most) }
}

export interface SizeLimit {
  readonly max: number
  readonly setting: string
}

function searchOf(parameters: Parameters, limits: Limits): Search {
  const returned = parameters.text('returned_geometries')
  return {
    filter: filterOf(parameters),
    page: pageOf(parameters, { max: limits.size, setting: 'limits.size' }),
    projection: projectionOf(parameters),
    ...(returned === undefined ? {} : { returned_geometries: returned }),
  }
}

/** Reads the filter of a GET. Operations with another meaning of `q` pass their own. */
export function filterOf(parameters: Parameters, q: readonly string[] = parameters.all('q')): Filter {
  const dateformat = parameters.text('dateformat')
  const righthand = parameters.boolean('righthand')
  return {
    ...parseTriplets(parameters.all('f'), q),
    ...(dateformat === undefined ? {} : { dateformat }),
    ...(righthand === undefined ? {} : { righthand }),
    ...geometriesOf(parameters),
    ...cql2Of(parameters),
  }
}

function cql2Of(parameters: Parameters): Pick<Filter, 'cql2'> {
  const cql2 = readCql2Parameter(parameters)
  return cql2 === undefined ? {} : { cql2 }
}

function geometriesOf(parameters: Parameters): Pick<Filter, GeometryFilterName> {
  const given = geometryFilterNames.map((name) => [name, [...parameters.all(name)]] as const)
  return Object.fromEntries(given.filter(([, texts]) => texts.length > 0))
}

function pageOf(parameters: Parameters, limit: SizeLimit): Page {
  const size = parameters.integer('size', { min: 1, limit })
  const from = parameters.integer('from', { min: 0 })
  const sort = parameters.text('sort')
  const after = parameters.text('after')
  const before = parameters.text('before')
  return {
    ...(size === undefined ? {} : { size }),
    ...(from === undefined ? {} : { from }),
    ...(sort === undefined ? {} : { sort }),
    ...(after === undefined ? {} : { after }),
    ...(before === undefined ? {} : { before }),
  }
}

function projectionOf(parameters: Parameters): Projection {
  const includes = parameters.text('include')
  const excludes = parameters.text('exclude')
  return { ...(includes === undefined ? {} : { includes }), ...(excludes === undefined ? {} : { excludes }) }
}
