import type { Json, JsonObject } from '../../model/json/document.ts'
import { GEOJSON_MEDIA, JSON_MEDIA, OPENAPI_MEDIA, SCHEMA_MEDIA } from '../link.ts'
import { BBOX, CRS, ERROR, format, get, LIST, path, query } from '../ogc/openapi.ts'

/** The OpenAPI document of the routes of STAC API alone, in the version that its clients can read. */
export function stacApi(base: string, { ogcItems }: { readonly ogcItems: number }, version: string): JsonObject {
  const limit = { type: 'integer', minimum: 1, maximum: ogcItems, default: Math.min(10, ogcItems) }
  const page = [
    query('limit', limit, 'Items per page.'),
    query('sortby', WORDS, 'Properties, with - for descending order.', LIST),
    query('fields', WORDS, 'Members of the items to return, with - to leave one out.', LIST),
    TOKEN,
  ]
  const search = [...CONDITIONS, ...page]
  return {
    openapi: '3.0.3',
    info: { title: 'Periplus: STAC API', version },
    servers: [{ url: base }],
    paths: {
      '/stac': get('getLandingPage', JSON_MEDIA, [format(['json', 'html'])]),
      '/stac/conformance': get('getConformance', JSON_MEDIA),
      '/stac/api': get('getApi', OPENAPI_MEDIA),
      '/stac/queryables': get('getQueryables', SCHEMA_MEDIA),
      '/stac/collections': get('getCollections', JSON_MEDIA, [
        ...[BBOX, DATETIME, query('limit', { type: 'integer', minimum: 1 }, 'Collections per page.')],
        TOKEN,
      ]),
      [COLLECTION]: get('getCollection', JSON_MEDIA, [NAME]),
      [`${COLLECTION}/queryables`]: get('getCollectionQueryables', SCHEMA_MEDIA, [NAME]),
      [`${COLLECTION}/items`]: get('getItems', GEOJSON_MEDIA, [NAME, ...search]),
      [`${COLLECTION}/items/{itemId}`]: get('getItem', GEOJSON_MEDIA, [NAME, path('itemId')]),
      '/stac/search': both('search', GEOJSON_MEDIA, [NAMES, ...search]),
      '/stac/aggregate': both('aggregate', JSON_MEDIA, [NAMES, ...CONDITIONS, ...AGGREGATION]),
      '/stac/aggregations': get('getAggregations', JSON_MEDIA),
      [`${COLLECTION}/aggregate`]: both('aggregateCollection', JSON_MEDIA, [NAME, ...CONDITIONS, ...AGGREGATION]),
      [`${COLLECTION}/aggregations`]: get('getCollectionAggregations', JSON_MEDIA, [NAME]),
    },
  }
}

const COLLECTION = '/stac/collections/{collectionId}'
const NAME = path('collectionId')
const WORDS: JsonObject = { type: 'array', items: { type: 'string' } }
const NAMES = query('collections', WORDS, 'Names of collections.', LIST)
const TOKEN = query('token', { type: 'string' }, 'Position of a page, from a link to it.')
const DATETIME = query('datetime', { type: 'string' }, 'A time or an interval of RFC 3339.')
const CONDITIONS: readonly JsonObject[] = [
  query('ids', WORDS, 'Identifiers.', LIST),
  BBOX,
  query('intersects', { type: 'string' }, 'A GeoJSON geometry.'),
  DATETIME,
  query('filter', { type: 'string' }, 'A CQL2 expression.'),
  query('filter-lang', { type: 'string', enum: ['cql2-text', 'cql2-json'], default: 'cql2-text' }, 'Its language.'),
  query('filter-crs', CRS, 'Coordinate reference system of filter.'),
  query('query', { type: 'string' }, 'JSON of the Query extension.'),
  query('q', WORDS, 'Texts of which one must occur.', LIST),
]
const AGGREGATION: readonly JsonObject[] = [
  query('aggregations', WORDS, 'Names of aggregations.', LIST),
  query('datetime_frequency_interval', { type: 'string' }, 'Interval of datetime_frequency.'),
  query('geometry_geohash_grid_frequency_precision', { type: 'integer', minimum: 1, maximum: 12 }, 'Characters.'),
  query('geometry_geotile_grid_frequency_precision', { type: 'integer', minimum: 1, maximum: 29 }, 'Zoom level.'),
]

/** A resource that is read by GET with parameters, or by POST with the same as a body. */
function both(operationId: string, type: string, parameters: readonly JsonObject[]): Json {
  const body = { content: { [JSON_MEDIA]: { schema: { type: 'object' } } } }
  const content = { [type]: { schema: { type: 'object' } } }
  const responses = { 200: { description: 'The result.', content }, 400: ERROR, 404: ERROR, 500: ERROR }
  const read = get(operationId, type, parameters) as JsonObject
  return { ...read, post: { operationId: `${operationId}Post`, requestBody: body, responses } }
}
