import { availableParallelism } from 'node:os'
import { Type } from 'typebox'
import { MOST_FIELDS } from '../model/field-limit.ts'
import { authSettingsSchema } from './auth-settings.ts'
import { clusterSettingsSchema } from './cluster-settings.ts'
import {
  deliverySettingsSchema,
  egressSettingsSchema,
  eventSettingsSchema,
  secretSettingsSchema,
  subscriptionSettingsSchema,
} from './subscription-settings.ts'
import { taggingSettingsSchema } from './tagging-settings.ts'

const MiB = 1024 * 1024
const KiB = 1024

const count = (value: number, description: string) => Type.Integer({ minimum: 1, default: value, description })

/**
 * All settings with default and description. Source of the types, the checks at start-up, `--print-config` and the
 * reference page.
 */
export const settingsSchema = Type.Object({
  server: Type.Object({
    host: Type.String({
      minLength: 1,
      default: '127.0.0.1',
      description: 'Address to listen on; `0.0.0.0` or `::` for every network interface.',
    }),
    port: Type.Integer({ minimum: 0, maximum: 65535, default: 9999, description: 'Port to listen on; 0: a free one.' }),
    publicUrl: Type.Optional(
      Type.String({
        pattern: '^https?://[^\\s?#]+$',
        description:
          'URL under which clients reach the server, any prefix included. Links in answers are made from it; without ' +
          'it, from the request.',
      }),
    ),
    aliases: Type.Array(Type.String({ pattern: '^(/[A-Za-z0-9._~-]+)+$' }), {
      default: ['/arlas'],
      description: 'Prefixes under which collections and explore answer too.',
    }),
    trustedProxies: Type.Array(Type.String({ minLength: 1 }), {
      default: [],
      description: 'Addresses or CIDR ranges of the proxies whose `X-Forwarded-*` headers count.',
    }),
    allowedHosts: Type.Array(Type.String({ pattern: '^[^\\s/?#@\\\\:]+$|^\\[[0-9A-Fa-f:.]+\\]$' }), {
      default: [],
      description:
        'Names, without port, by which clients may call the server beside `localhost`, loopback addresses and the host ' +
        'of `server.publicUrl`; for other `Host` headers the answer is 421. A server that listens on loopback always ' +
        'checks them, others when this list is not empty.',
    }),
    cors: Type.Object({
      enabled: Type.Boolean({ default: true, description: 'Whether browsers may call from pages of other origins.' }),
      origins: Type.Optional(
        Type.Array(Type.String({ pattern: '^(\\*|null|[a-z][a-z0-9+.-]*://[^/\\s]+)$' }), {
          defaultText: 'loopback only; `*` with `apikey` or `jwt`',
          description:
            'Origins that may; `*`: any. Unless callers need a key or token (`auth.modes`), pages of this machine ' +
            '(`localhost`, 127.0.0.0/8, `[::1]`, any port) may too. Changes that browsers send for pages of other ' +
            'origins are refused with 403.',
        }),
      ),
      credentials: Type.Boolean({
        default: false,
        description: 'Whether they may send credentials; the origins must then be named.',
      }),
    }),
  }),
  data: Type.Object({
    directory: Type.String({ minLength: 1, default: './data', description: 'Where indices and collections are kept.' }),
  }),
  engine: Type.Object({
    kind: Type.Union([Type.Literal('embedded'), Type.Literal('cluster')], {
      default: 'embedded',
      description: 'What holds the documents: the engine in this process, or an Elasticsearch or OpenSearch cluster.',
    }),
    memoryMiB: Type.Integer({
      minimum: 64,
      default: 1024,
      description: 'Memory the embedded engine may use, in MiB; its buffers get seven eighths of it.',
    }),
    threads: Type.Integer({
      minimum: 1,
      default: availableParallelism(),
      defaultText: 'number of cores',
      description: 'Threads of the embedded engine.',
    }),
    concurrency: count(
      8,
      'Queries of the embedded engine that may run at once, and as many slow ones beside them; others wait their turn. For more than 8, set ' +
        'the environment variable `UV_THREADPOOL_SIZE` to twice as many plus 8.',
    ),
  }),
  cluster: clusterSettingsSchema,
  cache: Type.Object({
    enabled: Type.Boolean({
      default: true,
      description: 'Whether answers of counts, aggregations, compute and suggest are kept until the index changes.',
    }),
    maxBytes: count(64 * MiB, 'Memory the kept answers may take.'),
  }),
  limits: Type.Object({
    size: count(10_000, 'Largest `size` of a page of hits; without `size` it is 10, or this where this is less.'),
    window: Type.Optional(
      Type.Integer({
        minimum: 1,
        description:
          'Largest `from` + `size`; beyond it pages are followed with `after`. Without it the engine decides: the ' +
          'embedded one has no bound, a cluster 10000. More needs a larger `index.max_result_window` in the cluster.',
      }),
    ),
    vertices: count(5_000, 'Positions one WKT value may have.'),
    filterVertices: count(20_000, 'Positions the WKT values in the filters of one request may have together.'),
    crossings: count(
      2_000,
      'How often the borders of polygons may cross that have to be united, in the filters of one request.',
    ),
    patternLength: count(1_000, 'Characters one `like` pattern may have.'),
    expressions: count(10_000, 'Values, ranges and triplets the filters of one request may have together.'),
    filterCost: count(
      50_000,
      'Work the filters of one request may cause per document, in units of one comparison: a value of a list 1, a range ' +
        '10, a word or prefix of `q` 10 for each text field, a `like` pattern 50, a fuzzy word 100.',
    ),
    fields: count(
      MOST_FIELDS,
      'Fields one index may have, objects included. A mapping with more is refused; what documents bring beyond it is ' +
        'stored and answered, and is no field. While documents come, each takes about half a MiB of `engine.memoryMiB`.',
    ),
    bodyBytes: count(16 * MiB, 'Largest request body, after decompression.'),
    exploreBytes: count(2 * MiB, 'Largest body of an exploration request, after decompression.'),
    bulkBytes: count(128 * MiB, 'Largest body of a bulk load, after decompression.'),
    jsonNodes: count(100_000, 'Values and keys the JSON of one request body may have; bulk loads are not counted.'),
    discardBytes: count(
      256 * MiB,
      'Bytes of a body that are read and discarded after a request was refused, so that clients that send everything ' +
        'before they read get the answer.',
    ),
    discardMs: count(10_000, 'Milliseconds such a client may take to send them.'),
    urlBytes: count(64 * KiB, 'Longest request URL.'),
    headerBytes: count(64 * KiB, 'Largest total of the request headers.'),
    timeMs: count(30_000, 'Milliseconds a request may keep the engine busy.'),
    buckets: count(
      65_535,
      'Buckets of one answer, all levels together and empty ones included; also the largest `size` of an aggregation.',
    ),
    aggregationDepth: count(5, 'Aggregations of one request, each nested in the one before.'),
    geotileDepth: Type.Integer({
      minimum: 0,
      maximum: 29,
      default: 6,
      description:
        'Largest interval of a geotile aggregation minus the zoom of the tile it is asked for. Dashboards at their ' +
        'finest setting need 7 or 8.',
    }),
    fetchHits: count(100, 'Largest n of `fetch_hits`.'),
    bucketHits: count(100_000, 'Documents fetched for the buckets of one answer: buckets times n of `fetch_hits`.'),
    shapefileColumns: count(255, 'Columns of one shapefile.'),
    scan: count(
      100_000,
      'Documents read at most to compute what a cluster cannot: H3 cells, centroids of shapes, some filters. For more ' +
        'of them the answer is 501. The embedded engine computes everything itself.',
    ),
    exactDistinct: count(100_000, 'Distinct values up to which `cardinality` is exact.'),
    requestsPerMinute: Type.Optional(
      Type.Integer({
        minimum: 1,
        description:
          'Requests one caller may send in a minute, as many at once at most; callers without identity are told apart ' +
          'by their address. Beyond it the answer is 429. Without it there is no such limit.',
      }),
    ),
    concurrentRequests: count(
      256,
      'Requests of one caller that may be served at once; beyond it the answer is 429. A dashboard sends some 30, and a ' +
        'browser 6 over HTTP/1.1; callers behind one address share it, unless they show who they are.',
    ),
  }),
  auth: authSettingsSchema,
  access: Type.Object({
    checkOrganisations: Type.Boolean({
      default: true,
      description: 'Whether the organisations of a caller decide which collections it may see and change.',
    }),
  }),
  client: Type.Object({
    token: Type.Optional(
      Type.String({
        minLength: 1,
        secret: true,
        description: 'Key or token by which commands show a running server who they are.',
      }),
    ),
  }),
  tagging: taggingSettingsSchema,
  subscriptions: subscriptionSettingsSchema,
  events: eventSettingsSchema,
  delivery: deliverySettingsSchema,
  egress: egressSettingsSchema,
  secrets: secretSettingsSchema,
  explorer: Type.Object({
    basemapUrl: Type.Optional(
      Type.String({
        pattern: '^https?://[^\\s"<>?#]*\\{z\\}[^\\s"<>#]*$',
        description:
          'Picture tiles to draw under the documents of the explorer, as `https://tiles.example.org/{z}/{x}/{y}.png`. ' +
          'Browsers fetch them. Without it the outlines of countries that come with the page.',
      }),
    ),
    basemapAttribution: Type.Optional(
      Type.String({ minLength: 1, description: 'Whose tiles they are; shown in a corner of the map.' }),
    ),
  }),
  tiles: Type.Object({
    maxCandidates: count(50, 'Largest `size` of a tile composed of upstream images.'),
    maxElements: count(10_000, 'Elements on one drawn tile or vector tile, and largest `size` of one.'),
    color: Type.String({
      pattern: '^#[0-9A-Fa-f]{6}$',
      default: '#1f6feb',
      description: 'Colour of the elements drawn on tiles.',
    }),
    upstreamHosts: Type.Array(Type.String({ minLength: 1 }), {
      default: [],
      description:
        'Hosts whose images tiles may be composed of, as `host` or `host:port`. Nothing is fetched from any other host.',
    }),
    upstreamTimeoutMs: count(10_000, 'Milliseconds one upstream image may take.'),
    upstreamMaxBytes: count(10 * MiB, 'Largest upstream image.'),
    upstreamCacheBytes: Type.Integer({
      minimum: 0,
      default: 64 * MiB,
      description: 'Memory for upstream images that may be asked for again; 0: none is kept.',
    }),
  }),
  inspire: Type.Object({
    required: Type.Boolean({
      default: false,
      description: 'Whether collections must carry the metadata the INSPIRE directive requires.',
    }),
  }),
  log: Type.Object({
    level: Type.Union(
      [
        Type.Literal('fatal'),
        Type.Literal('error'),
        Type.Literal('warn'),
        Type.Literal('info'),
        Type.Literal('debug'),
        Type.Literal('trace'),
        Type.Literal('silent'),
      ],
      { default: 'info', description: 'Least serious messages to log; at `info` every request is one line.' },
    ),
    audit: Type.Boolean({
      default: true,
      description: 'Whether every request that changes something is one line too, whatever the level; not at `silent`.',
    }),
  }),
})
