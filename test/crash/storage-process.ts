import { appendFileSync } from 'node:fs'
import { openDuckdbEngine } from '../../src/engine/duckdb/open-engine.ts'
import type { StorageStep } from '../../src/engine/step-observer.ts'
import { INDICES, type IndexName, watch, writeOf } from './storage-history.ts'

/**
 * Writes to an engine until it kills itself (as with kill -9) when it reaches a step for the n-th time. Arguments: data
 * directory, file for the acknowledged writes, seed, number of the first write of each index, step (or `none`), n.
 */
const [directory = '', acknowledged = '', seed = '0', plain = '0', watched = '0', step = 'none', times = '1'] =
  process.argv.slice(2)

let left = Number(times)
const storageSteps = (reached: StorageStep): void => {
  if (reached === step && --left === 0) process.kill(process.pid, 'SIGKILL')
}

const engine = await openDuckdbEngine({ directory, memoryMiB: 256, threads: 2, concurrency: 4, storageSteps })
watch(engine)
process.send?.('ready')

async function writeOn(index: IndexName, from: number): Promise<void> {
  for (let n = from; ; n++) {
    await engine.write(index, writeOf(Number(seed), index, n), { load: `${index}-${n}` })
    appendFileSync(acknowledged, `${index} ${n}\n`)
    if (n % 11 === 5) await engine.arrange(index)
    // A read of the changes moves the writes into the database.
    if (n % 7 === 3) await engine.changes?.read(0, 1)
  }
}

await Promise.all(INDICES.map((index) => writeOn(index, Number(index === 'plain' ? plain : watched))))
