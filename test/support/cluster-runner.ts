import { inject, type RunnerTask, type RunnerTestFile, TestRunner } from 'vitest'

/** Where there is no cluster, the files that need one are collected and counted, but none of their tests is begun. */
export default class ClusterRunner extends TestRunner {
  onCollected(files: RunnerTestFile[]): void {
    if (inject('clusterUrl') !== '') return
    const needing = inject('needsCluster')
    for (const file of files) if (needing.includes(file.name)) skip(file)
  }
}

function skip(task: RunnerTask): void {
  if (task.mode === 'run' || task.mode === 'queued') task.mode = 'skip'
  if ('tasks' in task) for (const child of task.tasks) skip(child)
}
