import type { TestProject } from 'vitest/node'
import { startOpensearch } from '../../scripts/opensearch-node.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Of the OpenSearch node that all tests share. */
    clusterUrl: string
  }
}

/** Starts the node the tests share; TEST_CLUSTER_URL names one that runs already. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.TEST_CLUSTER_URL
  if (given !== undefined) {
    project.provide('clusterUrl', given)
    return async () => undefined
  }
  const node = await startOpensearch({ heapMiB: 1024 })
  project.provide('clusterUrl', node.url)
  return node.stop
}
