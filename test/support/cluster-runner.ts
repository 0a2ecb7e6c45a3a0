import { inject, type RunnerTestFile, TestRunner } from 'vitest'

/** Where there is no cluster, the files that need one are collected and counted, but none of their tests is begun. */
export default class ClusterRunner extends TestRunner {
  override onCollectStart(file: RunnerTestFile): void {
    super.onCollectStart(file)
    if (inject('clusterUrl') === '' && inject('needsCluster').includes(file.name)) file.mode = 'skip'
  }
}
