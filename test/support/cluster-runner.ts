import { inject, type RunnerTestFile, TestRunner } from 'vitest'

/** Without a cluster, files that need one are collected and counted as skipped, but none of their tests is run. */
export default class ClusterRunner extends TestRunner {
  override onCollectStart(file: RunnerTestFile): void {
    super.onCollectStart(file)
    if (inject('clusterUrl') === '' && inject('needsCluster').includes(file.name)) file.mode = 'skip'
  }
}
