import { type ClusterClient, ClusterFailure, ClusterRefusal } from '../../../cluster-client/cluster-client.ts'
import { problem } from '../../../errors.ts'

/** Differences between cluster families and versions, probed on first use. */
export interface Dialect {
  readonly family: 'opensearch' | 'elasticsearch'
  /** As printed by the cluster: `3.5.0`. */
  readonly version: string
  /** Name in messages: `OpenSearch 3.5.0`. */
  readonly label: string
  /** Supports `geohex_grid` on points. */
  readonly geohex: boolean
  /** Supports `geotile_grid` and `geohash_grid` on geo_shape. */
  readonly shapeGrids: boolean
  /** Supports `geo_bounds` on geo_shape. */
  readonly shapeBounds: boolean
  /** Supports fields of type geo_shape. */
  readonly shapes: boolean
}

type Features = Pick<Dialect, 'geohex' | 'shapeGrids' | 'shapeBounds' | 'shapes'>

const NAMES = { opensearch: 'OpenSearch', elasticsearch: 'Elasticsearch' } as const
const LEAST = { opensearch: [1, 0], elasticsearch: [7, 10] } as const

/** Elasticsearch licences that include hexagon grids and grids on shapes. */
const GRID_LICENCES = new Set(['trial', 'gold', 'platinum', 'enterprise'])

/** Probes the family, version and features of a cluster. Needs no index and has no side effects. */
export async function probeDialect(client: ClusterClient, signal?: AbortSignal): Promise<Dialect> {
  const { family, version } = await readVersion(client, signal)
  const label = `${NAMES[family]} ${version}`
  if (isOlder(version, LEAST[family])) {
    const reason = `The cluster is ${label}; Elasticsearch 7.10 or OpenSearch 1 or later is required (setting cluster.urls)`
    throw problem('ENGINE_UNAVAILABLE', { reason }, { 'Retry-After': '60' })
  }
  return { family, version, label, ...(await readFeatures(client, family, version, signal)) }
}

interface MainAnswer {
  readonly version?: { readonly number?: unknown; readonly distribution?: unknown }
  readonly tagline?: unknown
}

async function readVersion(
  client: ClusterClient,
  signal: AbortSignal | undefined,
): Promise<Pick<Dialect, 'family' | 'version'>> {
  const answer = await readMain(client, signal)
  const version = answer?.version?.number
  if (typeof version !== 'string') throw new ClusterFailure('unreadable', 'the response of / is not from a cluster')
  // OpenSearch in Elasticsearch 7.10 compatibility mode does not report the distribution.
  const isOpensearch = answer?.version?.distribution === 'opensearch' || /opensearch/i.test(String(answer?.tagline))
  return { family: isOpensearch ? 'opensearch' : 'elasticsearch', version }
}

/** Reads the main page. A minimal Elasticsearch has none; then the version is read from a node. */
async function readMain(client: ClusterClient, signal: AbortSignal | undefined): Promise<MainAnswer | null> {
  try {
    return await client.send<MainAnswer | null>({ method: 'GET', path: '/', ...stoppedBy(signal) })
  } catch (error) {
    if (!(error instanceof ClusterRefusal && error.status === 405)) throw error
    const query = { filter_path: 'nodes.*.version' }
    const { nodes } = await client.send<NodesAnswer>({
      method: 'GET',
      path: '/_nodes/_local',
      query,
      ...stoppedBy(signal),
    })
    return { version: { number: Object.values(nodes ?? {})[0]?.version } }
  }
}

function isOlder(version: string, [leastMajor, leastMinor]: readonly [number, number]): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major < leastMajor || (major === leastMajor && minor < leastMinor)
}

interface NodesAnswer {
  readonly nodes?: Readonly<Record<string, NodeInfo>>
}

interface NodeInfo {
  readonly version?: string
  readonly modules?: readonly { readonly name?: string }[]
  /** Supported field types by aggregation name. */
  readonly aggregations?: Readonly<Record<string, { readonly types?: readonly string[] }>>
}

/** Reads the aggregations and modules of the nodes. A feature counts as available only if all nodes have it. */
async function readFeatures(
  client: ClusterClient,
  family: Dialect['family'],
  version: string,
  signal: AbortSignal | undefined,
): Promise<Features> {
  const answer = await unlessRefused(
    client.send<NodesAnswer>({
      method: 'GET',
      path: '/_nodes/_all/aggregations,plugins',
      query: { filter_path: 'nodes.*.modules.name,nodes.*.aggregations.geo*' },
      ...stoppedBy(signal),
    }),
  )
  const nodes = Object.values(answer?.nodes ?? {})
  const takes = (aggregation: string, kind: string): boolean =>
    nodes.length > 0 && nodes.every((node) => kindsOf(node, aggregation).includes(kind))
  const licensed = family === 'opensearch' || (await hasGridLicence(client, signal))
  return {
    geohex: licensed && takes('geohex_grid', 'geopoint'),
    shapeGrids: licensed && takes('geotile_grid', 'geoshape') && takes('geohash_grid', 'geoshape'),
    shapeBounds: takes('geo_bounds', 'geoshape'),
    shapes: family === 'opensearch' || isOlder(version, [8, 0]) || nodes.length === 0 || nodes.every(hasSpatialModule),
  }
}

/** Elasticsearch prints `geoshape`, OpenSearch `geo_shape`. */
const kindsOf = (node: NodeInfo, aggregation: string): readonly string[] =>
  (node.aggregations?.[aggregation]?.types ?? []).map((type) => type.replace('_', ''))

/** Since version 8, geo_shape is not in the core of Elasticsearch. */
const hasSpatialModule = (node: NodeInfo): boolean => node.modules?.some(({ name }) => name === 'spatial') ?? false

async function hasGridLicence(client: ClusterClient, signal: AbortSignal | undefined): Promise<boolean> {
  type LicenceAnswer = { readonly license?: { readonly type?: string; readonly status?: string } }
  const answer = await unlessRefused(
    client.send<LicenceAnswer>({ method: 'GET', path: '/_license', ...stoppedBy(signal) }),
  )
  return answer?.license?.status === 'active' && GRID_LICENCES.has(answer.license.type ?? '')
}

/**
 * Returns undefined if refused: not every user may read nodes and licences, and not every distribution has licences.
 */
async function unlessRefused<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof ClusterRefusal && error.status < 500) return undefined
    throw error
  }
}

const stoppedBy = (signal: AbortSignal | undefined): { readonly signal?: AbortSignal } =>
  signal === undefined ? {} : { signal }
