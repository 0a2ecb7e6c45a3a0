import { clusterUrl } from '../../../test/support/cluster-url.ts'
import { openTransportClient } from '../../cluster-client/transport-client.ts'
import type { ClusterContext } from './request/cluster-context.ts'

/** A context on the node shared by the tests. Each test uses unique names for its indices and drops them. */
export function clusterUnderTest(scan = 100_000): ClusterContext {
  // without a cluster the tests are skipped, but their files are still loaded
  const client = openTransportClient({ urls: [clusterUrl || 'http://127.0.0.1:1'] })
  const features = { geohex: false, shapeGrids: true, shapeBounds: true, shapes: true }
  const dialect = { family: 'opensearch' as const, version: '3.5.0', label: 'OpenSearch 3.5.0', ...features }
  return { client, dialect, limits: { scan } }
}
