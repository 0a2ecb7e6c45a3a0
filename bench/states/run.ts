import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeBulkFile } from '../data/bulk-file.ts'
import { deleteLine } from '../data/bulk-lines.ts'
import { idOf, kindOf } from '../data/documents.ts'
import { watchMachine } from '../measure/machine.ts'
import { memoryMiB, peakMemoryMiB } from '../measure/process-figures.ts'
import type { DatasetName } from '../questions/question.ts'
import { progressOf } from '../report/console.ts'
import type { FootprintRow, PartName, ResultPart } from '../report/result.ts'
import type { Run } from '../report/result-file.ts'
import type { System } from '../systems/system.ts'
import { askOnce, askQuestions } from './ask-questions.ts'
import type { Bench } from './bench.ts'
import { askCached } from './cached.ts'
import { LiveStates } from './live.ts'
import { type GeneratedDataset, Loading } from './load.ts'
import { stepsOf } from './plan.ts'
import { askAfterRestart } from './restarted.ts'
import { measureRefreshes, measureThroughput } from './throughput.ts'
import { measureWrites } from './writes.ts'

const BATCH = 5_000

/** Share of the documents that each dataset has. */
const SHARES: Readonly<Record<DatasetName, number>> = { quarters: 0.1, shapes: 0.2, flights: 0.2, points: 1 }

/** The points are the last: they are asked right after their load. */
const LOAD_ORDER: readonly DatasetName[] = ['quarters', 'shapes', 'flights', 'points']

/** The least frequent kind. */
const TAGGED_KIND = kindOf(19)

export interface RunPlan {
  readonly bench: Bench
  readonly run: Run
  readonly datasets: ReadonlySet<DatasetName>
  readonly parallel: number
}

type Measure = (part: PartName, work: (bench: Bench) => Promise<ResultPart>) => Promise<void>

/** Loads the documents and measures one part after the other; each is saved when it is finished. */
export async function measureParts(plan: RunPlan): Promise<void> {
  const { bench, run } = plan
  const missing = bench.plan.parts.filter((part) => !run.finished(part))
  const progress = progressOf(missing.map((part) => ({ part, steps: stepsOf(bench.plan, part, bench.questions) })))
  const measure: Measure = async (part, work) => {
    if (!missing.includes(part)) return
    const said: Bench = { ...bench, say: (what) => progress.next(part, what) }
    const { result, use } = await watchMachine(() => work(said))
    progress.finish(part)
    const footprints = await footprintsOf(bench.systems)
    await run.save(part, { ...result, footprints, ...(use === undefined ? {} : { machineUse: use }) })
  }
  await loadAll(plan, measure)
  await measure('rest', async (said) => {
    await warmUp(bench)
    return { tables: await askQuestions(said, { state: 'rest', systems: bench.systems }) }
  })
  await measure('throughput', async (said) => ({
    throughput: await measureThroughput(said),
    refreshes: await measureRefreshes(said),
  }))
  await measureChanges(bench, measure)
}

/** Asks everything once: code that several questions share is compiled before the first of them is measured. */
async function warmUp(bench: Bench): Promise<void> {
  for (const question of bench.questions) {
    if (question.onlyAtRest !== true) await askOnce(bench, bench.writable, question, 'changing')
  }
}

async function loadAll({ bench, run, datasets, parallel }: RunPlan, measure: Measure): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'periplus-bench-'))
  try {
    const generated = await generate(directory, bench, datasets)
    const loading = new Loading(bench.systems, parallel, bench.say)
    const askLoaded = () =>
      measure('loaded', async (said) => ({
        tables: await askQuestions(said, { state: 'loaded', systems: said.writable }),
      }))
    const { use } = await watchMachine(async () => {
      for (const one of generated) await (one.dataset === 'points' ? loading.load(one, askLoaded) : loading.load(one))
    })
    if (run.finished('load')) return
    const footprints = await footprintsOf(bench.systems)
    const part = { loads: loading.figures, footprints, ...(use === undefined ? {} : { machineUse: use }) }
    await run.save('load', part)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

/** Parts that change documents, or restart the systems. */
async function measureChanges(bench: Bench, measure: Measure): Promise<void> {
  await measure('after one delete', async (said) => {
    for (const system of bench.writable) {
      await system.write('points', Buffer.from(deleteLine(idOf(0))))
      await system.refresh('points')
    }
    return { tables: await askQuestions(said, { state: 'after one delete', systems: bench.writable }) }
  })
  await measure('after one tag', async (said) => {
    for (const system of bench.writable) await system.tag?.('points', TAGGED_KIND)
    return { tables: await askQuestions(said, { state: 'after one tag', systems: bench.writable }) }
  })
  await measure('after a restart', async (said) => ({ tables: await askAfterRestart(said) }))
  await measure('cached', async (said) => ({ tables: await askCached(said) }))
  // Systems have different documents while these are measured, so they come last.
  const live = new LiveStates(bench)
  await measure('live 200/s', (said) => live.ask(said, 'live 200/s', 200))
  await measure('live 1000/s', (said) => live.ask(said, 'live 1000/s', 1_000))
  await measure('writes', async (said) => ({ writes: await measureWrites(said) }))
}

async function footprintsOf(systems: readonly System[]): Promise<readonly FootprintRow[]> {
  const rows: FootprintRow[] = []
  for (const system of systems) {
    const memory = await memoryMiB(system.pid())
    const peak = await peakMemoryMiB(system.pid())
    rows.push({
      system: system.name,
      diskMiB: Math.round((await system.diskBytes()) / 2 ** 20),
      ...(memory === undefined || peak === undefined ? {} : { memoryMiB: memory, peakMemoryMiB: peak }),
    })
  }
  return rows
}

async function generate(
  directory: string,
  { documents, seed, say }: Bench,
  datasets: ReadonlySet<DatasetName>,
): Promise<readonly GeneratedDataset[]> {
  const generated: GeneratedDataset[] = []
  for (const dataset of LOAD_ORDER.filter((name) => datasets.has(name))) {
    const count = Math.round(documents * SHARES[dataset])
    say(`generating ${count} documents of ${dataset}`)
    const file = await writeBulkFile(join(directory, `${dataset}.ndjson`), { dataset, count, seed, batchSize: BATCH })
    generated.push({ dataset, file })
  }
  return generated
}
