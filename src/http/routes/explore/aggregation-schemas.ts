import { Type } from 'typebox'
import { AggregationsRequest, ComputationRequest } from '../../../model/aggregation.ts'
import {
  AggregationResponse,
  BucketFeatures,
  ComputationResponse,
  SuggestResponse,
} from '../../../model/aggregation-response.ts'
import {
  cacheParameter,
  collectionName,
  filterParameters,
  flatParameter,
  postParameters,
  prettyParameter,
} from '../explore-parameters.ts'

/** OpenAPI descriptions of aggregations, metrics and suggestions. The operations validate requests. */

const tags = ['Explore']

const params = Type.Object(collectionName)

const aggText =
  '`type:field` and parts in any order: `interval-`, `format-`, `collect_field-` with `collect_fct-`, `order-` with ' +
  '`on-`, `size-`, `include-`, `raw_geometries-`, `aggregated_geometries-`, `fetch_hits-`. Types: datehistogram, ' +
  'histogram, term, geohash, geotile, geohex. Each further parameter is nested in the buckets of the one before. ' +
  'Deprecated, of an earlier revision: `fetch_geometry-`, one `geometry` for each bucket; use ' +
  '`aggregated_geometries-` for `byDefault`, `centroid`, `bbox` and `geohash`, `raw_geometries-` for `first`, `last`, ' +
  '`{field}-first` and `{field}-last`.'

const agg = Type.Array(Type.String(), {
  minItems: 1,
  description: aggText,
  examples: [['term:params.job:size-5:collect_field-params.age:collect_fct-avg', 'datehistogram:interval-1minute']],
})
const anyGridAgg = Type.Array(Type.String(), {
  description:
    `${aggText} The first must be a grid, or ask for aggregated_geometries or raw_geometries: every geometry of a ` +
    'bucket is a feature.',
  examples: [['geotile:geo_params.centroid:interval-3:aggregated_geometries-cell']],
})
const gridAgg = { ...anyGridAgg, minItems: 1 }

const buckets = { ...AggregationResponse, description: 'The buckets.' }
const features = { ...BucketFeatures, description: 'The geometries of the buckets, as GeoJSON features.' }
const figure = { ...ComputationResponse, description: 'The figure.' }
const suggestions = { ...SuggestResponse, description: 'The terms, the most frequent first.' }

const answerParameters = { ...filterParameters, ...flatParameter, ...prettyParameter, ...cacheParameter }
const postQuery = Type.Object(postParameters)

const filter = { f: [[{ field: 'params.job', op: 'eq', value: 'Actor,Coach' }]] }
const average = [{ collect_field: 'params.age', collect_fct: 'avg' }]

export const aggregate = {
  tags,
  operationId: 'aggregate',
  summary: 'Gather documents into buckets',
  description:
    'The documents that match by value, interval of numbers or time, or cell of a grid, with figures, geometries and ' +
    'documents of each bucket. With flat=true everything nested in a bucket is in its `flattened_elements`.',
  params,
  querystring: Type.Object({ agg, ...answerParameters }),
  response: { 200: buckets },
}

export const aggregatePost = {
  tags,
  operationId: 'aggregatePost',
  summary: 'Gather documents into buckets, with a body',
  params,
  querystring: postQuery,
  body: {
    ...AggregationsRequest,
    examples: [
      {
        filter,
        aggregations: [
          { type: 'term', field: 'params.job', size: 5, metrics: average },
          { type: 'datehistogram', interval: { value: 1, unit: 'minute' } },
        ],
      },
    ],
  },
  response: { 200: buckets },
}

export const geoaggregate = {
  tags,
  operationId: 'aggregateFeatures',
  summary: 'Gather documents into buckets, as GeoJSON features',
  description: 'One feature per geometry of each bucket of the first aggregation, its count and figures as properties.',
  params,
  querystring: Type.Object({ agg: gridAgg, ...answerParameters }),
  response: { 200: features },
}

export const geoaggregatePost = {
  tags,
  operationId: 'aggregateFeaturesPost',
  summary: 'Gather documents into buckets, as GeoJSON features, with a body',
  params,
  querystring: postQuery,
  body: {
    ...AggregationsRequest,
    examples: [
      {
        filter,
        form: { flat: true },
        aggregations: [
          {
            type: 'geohash',
            field: 'geo_params.centroid',
            interval: { value: 2 },
            metrics: average,
            aggregated_geometries: ['bbox', 'centroid'],
          },
        ],
      },
    ],
  },
  response: { 200: features },
}

const cellQuery = Type.Object({ agg: Type.Optional(anyGridAgg), ...answerParameters })
const inCell =
  'Only documents in the cell are gathered. Every place lies in exactly one cell of a level, so the counts of ' +
  'neighbouring cells may be added up.'

export const geoaggregateGeohash = {
  tags,
  operationId: 'aggregateFeaturesOfGeohash',
  summary: 'Gather the documents of a geohash into buckets, as GeoJSON features',
  description: `${inCell} Without agg the documents are one bucket of the cell.`,
  params: Type.Object({
    ...collectionName,
    geohash: Type.String({
      pattern: '^[0-9b-hjkmnp-zB-HJKMNP-Z]{1,12}$',
      description: '1 to 12 characters, in any case.',
      examples: ['yn'],
    }),
  }),
  querystring: cellQuery,
  response: { 200: features },
}

export const geoaggregateTile = {
  tags,
  operationId: 'aggregateFeaturesOfTile',
  summary: 'Gather the documents of a map tile into buckets, as GeoJSON features',
  description:
    `${inCell} The interval of geotile aggregations is z at least and z + limits.geotileDepth at most; without agg ` +
    'the tiles are three zooms finer.',
  params: Type.Object({
    ...collectionName,
    z: Type.Integer({ minimum: 0, maximum: 28, description: 'Zoom.' }),
    x: Type.Integer({ minimum: 0, maximum: 268435455, description: 'Column, from the west.' }),
    y: Type.Integer({ minimum: 0, maximum: 268435455, description: 'Row, from the north.' }),
  }),
  querystring: cellQuery,
  response: { 200: features },
}

const metrics = 'avg, max, min, sum, spanning (max - min), cardinality, geobbox, geocentroid'

export const compute = {
  tags,
  operationId: 'compute',
  summary: 'Compute one figure over documents',
  description:
    'Over the documents that match and have the field; `value`, or `geometry` for geobbox and geocentroid. No such ' +
    'document, or an unknown field: neither.',
  params,
  querystring: Type.Object({
    field: Type.String({ description: 'Field to compute over.', examples: ['params.age'] }),
    metric: Type.String({ description: `One of ${metrics}, in any case.`, examples: ['avg'] }),
    ...filterParameters,
    ...prettyParameter,
    ...cacheParameter,
  }),
  response: { 200: figure },
}

export const computePost = {
  tags,
  operationId: 'computePost',
  summary: 'Compute one figure over documents, with a body',
  params,
  querystring: postQuery,
  body: { ...ComputationRequest, examples: [{ filter, field: 'params.age', metric: 'MAX' }] },
  response: { 200: figure },
}

/** Here `q` is the text to complete. */
const { q: _, ...documentFilters } = filterParameters

export const suggest = {
  tags,
  operationId: 'suggestTerms',
  summary: 'Suggest terms that complete a text',
  description:
    'Values of KEYWORD fields and words of TEXT fields that, or a word of which, begin with q; the most frequent first.',
  params: Type.Object({
    collections: Type.String({ description: 'Names of collections, separated by commas.', examples: ['geodata'] }),
  }),
  querystring: Type.Object({
    q: Type.Optional(Type.String({ description: 'Plain text, in any case; without it every term.', examples: ['co'] })),
    field: Type.Optional(Type.String({ description: 'One field; `_all` or none: all.', examples: ['params.job'] })),
    ...documentFilters,
    size: Type.Optional(Type.Integer({ minimum: 1, default: 10, description: 'Suggestions; bounded by limits.size.' })),
    from: Type.Optional(Type.Integer({ minimum: 0, default: 0, description: 'Suggestions to skip.' })),
    ...prettyParameter,
    ...cacheParameter,
  }),
  response: { 200: suggestions },
}
