import { Type } from 'typebox'
import { Shards, Source } from './index-answers.ts'

/** Responses about the state of indices, in the form Elasticsearch clients expect. */

export const IndexRow = Type.Partial(
  Type.Object({
    health: Type.String(),
    status: Type.String(),
    index: Type.String({ description: 'Name of the index.' }),
    uuid: Type.String(),
    pri: Type.String(),
    rep: Type.String(),
    'docs.count': Type.String({ description: 'Number of documents.' }),
    'docs.deleted': Type.String(),
    'store.size': Type.String({ description: 'Size of the files that only this index has; `-` if unknown.' }),
    'pri.store.size': Type.String(),
  }),
  { $id: 'IndexRow' },
)

export const HealthRow = Type.Partial(
  Type.Object({ epoch: Type.String(), timestamp: Type.String(), cluster: Type.String(), status: Type.String() }),
  { $id: 'HealthRow' },
)

export const ClusterHealth = Type.Object(
  {
    cluster_name: Type.String(),
    status: Type.Enum(['green', 'red']),
    timed_out: Type.Boolean(),
    number_of_nodes: Type.Integer(),
    number_of_data_nodes: Type.Integer(),
    active_primary_shards: Type.Integer({ description: 'The number of indices.' }),
    active_shards: Type.Integer(),
    relocating_shards: Type.Integer(),
    initializing_shards: Type.Integer(),
    unassigned_shards: Type.Integer(),
    delayed_unassigned_shards: Type.Integer(),
    number_of_pending_tasks: Type.Integer(),
    number_of_in_flight_fetch: Type.Integer(),
    task_max_waiting_in_queue_millis: Type.Integer(),
    active_shards_percent_as_number: Type.Number(),
  },
  { $id: 'ClusterHealth', description: 'The health.' },
)

const Figures = Type.Object(
  {
    docs: Type.Object({ count: Type.Integer(), deleted: Type.Integer() }),
    store: Type.Optional(
      Type.Object({ size_in_bytes: Type.Integer({ description: 'Size of the files that only this index has.' }) }),
    ),
  },
  { $id: 'IndexFigures' },
)
const both = { primaries: Figures, total: Figures }

export const IndexStatistics = Type.Object(
  {
    _shards: Shards,
    _all: Type.Object(both),
    indices: Type.Unsafe<object>({
      type: 'object',
      additionalProperties: Type.Object({
        uuid: Type.String(),
        health: Type.String(),
        status: Type.String(),
        ...both,
      }),
    }),
  },
  { $id: 'IndexStatistics', description: 'Number of documents and size, of all and by index.' },
)

export const ManyDocuments = Type.Object(
  {
    docs: Type.Array(
      Type.Object({
        _index: Type.String(),
        _id: Type.String(),
        found: Type.Optional(Type.Boolean()),
        _version: Type.Optional(Type.Integer()),
        _source: Type.Optional(Source),
        error: Type.Optional(Type.Object({ type: Type.String(), reason: Type.String(), index: Type.String() })),
      }),
    ),
  },
  { $id: 'ManyDocuments', description: 'The documents, in the order of the request.' },
)

export const License = Type.Object(
  {
    license: Type.Object({
      status: Type.String(),
      type: Type.String(),
      issued_to: Type.String(),
      issuer: Type.String(),
    }),
  },
  { $id: 'License', description: 'What Elasticsearch clients check before they send anything.' },
)
