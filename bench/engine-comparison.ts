import { aggregationQuestions } from './aggregation-questions.ts'
import type { BulkFile } from './bulk-file.ts'
import { loadInTurns } from './loading.ts'
import { summarise } from './measurement.ts'
import { opensearchAt, startedOpensearch } from './opensearch-system.ts'
import { type BenchOptions, isAskedFor } from './options.ts'
import { startedPeriplus } from './periplus-system.ts'
import { peakMemoryMiB } from './process-figures.ts'
import { type Draw, drawsOf, type Question, searchQuestions } from './questions.ts'
import { type BenchReport, type QuestionResult, renderReport } from './report.ts'
import { machine, saveResult } from './result-file.ts'
import type { Reply, System } from './system.ts'
import { withBulkFile } from './work-directory.ts'

/** Replies of each system by question name, in the order of the draws. */
type Replies = ReadonlyMap<string, readonly Reply[]>

/** Warm-up, so that both systems have compiled their hot code, as in a server that has run for a while. */
const WARM_UP_ASKS = 400
const WARM_UP_MS = 3_000

/** Loads the same documents into Periplus and, if requested, OpenSearch, and asks both the same questions. */
export async function compareEngines(options: BenchOptions): Promise<void> {
  await withBulkFile(options, async (file) => {
    const periplus = await startedPeriplus()
    try {
      const other = await comparedWith(options)
      try {
        const report = await measure(other === undefined ? [periplus] : [periplus, other], file, options)
        console.log(`\n${renderReport(report)}`)
        await saveResult(report, options.out)
      } finally {
        await other?.stop()
      }
    } finally {
      await periplus.stop()
    }
  })
}

const isAsked =
  ({ only }: BenchOptions) =>
  ({ name }: Question): boolean =>
    isAskedFor(only, name)

async function comparedWith({ opensearch, startsOpensearch }: BenchOptions): Promise<System | undefined> {
  if (opensearch !== undefined) return opensearchAt(opensearch)
  return startsOpensearch ? startedOpensearch() : undefined
}

async function measure(
  systems: readonly [System, System?],
  file: BulkFile,
  options: BenchOptions,
): Promise<BenchReport> {
  const questions = [...searchQuestions, ...aggregationQuestions].filter(isAsked(options))
  const running = systems.filter((system) => system !== undefined)
  console.log('loading')
  const [load, otherLoad] = await loadInTurns(running, file, options.parallel)
  const [replies, otherReplies] = await askInTurns(running, questions, options)
  const [peak, otherPeak] = await Promise.all(running.map((system) => peakMemoryMiB(system.pid())))
  const cached = await askAgain(systems[0], options)
  if (load === undefined || replies === undefined) throw new Error('nothing was measured')
  return {
    documents: options.documents,
    seed: options.seed,
    date: new Date().toISOString(),
    machine,
    load: { periplus: load, ...(otherLoad === undefined ? {} : { opensearch: otherLoad }) },
    peakMemoryMiB: {
      ...(peak === undefined ? {} : { periplus: peak }),
      ...(otherPeak === undefined ? {} : { opensearch: otherPeak }),
    },
    questions: questions.map(({ name }) =>
      compare(name, replies.get(name) ?? [], otherReplies?.get(name), cached.get(name)),
    ),
  }
}

/** Alternates every question between the systems, so that other load of the machine affects both equally. */
async function askInTurns(
  systems: readonly System[],
  questions: readonly Question[],
  options: BenchOptions,
): Promise<readonly Replies[]> {
  const replies = systems.map(() => new Map<string, Reply[]>())
  for (const question of questions) {
    console.log(question.name)
    const all = drawsOf(question, { ...options, repetitions: options.repetitions + WARM_UP_ASKS })
    const draws = all.slice(0, options.repetitions)
    for (const system of systems) await warmUp(system, question, all.slice(options.repetitions))
    for (const of of replies) of.set(question.name, [])
    for (const draw of draws) {
      for (const [i, system] of systems.entries())
        replies[i]?.get(question.name)?.push(await system.ask(question, draw))
    }
  }
  return replies
}

async function warmUp(system: System, question: Question, draws: readonly Draw[]): Promise<void> {
  const until = performance.now() + WARM_UP_MS
  for (const draw of draws) {
    if (performance.now() >= until) return
    await system.ask(question, draw)
  }
}

/** Asks every aggregation twice in a row with the result cache on; the second answer counts. */
async function askAgain(system: System, options: BenchOptions): Promise<Replies> {
  const replies = new Map<string, readonly Reply[]>()
  if (system.useCache === undefined) return replies
  await system.useCache()
  console.log('aggregations with the result cache')
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

function compare(
  name: string,
  ours: readonly Reply[],
  theirs: readonly Reply[] | undefined,
  cached: readonly Reply[] | undefined,
): QuestionResult {
  return {
    name,
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
