import { type TSchema, Type } from 'typebox'
import { GEOJSON_MEDIA, HTML_MEDIA, JSON_MEDIA, SCHEMA_MEDIA } from '../../../interop/link.ts'
import { timeUnits } from '../../../interop/stac/aggregate-items.ts'
import { StacAggregateBody, StacSearchBody } from '../../../interop/stac/search-body.ts'
import { prettyParameter } from '../explore-parameters.ts'

/** OpenAPI descriptions of the routes of STAC API. The handlers validate requests. */

const tags = ['STAC']

const name = { collection: Type.String({ description: 'Name of the collection.' }) }
const params = Type.Object(name)
const text = (description: string) => Type.Optional(Type.String({ description }))

const form = (names: readonly string[]) => ({
  f: Type.Optional(Type.Enum([...names], { description: 'Format of the response. Overrides the Accept header.' })),
  ...prettyParameter,
})
const plain = Type.Object(form(['json']))

const conditions = {
  collections: text('Comma-separated names of collections; default: all.'),
  ids: text('Comma-separated identifiers.'),
  bbox: text('West, south, east, north, separated by commas; with heights six numbers. Not with intersects.'),
  intersects: text('A GeoJSON geometry.'),
  datetime: text('A time of RFC 3339, or two separated by a slash; `..` is an open end.'),
  filter: text('A CQL2 expression.'),
  'filter-lang': Type.Optional(
    Type.Enum(['cql2-text', 'cql2-json'], { default: 'cql2-text', description: 'Language of filter.' }),
  ),
  'filter-crs': text('URI of the coordinate reference system of filter.'),
  query: text('JSON of the Query extension: `{"name":{"gte":1}}`.'),
  q: text('Comma-separated texts of which one must occur.'),
}
const page = {
  limit: Type.Optional(
    Type.Integer({ minimum: 1, default: 10, description: 'Items per page, reduced to limits.ogcItems.' }),
  ),
  sortby: text('Comma-separated properties, `-name` for descending order. Default: `-datetime`.'),
  fields: text('Comma-separated members of the items to return, `-name` to leave one out.'),
  token: text('Position of a page, from a link to it.'),
}
const precision = (maximum: number, value: number, what: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum, default: value, description: what }))
const aggregation = {
  aggregations: text('Comma-separated names from `/aggregations`.'),
  datetime_frequency_interval: Type.Optional(
    Type.Enum([...timeUnits], { description: 'Interval of `datetime_frequency`. Default: chosen by the period.' }),
  ),
  geometry_geohash_grid_frequency_precision: precision(12, 3, 'Characters of the geohashes.'),
  geometry_geotile_grid_frequency_precision: precision(29, 5, 'Zoom level of the tiles.'),
}

const object = Type.Object({})
const answer = (types: Readonly<Record<string, TSchema>>, description: string) => ({
  200: { description, content: Object.fromEntries(Object.entries(types).map(([type, schema]) => [type, { schema }])) },
})
const json = (description: string) => answer({ [JSON_MEDIA]: object }, description)
const items = answer({ [GEOJSON_MEDIA]: object }, 'The items.')

const described = (operationId: string, summary: string, description: string) => ({
  ...{ tags, operationId, summary },
  querystring: plain,
  response: json(description),
})

export const landing = {
  ...described('getStacLandingPage', 'Landing page of STAC API', 'A catalog with links.'),
  querystring: Type.Object(form(['json', 'html'])),
  response: answer({ [JSON_MEDIA]: object, [HTML_MEDIA]: Type.String() }, 'A catalog with links.'),
}
export const conformance = described('getStacConformance', 'Conformance classes of STAC API', 'The classes.')
export const api = {
  ...described('getStacApi', 'OpenAPI 3.0 document of STAC API', 'The document.'),
  response: answer({ 'application/vnd.oai.openapi+json;version=3.0': object }, 'The document.'),
}
const schemaAnswer = answer({ [SCHEMA_MEDIA]: object }, 'A JSON Schema.')
export const commonQueryables = {
  ...described('getStacQueryables', 'Properties that filters can use in all collections', ''),
  response: schemaAnswer,
}
export const queryables = {
  ...described('getStacCollectionQueryables', 'Properties of a collection that filters can use', ''),
  params,
  response: schemaAnswer,
}
export const collectionList = {
  ...described('listStacCollections', 'Collections, also by extent', 'The collections.'),
  querystring: Type.Object({
    bbox: text('Only collections whose extent meets this box.'),
    datetime: text('Only collections whose extent meets this period.'),
    limit: Type.Optional(Type.Integer({ minimum: 1, description: 'Collections per page. Default: all.' })),
    token: page.token,
    ...form(['json']),
  }),
}
export const collection = {
  ...described('getStacCollection', 'Describe a collection with its extent and summaries', 'The collection.'),
  params,
}

const unknown = ' Unknown parameters are an error.'
export const search = {
  ...{ tags, operationId: 'searchStacItems', summary: 'Search items of collections' },
  description: `The items of all collections are in one order.${unknown}`,
  querystring: Type.Object({ ...conditions, ...page, ...form(['json']) }),
  response: items,
}
export const searchPost = {
  ...{ tags, operationId: 'searchStacItemsPost', summary: 'Search items of collections, with a body' },
  description: 'Same as GET. Geometries, filters and lists are JSON.',
  querystring: plain,
  body: StacSearchBody,
  response: items,
}
export const itemList = {
  ...{ tags, operationId: 'listStacItems', summary: 'Items of a collection' },
  description: `A page of items.${unknown}`,
  params,
  querystring: Type.Object({ ...conditions, ...page, ...form(['json']) }),
  response: items,
}
export const item = {
  ...{ tags, operationId: 'getStacItem', summary: 'One item of a collection' },
  params: Type.Object({
    ...name,
    identifier: Type.String({ description: 'The value of id_path. Encode a slash as %2F.' }),
  }),
  querystring: plain,
  response: answer({ [GEOJSON_MEDIA]: object }, 'The item.'),
}

const aggregated = 'The results of the aggregations.'
export const aggregate = {
  ...described('aggregateStacItems', 'Aggregate items of collections', aggregated),
  querystring: Type.Object({ ...conditions, ...aggregation, ...form(['json']) }),
}
export const aggregatePost = {
  ...described('aggregateStacItemsPost', 'Aggregate items of collections, with a body', aggregated),
  body: StacAggregateBody,
}
export const aggregateCollection = {
  ...described('aggregateStacCollection', 'Aggregate the items of a collection', aggregated),
  params,
  querystring: Type.Object({ ...conditions, ...aggregation, ...form(['json']) }),
}
export const aggregateCollectionPost = {
  ...described('aggregateStacCollectionPost', 'Aggregate the items of a collection, with a body', aggregated),
  params,
  body: StacAggregateBody,
}
const listed = 'Names and types.'
export const aggregations = described('listStacAggregations', 'Aggregations of all collections', listed)
export const collectionAggregations = {
  ...described('listStacCollectionAggregations', 'Aggregations of a collection', listed),
  params,
}
