import { type BulkFile, sendBatches } from '../data/bulk-file.ts'
import type { Loadable } from '../systems/system.ts'
import { peakMemoryMiB } from './process-figures.ts'

export interface LoadResult {
  readonly seconds: number
  readonly documentsPerSecond: number
  /** Time of refresh and merge after the last batch; not part of the rate. */
  readonly settleSeconds: number
  readonly peakMemoryMiB?: number
}

/** Loads the points into one system. */
export async function loadOne(system: Loadable, file: BulkFile, parallel: number): Promise<LoadResult> {
  await system.prepare('points')
  const seconds = await secondsOf(() => sendBatches(file, parallel, (lines) => system.write('points', lines)))
  const settleSeconds = await secondsOf(async () => {
    await system.refresh('points')
    await system.settle('points')
  })
  const documents = file.batches.reduce((sum, batch) => sum + batch.documents, 0)
  const peak = await peakMemoryMiB(system.pid())
  return {
    ...{ seconds, settleSeconds, documentsPerSecond: documents / seconds },
    ...(peak === undefined ? {} : { peakMemoryMiB: peak }),
  }
}

async function secondsOf(work: () => Promise<void>): Promise<number> {
  const started = performance.now()
  await work()
  return (performance.now() - started) / 1000
}
