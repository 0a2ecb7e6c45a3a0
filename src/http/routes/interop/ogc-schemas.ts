import { type TSchema, Type } from 'typebox'
import { GEOJSON_MEDIA, HTML_MEDIA, JSON_MEDIA, MVT_MEDIA, PNG_MEDIA, SCHEMA_MEDIA } from '../../../interop/link.ts'
import { FORMATS } from '../../../interop/ogc/item-formats.ts'
import { prettyParameter } from '../explore-parameters.ts'

/** OpenAPI descriptions of the routes of OGC API. The handlers validate requests. */

const tags = ['OGC API']

const name = { collection: Type.String({ description: 'Name of the collection.' }) }
const params = Type.Object(name)

const formatParameter = (names: readonly string[]) => ({
  f: Type.Optional(Type.Enum([...names], { description: 'Format of the response. Overrides the Accept header.' })),
})
const plain = Type.Object({ ...formatParameter(['json']), ...prettyParameter })

const filters = {
  bbox: Type.Optional(
    Type.String({ description: 'West, south, east, north, separated by commas; with heights six numbers.' }),
  ),
  'bbox-crs': Type.Optional(Type.String({ description: 'URI of the coordinate reference system of bbox.' })),
  datetime: Type.Optional(
    Type.String({ description: 'An RFC 3339 date or time, or two separated by a slash; `..` is an open end.' }),
  ),
  filter: Type.Optional(Type.String({ description: 'A CQL2 expression.' })),
  'filter-lang': Type.Optional(
    Type.Enum(['cql2-text', 'cql2-json'], { default: 'cql2-text', description: 'Language of filter.' }),
  ),
  'filter-crs': Type.Optional(Type.String({ description: 'URI of the coordinate reference system of filter.' })),
}
const form = {
  properties: Type.Optional(Type.String({ description: 'Comma-separated properties to return.' })),
  skipGeometry: Type.Optional(Type.Boolean({ default: false, description: 'Return no geometries.' })),
  crs: Type.Optional(Type.String({ description: 'URI of the coordinate reference system of the response.' })),
}

const content = (types: Readonly<Record<string, TSchema>>, description: string) => ({
  description,
  content: Object.fromEntries(Object.entries(types).map(([type, schema]) => [type, { schema }])),
})
const object = Type.Object({})
const binary = Type.String({ format: 'binary' })
const text = Type.String()
const document = (description: string) => ({ 200: content({ [JSON_MEDIA]: object }, description) })

const described = (operationId: string, summary: string, description: string) => ({
  ...{ tags, operationId, summary },
  querystring: plain,
  response: document(description),
})

export const landing = {
  ...{ tags, operationId: 'getOgcLandingPage', summary: 'Landing page of OGC API Features and Tiles' },
  querystring: Type.Object({ ...formatParameter(['json', 'html']), ...prettyParameter }),
  response: { 200: content({ [JSON_MEDIA]: object, [HTML_MEDIA]: text }, 'Links to the resources.') },
}
export const conformance = described('getOgcConformance', 'Conformance classes of OGC API', 'The classes.')
export const api = {
  ...described('getOgcApi', 'OpenAPI 3.0 document of OGC API', 'The document.'),
  response: { 200: content({ 'application/vnd.oai.openapi+json;version=3.0': object }, 'The document.') },
}
export const collections = described('listOgcCollections', 'List the collections with extents and links', 'Them.')
export const collection = {
  ...described('getOgcCollection', 'Describe a collection with its extent and links', 'The collection.'),
  params,
}
const schemaAnswer = { 200: content({ [SCHEMA_MEDIA]: object }, 'A JSON Schema.') }
export const queryables = {
  ...described('getOgcQueryables', 'Properties of a collection that filters can use', ''),
  params,
  response: schemaAnswer,
}
export const schema = {
  ...described('getOgcSchema', 'Properties of the features of a collection', ''),
  params,
  response: schemaAnswer,
}

const [, ...files] = FORMATS
const inFiles = Object.fromEntries(
  files.map(({ name: format, type }) => [type, ['csv', 'geojsonl'].includes(format) ? text : binary]),
)
export const items = {
  ...{ tags, operationId: 'listOgcFeatures', summary: 'Features of a collection' },
  description:
    'A page of features, or all as a file. A property of the collection is a parameter too: only features with this ' +
    'value are returned. Unknown parameters are an error.',
  params,
  querystring: Type.Object({
    ...filters,
    ...form,
    limit: Type.Optional(
      Type.Integer({ minimum: 1, default: 10, description: 'Features per page, reduced to limits.ogcItems.' }),
    ),
    sortby: Type.Optional(Type.String({ description: 'Comma-separated properties, `-name` for descending order.' })),
    token: Type.Optional(Type.String({ description: 'Position of a page, from a link to it.' })),
    ...formatParameter(FORMATS.map((format) => format.name)),
    ...prettyParameter,
  }),
  response: { 200: content({ [GEOJSON_MEDIA]: object, ...inFiles }, 'The features.') },
}
export const item = {
  ...{ tags, operationId: 'getOgcFeature', summary: 'One feature of a collection' },
  params: Type.Object({
    ...name,
    identifier: Type.String({ description: 'The value of id_path. Encode a slash as %2F.' }),
  }),
  querystring: Type.Object({ ...form, ...formatParameter(['json']), ...prettyParameter }),
  response: { 200: content({ [GEOJSON_MEDIA]: object }, 'The feature.') },
}

export const tileMatrixSets = described('listOgcTileMatrixSets', 'Tile matrix sets', 'The list.')
export const tileMatrixSet = described('getOgcTileMatrixSet', 'The tile matrix set WebMercatorQuad', 'It.')
export const tileSets = { ...described('listOgcTileSets', 'Tile sets of a collection', 'The list.'), params }
export const tileSet = { ...described('getOgcTileSet', 'The tile set of a collection', 'Its metadata.'), params }
export const tile = {
  ...{ tags, operationId: 'getOgcTile', summary: 'A tile of a collection' },
  params: Type.Object({
    ...name,
    tileMatrix: Type.String({ description: 'Zoom level.' }),
    tileRow: Type.String({ description: 'Row, counted from the north.' }),
    tileCol: Type.String({ description: 'Column, counted from the west.' }),
  }),
  querystring: Type.Object({
    ...filters,
    properties: form.properties,
    ...formatParameter(['mvt', 'png']),
    ...prettyParameter,
  }),
  response: {
    200: content({ [MVT_MEDIA]: binary, [PNG_MEDIA]: binary }, 'The tile.'),
    204: Type.Null({ description: 'The tile is empty.' }),
  },
}
