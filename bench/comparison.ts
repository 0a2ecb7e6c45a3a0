import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { MissingTool } from '../scripts/tools/missing-tool.ts'
import { commandLine, thisMachine, versions } from './measure/machine.ts'
import { type BenchOptions, isAskedFor } from './options.ts'
import { allQuestions } from './questions/all-questions.ts'
import type { DatasetName } from './questions/question.ts'
import { ratioChart } from './report/chart.ts'
import { compareWithFile } from './report/compare.ts'
import { renderSummary } from './report/console.ts'
import { renderMarkdown } from './report/markdown.ts'
import { peersOf } from './report/ratios.ts'
import { type BenchResult, failuresOf } from './report/result.ts'
import { openRun, readResult } from './report/result-file.ts'
import type { Bench } from './states/bench.ts'
import { FULL, QUICK } from './states/plan.ts'
import { measureParts } from './states/run.ts'
import { startedClickhouse } from './systems/clickhouse.ts'
import { startedDuckdb } from './systems/duckdb.ts'
import { opensearchAt, startedOpensearch } from './systems/opensearch.ts'
import { startedPeriplus } from './systems/periplus.ts'
import type { System } from './systems/system.ts'

/** Loads the same documents into Periplus and its peers, and asks all the same questions in all states. */
export async function compareSystems(options: BenchOptions): Promise<void> {
  const say = (line: string): void => console.log(line)
  const systems: System[] = [await startedPeriplus()]
  try {
    systems.push(...(await startedPeers(options, say)))
    const [periplus] = systems
    if (periplus === undefined) throw new Error('Periplus did not start')
    const bench: Bench = {
      ...{ periplus, systems, say },
      writable: systems.filter(({ name }) => name === 'Periplus' || name === 'OpenSearch'),
      questions: allQuestions.filter(({ name }) => isAskedFor(options.only, name)),
      plan: options.quick ? QUICK : FULL,
      documents: options.documents,
      seed: options.seed,
      repetitions: options.repetitions,
      budgetMs: options.budgetMs,
    }
    const run = await openRun({
      header: {
        date: new Date().toISOString(),
        commandLine: commandLine(),
        machine: thisMachine(),
        versions: versions(systems),
        documents: options.documents,
        seed: options.seed,
        settings: { only: options.only, repetitions: options.repetitions, budgetMs: options.budgetMs },
      },
      ...(options.resume === undefined ? {} : { resume: options.resume }),
    })
    await measureParts({ bench, run, datasets: datasetsOf(bench), parallel: options.parallel })
    const result = run.whole()
    const file = await run.saveWhole(options.out)
    await writeReport(run.folder, result)
    say(`\n${renderSummary(result)}\nwritten to ${file} and ${run.folder}`)
    if (options.compare !== undefined) say(await compareWithFile(options.compare, result))
    if (failuresOf(result).length > 0) process.exitCode = 1
  } finally {
    for (const system of systems) await system.stop()
  }
}

/** Writes the Markdown and the chart of an earlier result again. */
export async function reportAgain(folder: string): Promise<void> {
  await writeReport(folder, await readResult(folder))
  console.log(`written to ${folder}`)
}

async function writeReport(folder: string, result: BenchResult): Promise<void> {
  await writeFile(join(folder, 'result.md'), renderMarkdown(result))
  if (peersOf(result.tables).length > 0) await writeFile(join(folder, 'ratios.svg'), ratioChart(result))
}

/** Only what a selected question needs is loaded. */
const datasetsOf = ({ questions }: Bench): ReadonlySet<DatasetName> =>
  new Set(['points', ...questions.map(({ dataset = 'points' }) => dataset)])

async function startedPeers(options: BenchOptions, say: (line: string) => void): Promise<readonly System[]> {
  const starts: Readonly<Record<string, () => Promise<System>>> = {
    opensearch: () => (options.opensearch === undefined ? startedOpensearch(say) : opensearchAt(options.opensearch)),
    clickhouse: () => startedClickhouse(say),
    duckdb: startedDuckdb,
  }
  const started: System[] = []
  for (const name of options.peers) {
    const start = starts[name]
    if (start === undefined) throw new Error(`--peers: '${name}' is not one of ${Object.keys(starts).join(', ')}`)
    try {
      started.push(await start())
    } catch (error) {
      if (!(error instanceof MissingTool)) throw error
      say(`*** ${name} is left out: ${error.message} ***`)
    }
  }
  return started
}
