import { type Static, Type } from 'typebox'
import { Filter } from './filter.ts'
import { Form } from './search.ts'
import { Text } from './text.ts'

/** The schemas check only JSON types. The aggregation validator, shared by GET and POST, checks the content. */

export const Interval = Type.Object(
  { value: Type.Optional(Type.Number()), unit: Type.Optional(Text()) },
  { $id: 'Interval', additionalProperties: false },
)
export type Interval = Static<typeof Interval>

export const Metric = Type.Object(
  { collect_field: Type.Optional(Text()), collect_fct: Type.Optional(Text()) },
  { $id: 'Metric', additionalProperties: false, 'x-documented': { required: ['collect_fct'] } },
)
export type Metric = Static<typeof Metric>

export const RawGeometry = Type.Object(
  {
    geometry: Type.Optional(Text()),
    sort: Type.Optional(Text()),
    signedSort: Type.Optional(Text()),
    include: Type.Optional(Type.Array(Text())),
  },
  { $id: 'RawGeometry', additionalProperties: false, 'x-documented': { required: ['geometry'] } },
)
export type RawGeometry = Static<typeof RawGeometry>

export const HitsFetcher = Type.Object(
  { size: Type.Optional(Type.Integer()), include: Type.Optional(Type.Array(Text())) },
  { $id: 'HitsFetcher', additionalProperties: false },
)
export type HitsFetcher = Static<typeof HitsFetcher>

/** Earlier revision of the interface; replaced by raw_geometries and aggregated_geometries. */
export const GeometryFetcher = Type.Object(
  {
    strategy: Type.Optional(
      Type.String({ description: 'byDefault, bbox, centroid, geohash, first or last. Default: byDefault.' }),
    ),
    field: Type.Optional(
      Type.String({ description: 'Field that first and last are ordered by. Default: timestamp_path.' }),
    ),
  },
  {
    $id: 'GeometryFetcher',
    additionalProperties: false,
    deprecated: true,
    description:
      'Adds one `geometry` to each bucket. Use `aggregated_geometries` for bbox, centroid and cells, and ' +
      '`raw_geometries` for the geometry of a document instead.',
  },
)
export type GeometryFetcher = Static<typeof GeometryFetcher>

export const Aggregation = Type.Object(
  {
    type: Type.Optional(Text()),
    field: Type.Optional(Text()),
    interval: Type.Optional(Interval),
    format: Type.Optional(Text()),
    metrics: Type.Optional(Type.Array(Metric)),
    order: Type.Optional(Text()),
    on: Type.Optional(Text()),
    size: Type.Optional(Type.Union([Text(), Type.Integer()])),
    include: Type.Optional(Text()),
    raw_geometries: Type.Optional(Type.Array(RawGeometry)),
    aggregated_geometries: Type.Optional(Type.Array(Text())),
    fetch_hits: Type.Optional(HitsFetcher),
    fetch_geometry: Type.Optional(GeometryFetcher),
  },
  { $id: 'Aggregation', additionalProperties: false, 'x-documented': { required: ['type'] } },
)
export type Aggregation = Static<typeof Aggregation>

export const AggregationsRequest = Type.Object(
  {
    partitionFilter: Type.Optional(Type.Array(Filter)),
    filter: Type.Optional(Filter),
    form: Type.Optional(Form),
    aggregations: Type.Optional(Type.Array(Aggregation)),
  },
  { $id: 'AggregationsRequest', additionalProperties: false, 'x-documented': { required: ['aggregations'] } },
)
export type AggregationsRequest = Static<typeof AggregationsRequest>

export const ComputationRequest = Type.Object(
  {
    partitionFilter: Type.Optional(Type.Array(Filter)),
    filter: Type.Optional(Filter),
    form: Type.Optional(Form),
    field: Type.Optional(Text()),
    metric: Type.Optional(Text()),
  },
  { $id: 'ComputationRequest', additionalProperties: false, 'x-documented': { required: ['field', 'metric'] } },
)
export type ComputationRequest = Static<typeof ComputationRequest>
