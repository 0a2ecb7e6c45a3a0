import { type Static, Type } from 'typebox'
import type { Geometry } from '../geometry.ts'
import type { JsonObject } from '../json/document.ts'
import { Feature, FeatureCollection, GeoJsonGeometry } from './responses.ts'

export const AggregationMetric = Type.Object(
  {
    type: Type.String({ description: 'Name of the function, in lower case.' }),
    field: Type.String({ description: 'Path of the field, with `_` instead of dots.' }),
    value: Type.Optional(Type.Union([Type.Number(), FeatureCollection])),
  },
  { $id: 'AggregationMetric' },
)
export type AggregationMetric = Static<typeof AggregationMetric>

export const BucketGeometry = Type.Object(
  {
    reference: Type.String({ description: 'Name of the aggregated geometry, or path of the raw geometry.' }),
    geometry: GeoJsonGeometry,
    sort: Type.Optional(Type.String({ description: 'For raw geometries: the sort that selected the document.' })),
    is_raw: Type.Boolean(),
  },
  { $id: 'BucketGeometry' },
)
export type BucketGeometry = Static<typeof BucketGeometry>

/** Key of a grid bucket: the centre of its cell. */
export const CellKey = Type.Object({ lat: Type.Number(), lon: Type.Number() })
export type CellKey = Static<typeof CellKey>

const FlatMap = Type.Unsafe<Readonly<Record<string, unknown>>>({ type: 'object', additionalProperties: true })
const Source = Type.Unsafe<JsonObject>({ type: 'object', additionalProperties: true })

/** One bucket of a response. */
export interface AggregationBucket {
  readonly count: number
  readonly key: string | number | CellKey
  readonly key_as_string?: string
  /** The nested aggregation: exactly one entry. */
  readonly elements?: readonly [NestedAggregation]
  readonly metrics?: readonly AggregationMetric[]
  readonly hits?: readonly JsonObject[]
  readonly geometries?: readonly BucketGeometry[]
  /** Result of fetch_geometry; null if no document has a geometry. */
  readonly geometry?: Geometry | null
  readonly flattened_elements?: Readonly<Record<string, unknown>>
}

export interface NestedAggregation {
  readonly name: string
  readonly sumotherdoccounts?: number
  readonly elements: readonly AggregationBucket[]
}

export interface AggregationAnswer extends NestedAggregation {
  readonly query_time: number
  readonly total_time: number
  readonly totalnb: number
}

const AnyElement = Type.Unsafe<AggregationBucket>({
  type: 'object',
  description: 'A bucket: count, key, key_as_string, and, if requested, metrics, hits, geometries and elements.',
  properties: {
    count: { type: 'integer' },
    key: {},
    key_as_string: { type: 'string' },
    metrics: { type: 'array', items: AggregationMetric },
    hits: { type: 'array', items: Source },
    geometries: { type: 'array', items: BucketGeometry },
    geometry: {
      anyOf: [GeoJsonGeometry, { type: 'null' }],
      deprecated: true,
      description: 'Result of fetch_geometry. null if no document has a geometry. Use `geometries` instead.',
    },
    elements: { type: 'array', items: { type: 'object', additionalProperties: true } },
    flattened_elements: FlatMap,
  },
})

export const AggregationResponse = Type.Object(
  {
    query_time: Type.Integer({ description: 'Time in the engine, in milliseconds.' }),
    total_time: Type.Integer({ description: 'Time in the server, in milliseconds.' }),
    totalnb: Type.Integer({ description: 'Number of documents that match the filter.' }),
    name: Type.String(),
    sumotherdoccounts: Type.Optional(
      Type.Integer({ description: 'For terms: number of documents in the buckets omitted because of size.' }),
    ),
    elements: Type.Array(AnyElement),
  },
  { $id: 'AggregationResponse' },
)

/** One geometry of a bucket; only the one of fetch_geometry can be null. */
export const BucketFeature = Type.Object(
  {
    ...Feature.properties,
    geometry: Type.Union([GeoJsonGeometry, Type.Null()]),
    properties: Type.Unsafe<Readonly<Record<string, unknown>>>({
      type: 'object',
      additionalProperties: true,
      description: 'Count, key and metrics of the bucket, `feature_type`, and properties of the geometry.',
    }),
  },
  { $id: 'BucketFeature' },
)
export type BucketFeature = Static<typeof BucketFeature>

export const BucketFeatures = Type.Object(
  { type: Type.Literal('FeatureCollection'), features: Type.Array(BucketFeature) },
  { $id: 'BucketFeatures' },
)
export type BucketFeatures = Static<typeof BucketFeatures>

export const ComputationResponse = Type.Object(
  {
    query_time: Type.Integer(),
    total_time: Type.Integer(),
    totalnb: Type.Integer({ description: 'Number of matching documents that have the field.' }),
    field: Type.String(),
    metric: Type.String(),
    value: Type.Optional(Type.Number()),
    geometry: Type.Optional(GeoJsonGeometry),
  },
  { $id: 'ComputationResponse' },
)
export type ComputationResponse = Static<typeof ComputationResponse>

export const SuggestResponse = Type.Object(
  {
    suggestions: Type.Array(
      Type.Object({
        field: Type.String(),
        text: Type.String(),
        count: Type.Integer({ description: 'Number of documents that have the term.' }),
        collection: Type.String(),
      }),
    ),
  },
  { $id: 'SuggestResponse' },
)
export type SuggestResponse = Static<typeof SuggestResponse>
