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
      'Nodes of the Elasticsearch (7.10 and later) or OpenSearch cluster. When one does not answer, the next is asked.',
  }),
  username: text('Name of the user the cluster knows.'),
  password: text('Password of that user.', { secret: true }),
  apiKey: text('API key as the cluster printed it, or `Bearer` and a token; instead of a user.', { secret: true }),
  caFile: file('Certificates of the authority that signed those of the nodes, when the system does not know it'),
  certFile: file('Certificate by which this server shows who it is'),
  keyFile: file('Key of that certificate'),
  connections: Type.Integer({ minimum: 1, default: 64, description: 'Connections to each node at most.' }),
  compress: Type.Boolean({
    default: false,
    description: 'Whether large bodies travel with gzip, both ways; worth it over a slow network.',
  }),
  timeoutMs: Type.Integer({
    minimum: 1000,
    default: 120_000,
    description: 'Milliseconds one call of the cluster may take that no request bounds, as the batches of a load.',
  }),
  referenceIndex: Type.String({
    pattern: '^[^\\s,*?/\\\\#:"<>|A-Z_+-][^\\s,*?/\\\\#:"<>|A-Z]*$',
    default: '.periplus-collections',
    description:
      'Index of the collection references: one document each, the parameters as they are, under the name of the ' +
      'collection. Made when the first collection is registered.',
  }),
  referenceMs: Type.Integer({
    minimum: 0,
    maximum: 60_000,
    default: 1000,
    description:
      'Milliseconds for which questions go on with a reference that another server may have changed. With 0 it is ' +
      'asked for every time, which costs a call.',
  }),
  prefix: Type.String({
    pattern: '^[a-z0-9][a-z0-9._-]{0,100}$',
    default: 'periplus-',
    description: 'How the names of the indices begin in which tags, subscriptions, events and deliveries are kept.',
  }),
  shards: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1024, description: 'Shards of new indices. Without it the cluster decides.' }),
  ),
  replicas: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 100, description: 'Replicas of new indices. Without it the cluster decides.' }),
  ),
})
