import type { Json, JsonObject } from '../../model/json/document.ts'
import { GEOJSON_MEDIA, JSON_MEDIA, MVT_MEDIA, PNG_MEDIA, SCHEMA_MEDIA } from '../link.ts'
import { systems } from './crs.ts'
import { FORMATS } from './item-formats.ts'

/** The OpenAPI document of the routes of OGC API alone, in the version its conformance tests can read. */
export function ogcApi(base: string, { ogcItems }: { readonly ogcItems: number }, version: string): JsonObject {
  const filters = [
    BBOX,
    query('bbox-crs', CRS, 'Coordinate reference system of bbox.'),
    query('datetime', { type: 'string' }, 'A time or an interval of RFC 3339.'),
    query('filter', { type: 'string' }, 'A CQL2 expression.'),
    query('filter-lang', { type: 'string', enum: ['cql2-text', 'cql2-json'], default: 'cql2-text' }, 'Its language.'),
    query('filter-crs', CRS, 'Coordinate reference system of filter.'),
  ]
  const form = [
    query('properties', { type: 'array', items: { type: 'string' } }, 'Properties to return.', LIST),
    query('skipGeometry', { type: 'boolean', default: false }, 'Return no geometries.'),
    query('crs', CRS, 'Coordinate reference system of the response.'),
  ]
  const limit = { type: 'integer', minimum: 1, maximum: ogcItems, default: Math.min(10, ogcItems) }
  const page = [
    { $ref: '#/components/parameters/limit' },
    query('sortby', { type: 'array', items: { type: 'string' } }, 'Properties, with - for descending order.', LIST),
    query('token', { type: 'string' }, 'Position of a page, from a link to it.'),
  ]
  const tile = `${TILE_SET}/{tileMatrix}/{tileRow}/{tileCol}`
  return {
    openapi: '3.0.3',
    info: { title: 'Periplus: OGC API', version },
    servers: [{ url: base }],
    paths: {
      '/ogc': get('getLandingPage', JSON_MEDIA, [format(['json', 'html'])]),
      '/ogc/conformance': get('getConformance', JSON_MEDIA),
      '/ogc/api': get('getApi', 'application/vnd.oai.openapi+json;version=3.0'),
      '/ogc/collections': get('getCollections', JSON_MEDIA),
      [COLLECTION]: get('getCollection', JSON_MEDIA, [NAME]),
      [`${COLLECTION}/items`]: get('getFeatures', GEOJSON_MEDIA, [
        ...[NAME, ...filters, ...form, ...page],
        format(FORMATS.map(({ name }) => name)),
      ]),
      [`${COLLECTION}/items/{featureId}`]: get('getFeature', GEOJSON_MEDIA, [NAME, path('featureId'), ...form]),
      [`${COLLECTION}/queryables`]: get('getQueryables', SCHEMA_MEDIA, [NAME]),
      [`${COLLECTION}/schema`]: get('getSchema', SCHEMA_MEDIA, [NAME]),
      '/ogc/tileMatrixSets': get('getTileMatrixSets', JSON_MEDIA),
      '/ogc/tileMatrixSets/WebMercatorQuad': get('getTileMatrixSet', JSON_MEDIA),
      [`${COLLECTION}/tiles`]: get('getTileSets', JSON_MEDIA, [NAME]),
      [TILE_SET]: get('getTileSet', JSON_MEDIA, [NAME]),
      [tile]: get(
        'getTile',
        MVT_MEDIA,
        [NAME, path('tileMatrix'), path('tileRow'), path('tileCol'), ...filters, format(['mvt', 'png'])],
        [PNG_MEDIA],
      ),
    },
    // QGIS and GDAL look for the page size here.
    components: { parameters: { limit: query('limit', limit, 'Features per page.') } },
  }
}

const COLLECTION = '/ogc/collections/{collectionId}'
const TILE_SET = `${COLLECTION}/tiles/WebMercatorQuad`
export const LIST = { style: 'form', explode: false }
export const CRS: JsonObject = { type: 'string', format: 'uri', enum: systems.map(({ uri }) => uri) }

export const query = (name: string, schema: JsonObject, description: string, more: JsonObject = {}): JsonObject => ({
  ...{ name, in: 'query', required: false, description, schema },
  ...more,
})

export const BBOX = query(
  'bbox',
  { type: 'array', items: { type: 'number' }, minItems: 4, maxItems: 6 },
  'West, south, east, north; with heights six numbers.',
  LIST,
)

export const path = (name: string): JsonObject => ({ name, in: 'path', required: true, schema: { type: 'string' } })
const NAME = path('collectionId')

export const format = (names: readonly string[]): JsonObject =>
  query('f', { type: 'string', enum: names }, 'Format of the response.')

export const ERROR: JsonObject = {
  description: 'An error.',
  content: {
    [JSON_MEDIA]: {
      schema: {
        type: 'object',
        required: ['code'],
        properties: { code: { type: 'string' }, description: { type: 'string' } },
      },
    },
  },
}

export function get(
  operationId: string,
  type: string,
  parameters: readonly JsonObject[] = [],
  others: readonly string[] = [],
): Json {
  const schema = type === MVT_MEDIA ? { type: 'string', format: 'binary' } : { type: 'object' }
  const content = Object.fromEntries([type, ...others].map((media) => [media, { schema }]))
  const responses = { 200: { description: 'The resource.', content }, 400: ERROR, 404: ERROR, 500: ERROR }
  return { get: { operationId, parameters, responses } }
}
