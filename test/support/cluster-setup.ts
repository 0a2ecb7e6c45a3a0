import type { TestProject } from 'vitest/node'
import { MissingTool } from '../../scripts/missing-tool.ts'
import { startOpensearch } from '../../scripts/opensearch-node.ts'
import { isChecking } from './checking.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of the shared node; empty if it cannot be started. */
    clusterUrl: string
    /** Test files that need the cluster for all their tests. */
    needsCluster: readonly string[]
  }
}

/** Starts the shared node. TEST_CLUSTER_URL specifies a running one instead. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.TEST_CLUSTER_URL
  if (given !== undefined && given !== '') {
    project.provide('clusterUrl', given)
    return async () => undefined
  }
  try {
    const node = await startOpensearch({ heapMiB: 1024, purpose: 'testing', say: (line) => console.error(line) })
    project.provide('clusterUrl', node.url)
    return node.stop
  } catch (error) {
    if (!(error instanceof MissingTool) || isChecking()) throw error
    console.error(`\n*** TESTS ON A CLUSTER ARE SKIPPED: ${error.message} ***\n`)
    project.provide('clusterUrl', '')
    return async () => undefined
  }
}
