import { Type } from 'typebox'
import { AggregationsRequest, ComputationRequest } from '../../../model/aggregation.ts'
import {
  AggregationResponse,
  BucketFeatures,
  ComputationResponse,
  SuggestResponse,
} from '../../../model/answer/aggregation-response.ts'
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
  '`type:field`, followed by parts in any order: `interval-`, `format-`, `collect_field-` with `collect_fct-`, `order-` with ' +
  '`on-`, `size-`, `include-`, `raw_geometries-`, `aggregated_geometries-`, `fetch_hits-`. Types: datehistogram, ' +
  'histogram, term, geohash, geotile, geohex. Each further parameter is nested in the buckets of the previous one. ' +
  'Deprecated: `fetch_geometry-`, which adds one `geometry` to each bucket. Use ' +
  '`aggregated_geometries-` instead of `byDefault`, `centroid`, `bbox` and `geohash`, and `raw_geometries-` instead of ' +
  '`first`, `last`, `{field}-first` and `{field}-last`.'

const agg = Type.Array(Type.String(), {
  minItems: 1,
  description: aggText,
  examples: [['term:params.job:size-5:collect_field-params.age:collect_fct-avg', 'datehistogram:interval-1minute']],
})
const anyGridAgg = Type.Array(Type.String(), {
  description:
    `${aggText} The first must be a grid, or have aggregated_geometries or raw_geometries. Each geometry of a bucket ` +
    'becomes a feature.',
  examples: [['geotile:geo_params.centroid:interval-3:aggregated_geometries-cell']],
})
const gridAgg = { ...anyGridAgg, minItems: 1 }

const buckets = { ...AggregationResponse, description: 'The buckets.' }
const features = { ...BucketFeatures, description: 'The geometries of the buckets, as GeoJSON features.' }
const figure = { ...ComputationResponse, description: 'The metric.' }
const suggestions = { ...SuggestResponse, description: 'The terms, most frequent first.' }

const answerParameters = { ...filterParameters, ...flatParameter, ...prettyParameter, ...cacheParameter }
const postQuery = Type.Object(postParameters)

const filter = { f: [[{ field: 'params.job', op: 'eq', value: 'Actor,Coach' }]] }
const average = [{ collect_field: 'params.age', collect_fct: 'avg' }]

export const aggregate = {
  tags,
  operationId: 'aggregate',
  summary: 'Aggregate documents',
  description:
    'Groups the matching documents into buckets by value, by interval of numbers or dates, or by cell of a grid, with ' +
    'metrics, geometries and documents of each bucket. With flat=true, `flattened_elements` of a bucket contains ' +
    'everything nested in it.',
  params,
  querystring: Type.Object({ agg, ...answerParameters }),
  response: { 200: buckets },
}

export const aggregatePost = {
  tags,
  operationId: 'aggregatePost',
  summary: 'Aggregate documents, with a body',
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
  summary: 'Aggregate documents as GeoJSON features',
  description:
    'One feature per geometry of each bucket of the first aggregation, with its count and metrics as properties.',
  params,
  querystring: Type.Object({ agg: gridAgg, ...answerParameters }),
  response: { 200: features },
}

export const geoaggregatePost = {
  tags,
  operationId: 'aggregateFeaturesPost',
  summary: 'Aggregate documents as GeoJSON features, with a body',
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
  'Aggregates only the documents in the cell. Each point is in exactly one cell of a level, so the counts of ' +
  'neighbouring cells can be added.'

export const geoaggregateGeohash = {
  tags,
  operationId: 'aggregateFeaturesOfGeohash',
  summary: 'Aggregate the documents of a geohash as GeoJSON features',
  description: `${inCell} Without agg, the result is one bucket for the whole cell.`,
  params: Type.Object({
    ...collectionName,
    geohash: Type.String({
      pattern: '^[0-9b-hjkmnp-zB-HJKMNP-Z]{1,12}$',
      description: '1 to 12 characters, case-insensitive.',
      examples: ['yn'],
    }),
  }),
  querystring: cellQuery,
  response: { 200: features },
}

export const geoaggregateTile = {
  tags,
  operationId: 'aggregateFeaturesOfTile',
  summary: 'Aggregate the documents of a map tile as GeoJSON features',
  description:
    `${inCell} The interval of geotile aggregations must be from z to z + limits.geotileDepth. Without agg, the ` +
    'buckets are tiles three zoom levels deeper.',
  params: Type.Object({
    ...collectionName,
    z: Type.Integer({ minimum: 0, maximum: 28, description: 'Zoom level.' }),
    x: Type.Integer({ minimum: 0, maximum: 268435455, description: 'Column, counted from the west.' }),
    y: Type.Integer({ minimum: 0, maximum: 268435455, description: 'Row, counted from the north.' }),
  }),
  querystring: cellQuery,
  response: { 200: features },
}

const metrics = 'avg, max, min, sum, spanning (max - min), cardinality, geobbox, geocentroid'

export const compute = {
  tags,
  operationId: 'compute',
  summary: 'Compute a metric',
  description:
    'Computes a metric over the matching documents that have the field. The result is `value`, or `geometry` for ' +
    'geobbox and geocentroid. Both are absent if no document has the field, or if the field is unknown.',
  params,
  querystring: Type.Object({
    field: Type.String({ description: 'Field to compute the metric of.', examples: ['params.age'] }),
    metric: Type.String({ description: `One of ${metrics}; case-insensitive.`, examples: ['avg'] }),
    ...filterParameters,
    ...prettyParameter,
    ...cacheParameter,
  }),
  response: { 200: figure },
}

export const computePost = {
  tags,
  operationId: 'computePost',
  summary: 'Compute a metric, with a body',
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
  summary: 'Suggest terms that start with a text',
  description:
    'Values of KEYWORD fields that start with q or contain a word that does, and words of TEXT fields that start with ' +
    'q. Most frequent first.',
  params: Type.Object({
    collections: Type.String({ description: 'Comma-separated names of collections.', examples: ['geodata'] }),
  }),
  querystring: Type.Object({
    q: Type.Optional(
      Type.String({ description: 'Text, case-insensitive. If not given, all terms are returned.', examples: ['co'] }),
    ),
    field: Type.Optional(
      Type.String({ description: 'Field to search. `_all` or not given: all fields.', examples: ['params.job'] }),
    ),
    ...documentFilters,
    size: Type.Optional(
      Type.Integer({ minimum: 1, default: 10, description: 'Maximum number of suggestions, up to limits.size.' }),
    ),
    from: Type.Optional(Type.Integer({ minimum: 0, default: 0, description: 'Number of suggestions to skip.' })),
    ...prettyParameter,
    ...cacheParameter,
  }),
  response: { 200: suggestions },
}
