import type { TestProject } from 'vitest/node'
import { startOpensearch } from '../../scripts/cluster/opensearch-node.ts'
import { offerService } from './shared-service.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Responds with the URL of the node that all tests share, see cluster-url.ts. */
    clusterService: string
    /** Test files that make no sense without it. */
    needsCluster: readonly string[]
  }
}

/** Starts the node the tests share in the background; TEST_CLUSTER_URL names one that runs already. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.TEST_CLUSTER_URL
  const service = await offerService('TESTS ON A CLUSTER', async () => {
    if (given !== undefined && given !== '') return { address: given, stop: async () => undefined }
    const node = await startOpensearch({ heapMiB: 1024, purpose: 'testing', say: (line) => console.error(line) })
    return { address: node.url, stop: node.stop }
  })
  project.provide('clusterService', service.url)
  service.begin()
  return service.stop
}
