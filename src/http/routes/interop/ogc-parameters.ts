import type { FastifyRequest } from 'fastify'
import type { OpenCollection } from '../../../collections/open-collection.ts'
import type { Limits } from '../../../config/settings.ts'
import { problem } from '../../../errors.ts'
import { readCrs } from '../../../interop/ogc/crs.ts'
import type { FeatureForm } from '../../../interop/ogc/find-items.ts'
import { filterExpression } from '../../../interop/ogc/items-question.ts'
import { chosenFields, queryableFields, visibleFields } from '../../../interop/properties.ts'
import type { Filter } from '../../../model/filter.ts'
import { type Parameters, readParameters } from '../../request/parameters.ts'
import { readCql2Parameter } from '../cql2-parameter.ts'
import { checkKnownParameters } from './begin-interop.ts'

const FILTERS = ['bbox', 'bbox-crs', 'datetime', 'filter', 'filter-lang', 'filter-crs']
const FORM = ['properties', 'skipGeometry', 'crs']
const PAGE = ['limit', 'sortby', 'token']

const DEFAULT_LIMIT = 10

export interface ItemsParameters {
  readonly filter: Filter['cql2'] | undefined
  readonly form: FeatureForm
  readonly limit: number
  /** True if the request has a limit: files without one contain everything. */
  readonly isLimited: boolean
  readonly sort: string | undefined
  readonly token: string | undefined
}

/** Reads the parameters of a page of features. */
export function readItemsParameters(
  request: FastifyRequest,
  collection: OpenCollection,
  limits: Limits,
): ItemsParameters {
  const parameters = readParameters(request)
  const equal = queryableFields(collection).filter(({ type }) => type !== 'GEO_POINT' && type !== 'GEO_SHAPE')
  checkKnownParameters(request, [...FILTERS, ...FORM, ...PAGE, ...equal.map(({ path }) => path)])
  const limit = parameters.integer('limit', { min: 1 })
  return {
    filter: readFilter(parameters, collection, limits),
    form: readForm(parameters, collection),
    limit: Math.min(limit ?? DEFAULT_LIMIT, limits.ogcItems),
    isLimited: limit !== undefined,
    sort: readSort(parameters.text('sortby'), collection),
    token: parameters.text('token'),
  }
}

/** Reads the parameters of a tile. */
export function readTileParameters(
  request: FastifyRequest,
  collection: OpenCollection,
  limits: Limits,
): { readonly filter: Filter['cql2'] | undefined; readonly properties: readonly string[] } {
  const parameters = readParameters(request)
  checkKnownParameters(request, [...FILTERS, 'properties'])
  const { properties = [] } = readForm(parameters, collection)
  return {
    filter: readFilter(parameters, collection, limits),
    properties: properties.map(({ path }) => path),
  }
}

/** Reads the parameters of a single feature. */
export function readItemParameters(request: FastifyRequest, collection: OpenCollection): FeatureForm {
  checkKnownParameters(request, FORM)
  return readForm(readParameters(request), collection)
}

function readFilter(parameters: Parameters, collection: OpenCollection, limits: Limits): Filter['cql2'] | undefined {
  const names = new Set<string>([...FILTERS, ...FORM, ...PAGE, 'f', 'pretty'].map((n) => n.toLowerCase()))
  const equal = queryableFields(collection).flatMap((field) =>
    names.has(field.path.toLowerCase()) ? [] : parameters.all(field.path).map((value) => [field, value] as const),
  )
  const filters = {
    bbox: parameters.text('bbox'),
    bboxCrs: readCrs('bbox-crs', parameters.text('bbox-crs')),
    datetime: parameters.text('datetime'),
    filter: readCql2Parameter(parameters),
    filterCrs: readCrs('filter-crs', parameters.text('filter-crs')),
    equal,
  }
  return filterExpression(filters, collection, limits) as Filter['cql2'] | undefined
}

function readForm(parameters: Parameters, collection: OpenCollection): FeatureForm {
  const names = parameters.text('properties')
  return {
    ...(names === undefined
      ? {}
      : { properties: chosenFields([...new Set(names.split(','))], visibleFields(collection), 'properties') }),
    skipGeometry: parameters.boolean('skipGeometry') ?? false,
    crs: readCrs('crs', parameters.text('crs')),
  }
}

/** `-a,+b` with the names of properties; a plus may arrive as a blank. */
function readSort(text: string | undefined, collection: OpenCollection): string | undefined {
  if (text === undefined) return undefined
  const items = text.split(',').map((item) => item.replace(/^[ +]/, ''))
  chosenFields(
    items.map((item) => item.replace(/^-/, '')),
    queryableFields(collection),
    'sortby',
  )
  const geometry = items.find((item) => collection.schema.lookup(item.replace(/^-/, ''))?.type.startsWith('GEO'))
  if (geometry === undefined) return items.join(',')
  throw problem('INVALID_PARAMETER', { parameter: 'sortby', value: text, reason: 'must not name geometries' })
}
