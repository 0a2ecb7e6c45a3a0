import { type TObjectOptions, type TSchema, Type } from 'typebox'
import { foreignTypes, mappingTypes } from '../mapping.ts'

/** Responses of the index routes, in the form Elasticsearch clients expect. */

const open = { additionalProperties: true }

const Notes = Type.Optional(
  Type.Array(Type.String(), { description: 'Parts of the mapping that were ignored or stored differently.' }),
)

export const Acknowledged = Type.Object(
  { acknowledged: Type.Literal(true), notes: Notes },
  { $id: 'Acknowledged', description: 'The operation succeeded.' },
)

export const IndexCreated = Type.Object(
  { acknowledged: Type.Literal(true), shards_acknowledged: Type.Literal(true), index: Type.String(), notes: Notes },
  { $id: 'IndexCreated', description: 'The index was created.' },
)

export const ServerBanner = Type.Object(
  {
    name: Type.String(),
    cluster_name: Type.String(),
    cluster_uuid: Type.String(),
    version: Type.Object({
      number: Type.String({ description: 'Supported version of the Elasticsearch API.' }),
      build_flavor: Type.String(),
      build_type: Type.String(),
      build_hash: Type.String(),
      build_date: Type.String(),
      build_snapshot: Type.Boolean(),
      lucene_version: Type.String(),
      minimum_wire_compatibility_version: Type.String(),
      minimum_index_compatibility_version: Type.String(),
      periplus: Type.String({ description: 'Version of the server.' }),
    }),
    tagline: Type.String(),
  },
  { $id: 'ServerBanner', description: 'Name and version, as checked by Elasticsearch clients.' },
)

/** The schema is recursive, so it is referenced by its location in the OpenAPI document. */
const fieldReference = { $ref: '#/components/schemas/MappingField' }

export const MappingField = Type.Unsafe<object>({
  $id: 'MappingField',
  type: 'object',
  description: 'A field of a mapping, with its sub-fields.',
  properties: {
    type: { type: 'string', enum: [...mappingTypes, ...foreignTypes] },
    properties: { type: 'object', additionalProperties: fieldReference },
    format: { type: 'string', description: 'Date formats, separated by `||`.' },
    index: { type: 'boolean', description: 'false: stored and returned, but not searchable.' },
    enabled: { type: 'boolean', description: 'false on an object: its keys are not fields.' },
    dynamic: { enum: [true, false, 'strict'] },
    copy_to: { type: 'array', items: { type: 'string' } },
    fields: { type: 'object', additionalProperties: fieldReference },
  },
})

const mappings = Type.Object(
  {
    dynamic: Type.Optional(Type.Unsafe<boolean | 'strict'>({ enum: [true, false, 'strict'] })),
    properties: Type.Unsafe<object>({ type: 'object', additionalProperties: MappingField }),
  },
  { $id: 'Mapping' },
)

const settings = Type.Object(
  {
    index: Type.Object({
      uuid: Type.String(),
      provided_name: Type.String(),
      number_of_shards: Type.String(),
      number_of_replicas: Type.String(),
    }),
  },
  { $id: 'IndexSettings' },
)

/** A map from index names to `of`. */
const byIndex = (of: TSchema, description: string) =>
  Type.Unsafe<object>({ type: 'object', description, additionalProperties: of })

export const Mappings = byIndex(Type.Object({ mappings }), 'The mappings, by index.')
export const IndexSettings = byIndex(Type.Object({ settings }), 'The settings, by index.')
export const Indices = byIndex(
  Type.Object({ aliases: Type.Object({}), mappings, settings }),
  'Mapping and settings, by index.',
)

const shards = { total: Type.Integer(), successful: Type.Integer(), failed: Type.Integer() }
export const Shards = Type.Object(shards, { $id: 'Shards' })

/** An object whose members may be left out by `filter_path`. */
const filtered = (members: Readonly<Record<string, TSchema>>, options: TObjectOptions = {}) =>
  Type.Object(Object.fromEntries(Object.entries(members).map(([name, of]) => [name, Type.Optional(of)])), options)

const ReadShards = filtered({ ...shards, skipped: Type.Integer() }, { $id: 'ReadShards' })

export const Refreshed = Type.Object({ _shards: Shards }, { $id: 'Refreshed', description: 'The operation succeeded.' })

export const IndexCount = filtered(
  { count: Type.Integer(), _shards: ReadShards },
  { $id: 'IndexCount', description: 'The number of documents.' },
)

export const Source = Type.Unsafe<object>({ type: 'object', ...open, description: 'The document as it was stored.' })

export const IndexHits = filtered(
  {
    took: Type.Integer({ description: 'Milliseconds.' }),
    timed_out: Type.Boolean(),
    _shards: ReadShards,
    hits: filtered({
      total: Type.Union([
        filtered({ value: Type.Integer(), relation: Type.Literal('eq') }),
        Type.Integer({ description: 'With `rest_total_hits_as_int`.' }),
      ]),
      max_score: Type.Union([Type.Number(), Type.Null()]),
      hits: Type.Array(
        filtered({
          _index: Type.String(),
          _id: Type.String(),
          _version: Type.Integer(),
          _score: Type.Union([Type.Number(), Type.Null()]),
          _source: Source,
          fields: Type.Unsafe<object>({ type: 'object', ...open, description: 'Values by path.' }),
          sort: Type.Array(Type.Unknown(), { description: 'For `search_after`.' }),
        }),
      ),
    }),
    aggregations: Type.Unsafe<object>({ type: 'object', ...open, description: 'By name.' }),
  },
  { $id: 'IndexHits', description: 'The documents found, with their number.' },
)

export const StoredDocument = Type.Object(
  {
    _index: Type.String(),
    _id: Type.String(),
    _version: Type.Integer(),
    found: Type.Literal(true),
    _source: Source,
  },
  { $id: 'StoredDocument', description: 'The document.' },
)

const written = {
  _index: Type.String(),
  _version: Type.Integer(),
  result: Type.Enum(['created', 'updated', 'deleted', 'noop', 'not_found']),
  _shards: Shards,
  _seq_no: Type.Integer(),
  _primary_term: Type.Integer(),
}

export const WrittenDocument = Type.Object(
  { ...written, _id: Type.String() },
  { $id: 'WrittenDocument', description: 'The result of the write.' },
)

const BulkItem = Type.Object(
  {
    ...Type.Partial(Type.Object(written)).properties,
    _index: Type.String(),
    _id: Type.Union([Type.String(), Type.Null()]),
    status: Type.Integer({ description: 'HTTP status of this operation.' }),
    error: Type.Optional(Type.Object({ type: Type.String(), reason: Type.String() })),
  },
  { $id: 'BulkItem' },
)

export const BulkAnswer = Type.Object(
  {
    took: Type.Integer({ description: 'Milliseconds.' }),
    errors: Type.Boolean({ description: 'Whether any operation failed.' }),
    items: Type.Array(
      Type.Unsafe<object>({
        type: 'object',
        description: 'The action with its result.',
        minProperties: 1,
        maxProperties: 1,
        additionalProperties: BulkItem,
      }),
    ),
  },
  { $id: 'BulkAnswer', description: 'The results of all operations, in their order.' },
)
