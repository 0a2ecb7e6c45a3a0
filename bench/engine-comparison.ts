import { aggregationQuestions } from './aggregation-questions.ts'
import type { BulkFile } from './bulk-file.ts'
import { summarise } from './measurement.ts'
import { opensearchAt, startedOpensearch } from './opensearch-system.ts'
import type { BenchOptions } from './options.ts'
import { startedPeriplus } from './periplus-system.ts'
import { drawsOf, type Question, searchQuestions } from './questions.ts'
import { type BenchReport, type QuestionResult, renderReport } from './report.ts'
import { machine, saveResult } from './result-file.ts'
import type { LoadResult, Reply, System } from './system.ts'
import { withBulkFile } from './work-directory.ts'

type Replies = ReadonlyMap<string, readonly Reply[]>

interface Outcome {
  readonly load: LoadResult
  readonly replies: Replies
  /** The same answers once more, from a result cache. */
  readonly cached: Replies
  readonly peakMemoryMiB?: number
}

/** Loads the same documents into Periplus and, when asked, into OpenSearch, and asks both the same questions. */
export async function compareEngines(options: BenchOptions): Promise<void> {
  const { documents, seed } = options
  const questions = [...searchQuestions, ...aggregationQuestions].filter(isAsked(options))
  await withBulkFile(options, async (file) => {
    const other = comparedWith(options)
    const periplus = await measure(startedPeriplus, file, options, questions)
    const opensearch = other === undefined ? undefined : await measure(other, file, options, questions)
    const report: BenchReport = {
      documents,
      seed,
      date: new Date().toISOString(),
      machine,
      load: { periplus: periplus.load, ...(opensearch ? { opensearch: opensearch.load } : {}) },
      peakMemoryMiB: {
        ...(periplus.peakMemoryMiB === undefined ? {} : { periplus: periplus.peakMemoryMiB }),
        ...(opensearch?.peakMemoryMiB === undefined ? {} : { opensearch: opensearch.peakMemoryMiB }),
      },
      questions: questions.map((question) => compare(question, periplus, opensearch)),
    }
    console.log(`\n${renderReport(report)}`)
    await saveResult(report, options.out)
  })
}

const isAsked =
  ({ only }: BenchOptions) =>
  ({ name }: Question): boolean =>
    name.includes(only)

function comparedWith({ opensearch, startsOpensearch }: BenchOptions): (() => Promise<System>) | undefined {
  if (opensearch !== undefined) return async () => opensearchAt(opensearch)
  return startsOpensearch ? startedOpensearch : undefined
}

/** Loads one system and asks it everything; the systems run one after the other, so that neither slows the other. */
async function measure(
  start: () => Promise<System>,
  file: BulkFile,
  options: BenchOptions,
  questions: readonly Question[],
): Promise<Outcome> {
  const system = await start()
  try {
    console.log(`${system.name}: loading`)
    const load = await system.load(file, options.documents, options.parallel)
    const replies = new Map<string, readonly Reply[]>()
    for (const question of questions) {
      console.log(`${system.name}: ${question.name}`)
      const draws = drawsOf(question, options)
      for (const d of draws.slice(0, 10)) await system.ask(question, d)
      const timedReplies: Reply[] = []
      for (const d of draws) timedReplies.push(await system.ask(question, d))
      replies.set(question.name, timedReplies)
    }
    const peak = await system.peakMemoryMiB()
    const cached = await askAgain(system, options)
    return { load, replies, cached, ...(peak === undefined ? {} : { peakMemoryMiB: peak }) }
  } finally {
    await system.stop()
  }
}

/** Every aggregation twice in a row with the result cache on; the second answer counts. */
async function askAgain(system: System, options: BenchOptions): Promise<Replies> {
  const replies = new Map<string, readonly Reply[]>()
  if (system.useCache === undefined) return replies
  await system.useCache()
  console.log(`${system.name}: aggregations with the result cache`)
  for (const question of aggregationQuestions.filter(isAsked(options))) {
    const again: Reply[] = []
    for (const d of drawsOf(question, options)) {
      await system.ask(question, d)
      again.push(await system.ask(question, d))
    }
    replies.set(question.name, again)
  }
  return replies
}

function compare(question: Question, periplus: Outcome, opensearch: Outcome | undefined): QuestionResult {
  const ours = periplus.replies.get(question.name) ?? []
  const theirs = opensearch?.replies.get(question.name)
  const cached = periplus.cached.get(question.name)
  return {
    name: question.name,
    periplus: summarise(ours.map((r) => r.ms)),
    ...(cached === undefined ? {} : { cached: summarise(cached.map((r) => r.ms)) }),
    ...(theirs === undefined
      ? {}
      : {
          opensearch: summarise(theirs.map((r) => r.ms)),
          disagreements: ours.filter((r, i) => r.size !== theirs[i]?.size).length,
        }),
  }
}
