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
import { tlsSettingsSchema } from './tls-settings.ts'

const MiB = 1024 * 1024
const KiB = 1024
const GiB = 1024 * MiB

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
      description: 'Address to listen on. `0.0.0.0` or `::`: all network interfaces.',
    }),
    port: Type.Integer({
      minimum: 0,
      maximum: 65535,
      default: 9999,
      description: 'Port to listen on. 0: any free port.',
    }),
    publicUrl: Type.Optional(
      Type.String({
        pattern: '^https?://[^\\s?#]+$',
        description:
          'Public URL of the server, including any path prefix. Base of the links in responses. If not set, links ' +
          'are built from the request.',
      }),
    ),
    aliases: Type.Array(Type.String({ pattern: '^(/[A-Za-z0-9._~-]+)+$' }), {
      default: ['/arlas'],
      description: 'Additional path prefixes of the collections and explore APIs.',
    }),
    trustedProxies: Type.Array(Type.String({ minLength: 1 }), {
      default: [],
      description: 'Addresses or CIDR ranges of proxies whose `X-Forwarded-*` headers are trusted.',
    }),
    allowedHosts: Type.Array(Type.String({ pattern: '^[^\\s/?#@\\\\:]+$|^\\[[0-9A-Fa-f:.]+\\]$' }), {
      default: [],
      description:
        'Host names, without port, accepted in the `Host` header in addition to `localhost`, loopback addresses and ' +
        'the host of `server.publicUrl`. Requests with other hosts are rejected with 421. Checked if the server ' +
        'listens on loopback or this list is not empty.',
    }),
    cors: Type.Object({
      enabled: Type.Boolean({ default: true, description: 'Allow cross-origin requests from browsers.' }),
      origins: Type.Optional(
        Type.Array(Type.String({ pattern: '^(\\*|null|[a-z][a-z0-9+.-]*://[^/\\s]+)$' }), {
          defaultText: 'loopback only; `*` with `apikey` or `jwt`',
          description:
            'Allowed origins. `*`: any origin. Loopback origins (`localhost`, 127.0.0.0/8, `[::1]`, any port) are ' +
            'also allowed unless `auth.modes` requires a key or token. Write requests from browser pages of other ' +
            'origins are rejected with 403.',
        }),
      ),
      credentials: Type.Boolean({
        default: false,
        description: 'Allow cross-origin requests with credentials. Requires explicit origins, not `*`.',
      }),
    }),
  }),
  tls: tlsSettingsSchema,
  data: Type.Object({
    directory: Type.String({
      minLength: 1,
      default: './data',
      description: 'Directory where indices and collections are stored.',
    }),
  }),
  engine: Type.Object({
    kind: Type.Union([Type.Literal('embedded'), Type.Literal('cluster')], {
      default: 'embedded',
      description:
        'Storage of the documents: the embedded engine in this process, or an Elasticsearch or OpenSearch cluster.',
    }),
    memoryMiB: Type.Integer({
      minimum: 64,
      default: 1536,
      description:
        'MiB. Memory of the embedded engine: a third for the buffers of the database, two thirds for columns of ' +
        'segments, which are read from disk when a request needs them. The process takes some hundred MiB more.',
    }),
    threads: Type.Integer({
      minimum: 1,
      default: availableParallelism(),
      defaultText: 'number of cores',
      description: 'Number of threads of the embedded engine.',
    }),
    concurrency: count(
      8,
      'Maximum number of concurrent queries of the embedded engine, plus the same number of slow queries. Further ' +
        'queries are queued. For values above 8, set the environment variable `UV_THREADPOOL_SIZE` to twice the ' +
        'value plus 8.',
    ),
  }),
  cluster: clusterSettingsSchema,
  cache: Type.Object({
    enabled: Type.Boolean({
      default: true,
      description: 'Cache responses of count, aggregation, compute and suggest requests until the index changes.',
    }),
    maxBytes: count(64 * MiB, 'Bytes. Maximum memory of the response cache.'),
  }),
  limits: Type.Object({
    size: count(
      10_000,
      'Maximum `size` of a page of hits. If a request has no `size`, it is 10 or this limit, whichever is lower.',
    ),
    window: Type.Optional(
      Type.Integer({
        minimum: 1,
        description:
          'Maximum `from` + `size`. Use `after` to page further. If not set, the engine decides: unlimited with the ' +
          'embedded engine, 10000 with a cluster. Higher values require a higher `index.max_result_window` in the ' +
          'cluster.',
      }),
    ),
    vertices: count(5_000, 'Maximum number of positions in one WKT value.'),
    filterVertices: count(20_000, 'Maximum total number of positions in the WKT values of the filters of one request.'),
    crossings: count(
      2_000,
      'Maximum number of border crossings between polygons that have to be merged, in the filters of one request.',
    ),
    patternLength: count(1_000, 'Maximum number of characters in one `like` pattern.'),
    expressions: count(10_000, 'Maximum total number of values, ranges and triplets in the filters of one request.'),
    ogcItems: count(
      10_000,
      'Maximum `limit` of a page of OGC API features or STAC items. A higher `limit` gives pages of this size.',
    ),
    stacAggregations: count(
      50,
      'Maximum number of aggregations in one STAC request, and of aggregations and filters in one search of `/index`.',
    ),
    stacBuckets: count(
      10_000,
      'Maximum number of grid cells or times of a STAC aggregation. `overflow` counts the items of the others.',
    ),
    stacTerms: count(
      100,
      'Maximum number of terms of a STAC aggregation. `overflow` counts the items of the others. From each of several ' +
        'collections, ten times as many are read.',
    ),
    stacSummaryFields: count(16, 'Maximum number of keyword fields considered for the summaries of a STAC collection.'),
    stacSummaryTerms: count(20, 'Maximum number of terms of a field in the summaries of a STAC collection.'),
    filterDepth: count(100, 'Maximum nesting of brackets, functions and NOT in a CQL2 filter.'),
    queryLength: count(
      32_000,
      "Maximum number of characters of the words of a query in Elasticsearch's language, such as `query_string`.",
    ),
    filterCost: count(
      50_000,
      'Maximum cost of the filters of one request per document, in units of one comparison: 1 per list value, 10 per ' +
        'range, 10 per word or prefix of `q` and text field, 50 per `like` pattern, 100 per fuzzy word.',
    ),
    fields: count(
      MOST_FIELDS,
      'Maximum number of fields per index, including objects. Mappings with more fields are rejected. Additional ' +
        'properties of documents are stored and returned, but do not become fields. During loading, each field takes ' +
        'about 0.5 MiB of `engine.memoryMiB`.',
    ),
    bodyBytes: count(16 * MiB, 'Bytes. Maximum size of a request body after decompression.'),
    exploreBytes: count(2 * MiB, 'Bytes. Maximum size of the body of an explore request after decompression.'),
    bulkBytes: count(128 * MiB, 'Bytes. Maximum size of the body of a bulk request after decompression.'),
    loadBytes: count(2 * GiB, 'Bytes. Maximum size of a file uploaded to `/load`.'),
    loadUnpackedBytes: count(
      8 * GiB,
      'Bytes. Maximum size of an uploaded file after decompression, and of the files of an uploaded archive.',
    ),
    loads: count(2, 'Maximum number of concurrent uploads to `/load`. Further ones are rejected with 429.'),
    loadMemoryMiB: Type.Integer({
      minimum: 64,
      default: 1024,
      description: 'MiB. Maximum memory of the thread that reads an uploaded file.',
    }),
    jsonNodes: count(
      100_000,
      'Maximum number of values and keys in one JSON request body. Does not apply to bulk requests.',
    ),
    discardBytes: count(
      256 * MiB,
      'Bytes. Maximum amount of the remaining body that is read and discarded after a request was rejected, so that ' +
        'clients that send the whole body before reading receive the response.',
    ),
    discardMs: count(10_000, 'Milliseconds. Maximum time for reading and discarding the body of a rejected request.'),
    arrivalMs: count(
      300_000,
      'Milliseconds. Maximum time for receiving a request with its body. Over HTTP/1.1 it is checked every half minute.',
    ),
    urlBytes: count(64 * KiB, 'Bytes. Maximum length of a request URL.'),
    headerBytes: count(64 * KiB, 'Bytes. Maximum total size of the request headers.'),
    timeMs: count(30_000, 'Milliseconds. Maximum execution time of a request in the engine.'),
    liveStreams: count(
      100,
      'Maximum number of open `_live` streams. Further ones are rejected with 429. An open stream is also one of the ' +
        'concurrent requests of its caller.',
    ),
    liveMs: count(
      600_000,
      'Milliseconds. Maximum duration of a `_live` stream. Clients connect again, and their permissions are checked again.',
    ),
    buckets: count(
      65_535,
      'Maximum number of buckets in one response, over all levels, including empty buckets. Also the maximum `size` ' +
        'of an aggregation.',
    ),
    aggregationDepth: count(5, 'Maximum number of nested aggregations in one request.'),
    geotileDepth: Type.Integer({
      minimum: 0,
      maximum: 29,
      default: 6,
      description:
        'Maximum difference between the interval of a geotile aggregation and the zoom of the requested tile. ' +
        'Dashboards at their finest setting need 7 or 8.',
    }),
    fetchHits: count(100, 'Maximum n of `fetch_hits`.'),
    bucketHits: count(
      100_000,
      'Maximum number of documents fetched for the buckets of one response: number of buckets times n of `fetch_hits`.',
    ),
    shapefileColumns: count(255, 'Maximum number of columns in a shapefile.'),
    scan: count(
      100_000,
      'Maximum number of documents read to compute what a cluster cannot: H3 cells, centroids of shapes, some ' +
        'filters. Requests that exceed it are rejected with 501. Does not apply to the embedded engine, which ' +
        'computes everything itself.',
    ),
    exactDistinct: count(100_000, 'Maximum number of distinct values for which `cardinality` is exact.'),
    requestsPerMinute: Type.Optional(
      Type.Integer({
        minimum: 1,
        description:
          'Maximum number of requests per minute and caller, also the maximum burst. Anonymous callers are ' +
          'identified by their address. Further requests are rejected with 429. If not set, the rate is not limited.',
      }),
    ),
    concurrentRequests: count(
      256,
      'Maximum number of concurrent requests per caller. Further requests are rejected with 429. A dashboard sends ' +
        'about 30, a browser 6 over HTTP/1.1. Anonymous callers behind the same address share the limit.',
    ),
  }),
  auth: authSettingsSchema,
  access: Type.Object({
    checkOrganisations: Type.Boolean({
      default: true,
      description: 'Restrict the collections a caller can read and change according to its organisations.',
    }),
  }),
  client: Type.Object({
    token: Type.Optional(
      Type.String({
        minLength: 1,
        secret: true,
        description: 'API key or token that CLI commands send to a running server.',
      }),
    ),
    caFile: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          'CA certificates of the server that CLI commands send requests to, if the system does not trust their CA, as ' +
          'a PEM file.',
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
          'URL template of the raster tiles of the explorer basemap, for example ' +
          '`https://tiles.example.org/{z}/{x}/{y}.png`. The tiles are fetched by the browser. If not set, built-in ' +
          'country outlines are shown.',
      }),
    ),
    basemapAttribution: Type.Optional(
      Type.String({ minLength: 1, description: 'Attribution of the basemap tiles, shown in a corner of the map.' }),
    ),
  }),
  tiles: Type.Object({
    maxCandidates: count(50, 'Maximum `size` of a tile composed of upstream images.'),
    maxElements: count(
      10_000,
      'Maximum number of elements on one rendered tile or vector tile, and maximum `size` of its request.',
    ),
    color: Type.String({
      pattern: '^#[0-9A-Fa-f]{6}$',
      default: '#1f6feb',
      description: 'Colour of the elements on rendered tiles.',
    }),
    upstreamHosts: Type.Array(Type.String({ minLength: 1 }), {
      default: [],
      description:
        'Hosts from which images for composed tiles may be fetched, as `host` or `host:port`. Nothing is fetched ' +
        'from other hosts.',
    }),
    upstreamTimeoutMs: count(10_000, 'Milliseconds. Timeout for fetching one upstream image.'),
    upstreamMaxBytes: count(10 * MiB, 'Bytes. Maximum size of an upstream image.'),
    upstreamCacheBytes: Type.Integer({
      minimum: 0,
      default: 64 * MiB,
      description: 'Bytes. Maximum memory of the upstream image cache. 0: no cache.',
    }),
  }),
  inspire: Type.Object({
    required: Type.Boolean({
      default: false,
      description: 'Require the metadata of the INSPIRE directive for collections.',
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
      {
        default: 'info',
        description: 'Minimum level of logged messages. At `info`, each request is logged in one line.',
      },
    ),
    audit: Type.Boolean({
      default: true,
      description: 'Log each write request in one audit line, at every level except `silent`.',
    }),
    slowMs: Type.Integer({
      default: 1_000,
      minimum: 0,
      description:
        'Duration from which a request is also logged as slow, at level `warn`, with what was asked of the engine and how ' +
        'it answered. 0: never. Milliseconds.',
    }),
  }),
})
