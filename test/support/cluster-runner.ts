import { inject, type RunnerTestFile, TestRunner } from 'vitest'
import { askService } from './shared-service.ts'

/** If there is no cluster, the files that need one are collected and counted as skipped. */
export default class ClusterRunner extends TestRunner {
  #file: RunnerTestFile | undefined

  override onCollectStart(file: RunnerTestFile): void {
    super.onCollectStart(file)
    this.#file = file
  }

  override async importFile(...args: Parameters<TestRunner['importFile']>): Promise<unknown> {
    const file = this.#file
    if (file !== undefined && inject('needsCluster').includes(file.name)) {
      if ((await askService(inject('clusterService'))) === '') file.mode = 'skip'
    }
    return super.importFile(...args)
  }
}
