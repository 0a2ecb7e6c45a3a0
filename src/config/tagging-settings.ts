import { Type } from 'typebox'

const MiB = 1024 * 1024

const count = (value: number, description: string) => Type.Integer({ minimum: 1, default: value, description })

export const aliases = (value: readonly string[], description: string) =>
  Type.Array(Type.String({ pattern: '^(/[A-Za-z0-9._~-]+)+$' }), { default: value, description })

export const brokers = (description: string) =>
  Type.Array(Type.String({ pattern: '^[^\\s:/]+:[0-9]{1,5}$|^\\[[0-9A-Fa-f:.]+\\]:[0-9]{1,5}$' }), {
    default: [],
    description,
  })

export const topic = (value: string, description: string) =>
  Type.String({ pattern: '^[A-Za-z0-9._-]{1,249}$', default: value, description })

/** Settings of tagging: the log of requests and their execution. */
export const taggingSettingsSchema = Type.Object({
  aliases: aliases(['/arlas_tagger'], 'Additional path prefixes of `/write` and `/status`.'),
  log: Type.Object({
    kind: Type.Optional(
      Type.Union([Type.Literal('sqlite'), Type.Literal('index'), Type.Literal('kafka')], {
        description:
          'Storage of accepted requests: `sqlite` with the embedded engine, `index` or `kafka` with a cluster. If ' +
          'not set: `sqlite` with the embedded engine, `index` with a cluster.',
      }),
    ),
    retention: Type.String({
      pattern: '^(forever|[1-9][0-9]{0,8}d)$',
      default: 'forever',
      description: 'Retention of requests for replays: `forever` or a number of days, for example `90d`.',
    }),
  }),
  kafka: Type.Object({
    brokers: brokers('Kafka brokers of the request log, as `host:port`.'),
    topic: topic('tagref_log', 'Topic of the request log. Must have exactly one partition.'),
  }),
  maxPending: count(
    10_000,
    'Maximum number of pending requests per collection. Further requests are rejected with 429.',
  ),
  walLimit: count(
    128 * MiB,
    'Bytes. Size of the write-ahead log of the embedded engine above which a checkpoint is made before tagging ' +
      'continues.',
  ),
  batch: Type.Object({
    start: count(10_000, 'Number of documents in the first batch of a tag request.'),
    min: count(100, 'Minimum number of documents per batch.'),
    max: count(50_000, 'Maximum number of documents per batch.'),
    targetMs: count(
      250,
      'Milliseconds. Target duration of a batch. Batches are not shrunk below the size that justifies a commit.',
    ),
  }),
  cluster: Type.Object({
    bulkActions: count(1_000, 'Maximum number of documents per bulk request of a tag request.'),
    bulkBytes: count(5 * MiB, 'Bytes. Maximum size of a bulk request of a tag request.'),
    inFlight: count(4, 'Maximum number of concurrent bulk requests of a tag request.'),
    conflictRetries: count(
      10,
      'Maximum number of retries for a document after version conflicts with concurrent changes.',
    ),
    leaseSeconds: Type.Integer({
      minimum: 3,
      default: 30,
      description:
        'Seconds. Lease duration after which another server takes over the tag requests of an unresponsive one.',
    }),
    activeShards: Type.String({
      pattern: '^(all|[1-9][0-9]*)$',
      default: 'all',
      description: 'Number of active shard copies of the log required to accept a request, or `all`.',
    }),
  }),
})
