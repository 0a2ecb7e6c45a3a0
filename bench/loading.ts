import { type BulkFile, partsOf, sendBatches } from './bulk-file.ts'
import { goOn, peakMemoryMiB, standStill } from './process-figures.ts'
import type { Loadable } from './system.ts'

export interface LoadResult {
  readonly seconds: number
  readonly documentsPerSecond: number
  /** Time of refresh and merge after the last batch; not part of the rate. */
  readonly settleSeconds: number
  readonly peakMemoryMiB?: number
}

/** Documents loaded into one system before the next continues. */
const TURN = 500_000

/**
 * Loads the same documents into every system, alternating, so that other load of the machine affects all equally. The
 * other systems are paused, so that their background work counts in their own time.
 */
export async function loadInTurns(
  systems: readonly Loadable[],
  file: BulkFile,
  parallel: number,
): Promise<readonly LoadResult[]> {
  const seconds = systems.map(() => 0)
  for (const system of systems) await system.prepare()
  for (const part of partsOf(file, TURN)) {
    for (const [i, system] of systems.entries()) {
      seconds[i] = (seconds[i] ?? 0) + (await alone(system, systems, () => sendBatches(part, parallel, system.write)))
    }
  }
  const results: LoadResult[] = []
  const documents = file.batches.reduce((sum, batch) => sum + batch.documents, 0)
  for (const [i, system] of systems.entries()) {
    const settleSeconds = await alone(system, systems, system.settle)
    const peak = await peakMemoryMiB(system.pid())
    results.push({
      seconds: seconds[i] ?? Number.NaN,
      documentsPerSecond: documents / (seconds[i] ?? Number.NaN),
      settleSeconds,
      ...(peak === undefined ? {} : { peakMemoryMiB: peak }),
    })
  }
  return results
}

export async function loadOne(system: Loadable, file: BulkFile, parallel: number): Promise<LoadResult> {
  const [result] = await loadInTurns([system], file, parallel)
  if (result === undefined) throw new Error('nothing was loaded')
  return result
}

/** Returns the seconds of the work while the other systems are paused, if they are child processes. */
async function alone(system: Loadable, systems: readonly Loadable[], work: () => Promise<void>): Promise<number> {
  const others = systems.filter((one) => one !== system).map((one) => one.pid())
  for (const pid of others) standStill(pid)
  try {
    const started = performance.now()
    await work()
    return (performance.now() - started) / 1000
  } finally {
    for (const pid of others) goOn(pid)
  }
}
