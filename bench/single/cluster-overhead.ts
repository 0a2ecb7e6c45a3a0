import { loadavg } from 'node:os'
import { startOpensearch } from '../../scripts/cluster/opensearch-node.ts'
import { startWatchingProxy } from '../../test/support/watching-proxy.ts'
import type { BulkFile } from '../data/bulk-file.ts'
import { withBulkFile } from '../data/work-directory.ts'
import { type LoadResult, loadOne } from '../measure/loading.ts'
import { processorMs } from '../measure/process-figures.ts'
import { summarise, timed } from '../measure/timing.ts'
import { type BenchOptions, isAskedFor } from '../options.ts'
import { allQuestions } from '../questions/all-questions.ts'
import { differenceOf } from '../questions/answers.ts'
import { drawsOf } from '../questions/draws.ts'
import type { Question } from '../questions/question.ts'
import { machine, saveResult } from '../report/result-file.ts'
import { opensearchAt } from '../systems/opensearch.ts'
import { periplusOnCluster, REFERENCES } from '../systems/periplus.ts'
import type { System } from '../systems/system.ts'
import { type Overhead, type OverheadReport, renderOverhead } from './overhead-report.ts'

const WARM_UP = 20

/** Questions that are quick for any engine, so that the overhead of the request and of printing is visible. */
const QUICK = new Set([
  'count all',
  'count term + time range',
  '10 newest hits',
  '60 newest in a tile (z8)',
  'one document by id',
  'geotile z10 inside a z4 tile',
  'term top 10 of 5,000',
  'day histogram of one kind',
  'span of the dates',
])

/**
 * Measures the overhead of Periplus on a cluster: the same quick questions through it and directly, alternating, on one
 * node.
 */
export async function measureClusterOverhead(options: BenchOptions): Promise<void> {
  const questions = allQuestions.filter(({ name }) => QUICK.has(name) && isAskedFor(options.only, name))
  await withBulkFile(options, (file) =>
    withNode(options, async (url) => {
      const periplus = await periplusOnCluster(url)
      try {
        console.log('loading through Periplus')
        const load = await loadOnce(periplus, url, file, options)
        const loadBefore = loadavg()[0] ?? 0
        const overheads: Omit<Overhead, 'calls'>[] = []
        for (const question of questions) {
          console.log(question.name)
          overheads.push(await compare(question, periplus, await opensearchAt(url), options))
        }
        const calls = await countCalls(url, questions, options)
        const report: OverheadReport = {
          documents: options.documents,
          seed: options.seed,
          date: new Date().toISOString(),
          machine,
          loadAverages: [loadBefore, loadavg()[0] ?? 0],
          load,
          questions: overheads.map((one) => ({ ...one, calls: calls.get(one.name) ?? [] })),
        }
        console.log(`\n${renderOverhead(report)}`)
        await saveResult(report, options.out)
      } finally {
        await periplus.stop()
        await removeIndices(url)
      }
    }),
  )
}

async function withNode({ opensearch }: BenchOptions, work: (url: string) => Promise<void>): Promise<void> {
  if (opensearch !== undefined) {
    await removeIndices(opensearch)
    return work(opensearch)
  }
  const node = await startOpensearch()
  try {
    await work(node.url)
  } finally {
    await node.stop()
  }
}

async function removeIndices(url: string): Promise<void> {
  const query = 'ignore_unavailable=true'
  for (const index of ['bench', REFERENCES]) await timed(`${url}/${index}?${query}`, { method: 'DELETE' })
}

/** Loads into one segment, so that both paths read the same data; no result cache, so that every answer is computed. */
async function loadOnce(
  periplus: System,
  url: string,
  file: BulkFile,
  { parallel }: BenchOptions,
): Promise<LoadResult> {
  const load = await loadOne(periplus, file, parallel)
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ index: { 'requests.cache.enable': false } })
  await timed(`${url}/bench/_settings`, { method: 'PUT', headers, body })
  await timed(`${url}/bench/_forcemerge?max_num_segments=1`, { method: 'POST' })
  await timed(`${url}/bench/_refresh`, { method: 'POST' })
  return load
}

/**
 * Alternates between both, so that other load of the machine affects both equally; each goes first every other time.
 */
async function compare(
  question: Question,
  periplus: System,
  opensearch: System,
  options: BenchOptions,
): Promise<Omit<Overhead, 'calls'>> {
  const ours: number[] = []
  const theirs: number[] = []
  const bytes: number[] = []
  let disagreements = 0
  const draws = drawsOf(question, { ...options, repetitions: options.repetitions + WARM_UP, time: 'none' })
  let used: number | undefined
  for (const [i, draw] of draws.entries()) {
    if (i === WARM_UP) used = await processorMs(periplus.pid())
    const first = i % 2 === 0 ? periplus : opensearch
    const one = await first.ask(question, draw)
    const other = await (first === periplus ? opensearch : periplus).ask(question, draw)
    if (i < WARM_UP) continue
    const [mine, direct] = first === periplus ? [one, other] : [other, one]
    if (mine === undefined || direct === undefined) throw new Error(`${question.name} is not a question of both`)
    ours.push(mine.ms)
    theirs.push(direct.ms)
    bytes.push(mine.bytes)
    if (differenceOf(mine.answer, direct.answer) !== undefined) disagreements++
  }
  const usedNow = await processorMs(periplus.pid())
  const differences = ours.map((ms, i) => ms - (theirs[i] ?? 0))
  return {
    name: question.name,
    bytes: summarise(bytes).median,
    differences,
    ...(used === undefined || usedNow === undefined ? {} : { processorMs: (usedNow - used) / ours.length }),
    periplus: summarise(ours),
    opensearch: summarise(theirs),
    overhead: summarise(differences),
    disagreements,
  }
}

/** Returns the cluster calls per answer of a warmed-up server, by question. */
async function countCalls(
  url: string,
  questions: readonly Question[],
  options: BenchOptions,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const proxy = await startWatchingProxy(url)
  const periplus = await periplusOnCluster(proxy.url)
  try {
    const counted = new Map<string, readonly string[]>()
    for (const question of questions) {
      const answers: (readonly string[])[] = []
      for (const draw of drawsOf(question, { ...options, repetitions: 5, time: 'none' })) {
        proxy.takeAsked()
        await periplus.ask(question, draw)
        answers.push(proxy.takeAsked())
      }
      // Take the minimum, to leave out background refreshes.
      counted.set(
        question.name,
        answers.reduce((least, calls) => (calls.length < least.length ? calls : least)),
      )
    }
    return counted
  } finally {
    await periplus.stop()
    await proxy.stop()
  }
}
