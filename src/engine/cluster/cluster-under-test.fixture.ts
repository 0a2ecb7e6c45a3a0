import { inject } from 'vitest'
import type { ClusterContext } from './cluster-context.ts'
import { openTransportClient } from './transport-client.ts'

/** A context on the node that the tests share. Indices made in it carry a name of the test's own and are dropped by it. */
export function clusterUnderTest(scan = 100_000): ClusterContext {
  const client = openTransportClient({ urls: [inject('clusterUrl')] })
  const features = { geohex: false, shapeGrids: true, shapeBounds: true, shapes: true }
  const dialect = { family: 'opensearch' as const, version: '3.5.0', label: 'OpenSearch 3.5.0', ...features }
  return { client, dialect, limits: { scan } }
}
