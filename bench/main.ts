import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { aggregationQuestions } from './aggregation-questions.ts'
import { writeBulkFile } from './bulk-file.ts'
import { clusters } from './documents.ts'
import { summarise } from './measurement.ts'
import { opensearchAt, startedOpensearch } from './opensearch-system.ts'
import { startedPeriplus } from './periplus-system.ts'
import { type Draw, draw, type Question, searchQuestions } from './questions.ts'
import { seededRandom } from './random.ts'
import { type BenchReport, type QuestionResult, renderReport } from './report.ts'
import type { LoadResult, Reply, System } from './system.ts'

const BATCH = 5_000

const help = `Loads the same documents into Periplus and, when asked, into OpenSearch, and asks both the same questions.

  --documents N        how many documents (1000000)
  --seed N             seed of documents and questions (1)
  --repetitions N      timed repetitions of each question (50)
  --parallel N         bulk requests at a time (4)
  --opensearch URL     compare with the node at URL; its index 'bench' is replaced
  --start-opensearch   fetch and start a node for the comparison (needs Maven, Java 21+, unzip)
  --only TEXT          only the questions whose name contains TEXT
  --out FILE           where the JSON goes (bench/results/DATE.json)
`

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: '1' },
    repetitions: { type: 'string', default: '50' },
    parallel: { type: 'string', default: '4' },
    opensearch: { type: 'string' },
    only: { type: 'string', default: '' },
    'start-opensearch': { type: 'boolean', default: false },
    out: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})

function whole(name: 'documents' | 'seed' | 'repetitions' | 'parallel'): number {
  const n = Number(values[name])
  if (!Number.isInteger(n) || n < 1) throw new Error(`--${name} must be a positive integer, got '${values[name]}'`)
  return n
}

const asked = (all: readonly Question[]): readonly Question[] => all.filter((q) => q.name.includes(values.only))
const questions = asked([...searchQuestions, ...aggregationQuestions])

type Replies = ReadonlyMap<string, readonly Reply[]>

interface Outcome {
  readonly load: LoadResult
  readonly replies: Replies
  /** The same answers once more, from a result cache. */
  readonly cached: Replies
  readonly peakMemoryMiB?: number
}

/** Loads one system and asks it everything; the systems run one after the other, so that neither slows the other. */
async function measure(
  start: () => Promise<System>,
  load: (system: System) => Promise<LoadResult>,
  drawsOf: (question: Question) => readonly Draw[],
): Promise<Outcome> {
  const system = await start()
  try {
    console.log(`${system.name}: loading`)
    const loaded = await load(system)
    const replies = new Map<string, readonly Reply[]>()
    for (const question of questions) {
      console.log(`${system.name}: ${question.name}`)
      const draws = drawsOf(question)
      for (const d of draws.slice(0, 10)) await system.ask(question, d)
      const timedReplies: Reply[] = []
      for (const d of draws) timedReplies.push(await system.ask(question, d))
      replies.set(question.name, timedReplies)
    }
    const peak = await system.peakMemoryMiB()
    const cached = await askAgain(system, drawsOf)
    return { load: loaded, replies, cached, ...(peak === undefined ? {} : { peakMemoryMiB: peak }) }
  } finally {
    await system.stop()
  }
}

/** Every aggregation twice in a row with the result cache on; the second answer counts. */
async function askAgain(system: System, drawsOf: (question: Question) => readonly Draw[]): Promise<Replies> {
  const replies = new Map<string, readonly Reply[]>()
  if (system.useCache === undefined) return replies
  await system.useCache()
  console.log(`${system.name}: aggregations with the result cache`)
  for (const question of asked(aggregationQuestions)) {
    const again: Reply[] = []
    for (const d of drawsOf(question)) {
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

function comparedWith(): (() => Promise<System>) | undefined {
  const url = values.opensearch
  if (url !== undefined && url !== 'none') return async () => opensearchAt(url.replace(/\/+$/, ''))
  return values['start-opensearch'] ? startedOpensearch : undefined
}

async function main(): Promise<void> {
  const [documents, seed, repetitions, parallel] = [
    whole('documents'),
    whole('seed'),
    whole('repetitions'),
    whole('parallel'),
  ]
  const gathering = clusters(seed)
  const drawsOf = (question: Question): readonly Draw[] => {
    const random = seededRandom(seed + 2)
    return Array.from({ length: repetitions }, () => draw(random, gathering, documents, question.tileZoom ?? 6))
  }
  const work = await mkdtemp(join(tmpdir(), 'periplus-bench-'))
  try {
    console.log(`writing ${documents} documents`)
    const file = await writeBulkFile(join(work, 'documents.ndjson'), documents, seed, BATCH)
    const load = (system: System): Promise<LoadResult> => system.load(file, documents, parallel)
    const other = comparedWith()
    const periplus = await measure(startedPeriplus, load, drawsOf)
    const opensearch = other === undefined ? undefined : await measure(other, load, drawsOf)
    const report: BenchReport = {
      documents,
      seed,
      date: new Date().toISOString(),
      machine: `${cpus().length} x ${cpus()[0]?.model ?? 'unknown processor'}`,
      load: { periplus: periplus.load, ...(opensearch ? { opensearch: opensearch.load } : {}) },
      peakMemoryMiB: {
        ...(periplus.peakMemoryMiB === undefined ? {} : { periplus: periplus.peakMemoryMiB }),
        ...(opensearch?.peakMemoryMiB === undefined ? {} : { opensearch: opensearch.peakMemoryMiB }),
      },
      questions: questions.map((question) => compare(question, periplus, opensearch)),
    }
    const out = values.out ?? join('bench', 'results', `${report.date.replaceAll(':', '-')}.json`)
    await mkdir(dirname(out), { recursive: true })
    await writeFile(out, `${JSON.stringify(report, null, 2)}\n`)
    console.log(`\n${renderReport(report)}\nwritten to ${out}`)
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

if (values.help) console.log(help)
else await main()
