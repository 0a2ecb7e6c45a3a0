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
  aliases: aliases(['/arlas_tagger'], 'Prefixes under which `/write` and `/status` answer too.'),
  log: Type.Object({
    kind: Type.Optional(
      Type.Union([Type.Literal('sqlite'), Type.Literal('index'), Type.Literal('kafka')], {
        description:
          'Where accepted requests are kept: `sqlite` with the embedded engine, `index` or `kafka` with a cluster. ' +
          'Without it `sqlite` or `index`.',
      }),
    ),
    retention: Type.String({
      pattern: '^(forever|[1-9][0-9]{0,8}d)$',
      default: 'forever',
      description: 'How long requests are kept for replays: `forever`, or a number of days as `90d`.',
    }),
  }),
  kafka: Type.Object({
    brokers: brokers('Brokers of the log, as `host:port`.'),
    topic: topic('tagref_log', 'Topic of the log; it must have exactly one partition.'),
  }),
  maxPending: count(10_000, 'Requests of one collection that may wait; beyond it the answer is 429.'),
  walLimit: count(
    128 * MiB,
    'Bytes of the write-ahead file of the embedded engine from which on it is merged before a tag goes on.',
  ),
  batch: Type.Object({
    start: count(10_000, 'Documents of the first batch of a tag.'),
    min: count(100, 'Documents of the smallest batch.'),
    max: count(50_000, 'Documents of the largest batch.'),
    targetMs: count(250, 'Milliseconds of work a batch aims at; it does not become smaller than is worth a commit.'),
  }),
  cluster: Type.Object({
    bulkActions: count(1_000, 'Documents of one bulk request of a tag.'),
    bulkBytes: count(5 * MiB, 'Bytes of one bulk request of a tag.'),
    inFlight: count(4, 'Bulk requests of a tag under way at once.'),
    conflictRetries: count(10, 'Times a document is tried again that others change at the same time.'),
    leaseSeconds: Type.Integer({
      minimum: 3,
      default: 30,
      description: 'Seconds after which another server takes over tags from one that does not show itself.',
    }),
    activeShards: Type.String({
      pattern: '^(all|[1-9][0-9]*)$',
      default: 'all',
      description: 'Copies of the log that must be there when a request is accepted.',
    }),
  }),
})
