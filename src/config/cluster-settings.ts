import { Type } from 'typebox'

const text = (description: string, options = {}) =>
  Type.Optional(Type.String({ minLength: 1, description, ...options }))

const file = (description: string) => text(`${description}, as a PEM file.`)

/** Settings of an Elasticsearch or OpenSearch cluster; used if `engine.kind` is `cluster`. */
export const clusterSettingsSchema = Type.Object({
  urls: Type.Array(Type.String({ pattern: '^https?://[^\\s?#]+$' }), {
    minItems: 1,
    address: true,
    default: ['http://127.0.0.1:9200'],
    description:
      'URLs of the nodes of the Elasticsearch (7.10 or later) or OpenSearch cluster. If a node does not respond, the ' +
      'next one is used.',
  }),
  username: text('User name for the cluster.'),
  password: text('Password for the cluster.', { secret: true }),
  apiKey: text('API key as returned by the cluster, or `Bearer` and a token. Alternative to user name and password.', {
    secret: true,
  }),
  caFile: file('CA certificates for the nodes, if the system does not trust their CA'),
  certFile: file('Client certificate of this server'),
  keyFile: file('Private key of the client certificate'),
  connections: Type.Integer({ minimum: 1, default: 64, description: 'Maximum number of connections per node.' }),
  compress: Type.Boolean({
    default: false,
    description: 'Compress large request and response bodies with gzip. Useful on slow networks.',
  }),
  timeoutMs: Type.Integer({
    minimum: 1000,
    default: 120_000,
    description:
      'Milliseconds. Timeout of cluster calls that are not limited by a client request, such as the batches of a load.',
  }),
  referenceIndex: Type.String({
    pattern: '^[^\\s,*?/\\\\#:"<>|A-Z_+-][^\\s,*?/\\\\#:"<>|A-Z]*$',
    default: '.periplus-collections',
    description:
      'Index of the collection references. Contains one document per collection, with the collection name as id and ' +
      'the unmodified parameters as source. Created when the first collection is registered.',
  }),
  referenceMs: Type.Integer({
    minimum: 0,
    maximum: 60_000,
    default: 1000,
    description:
      'Milliseconds. How long queries use a cached collection reference, which another server may have changed. 0: ' +
      'no cache, one additional cluster call per query.',
  }),
  prefix: Type.String({
    pattern: '^[a-z0-9][a-z0-9._-]{0,100}$',
    default: 'periplus-',
    description: 'Name prefix of the indices that store tags, subscriptions, events and deliveries.',
  }),
  shards: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1024,
      description: 'Number of shards of new indices. If not set, the default of the cluster applies.',
    }),
  ),
  replicas: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 100,
      description: 'Number of replicas of new indices. If not set, the default of the cluster applies.',
    }),
  ),
})
