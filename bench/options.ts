import { parseArgs } from 'node:util'

const HELP = `Loads documents and measures queries, in several states and compared with other systems.

  --quick              500,000 documents, no peers, fewer states: under two minutes, for use while changing code
  --peers LIST         systems to compare with: opensearch, clickhouse, duckdb, or none (default: all of them)
  --compare FILE       prints what became faster or slower since an earlier result
  --report RUN         writes the Markdown and the chart of a finished run again
  --resume RUN         continues a run that was interrupted; finished states are not measured again
  --budget-ms N        milliseconds per question and system (default 300)

  --engine cluster     Periplus on a cluster, compared with direct queries to the cluster: the overhead of Periplus
  --files              speed and memory of exports in all formats, and of tiles
  --tagging            tagging of all documents, and the latency of a map tile meanwhile
  --matching           matching of events against 1,000, 10,000 and 100,000 subscriptions
  --delivery           delivery of one event to many subscriptions of one receiver (--engine cluster: on a cluster)

  --documents N        number of documents (default 5000000; cluster: 200000; others: 1000000)
  --seed N             seed of documents and queries (default 1)
  --repetitions N      most timed repetitions of each query (default 20; cluster: 200; others: 50)
  --parallel N         number of concurrent bulk requests (default 4)
  --opensearch URL     use the node at URL; its index 'bench' is replaced
  --start-opensearch   with --tagging: start a node too
  --subscriptions N    number of subscriptions to deliver to (default 20000)
  --answer-ms N        response time of their receiver (default 1)
  --events N           number of events to match (default 20000)
  --only TEXT          only queries whose name contains TEXT, or one of several texts: 'newest|by id'
  --out FILE           output file (default bench/results/RUN/result.json)
`

export interface BenchOptions {
  /** Measure exports and tiles instead of asking questions. */
  readonly files: boolean
  /** Measure tagging. */
  readonly tagging: boolean
  /** Measure the matching of events with subscriptions. */
  readonly matching: boolean
  /** Measure the delivery of notifications. */
  readonly delivery: boolean
  readonly subscriptions: number
  readonly answerMs: number
  readonly events: number
  readonly engine: 'embedded' | 'cluster'
  readonly documents: number
  readonly seed: number
  readonly repetitions: number
  readonly parallel: number
  readonly opensearch?: string
  readonly startsOpensearch: boolean
  readonly only: string
  readonly out?: string
  readonly quick: boolean
  readonly peers: readonly string[]
  readonly compare?: string
  readonly report?: string
  readonly resume?: string
  readonly budgetMs: number
}

/** True if `--only` selects a name. */
export const isAskedFor = (only: string, name: string): boolean => only.split('|').some((part) => name.includes(part))

const text = { type: 'string' } as const
const flag = { type: 'boolean', default: false } as const

/** Parses the command line; prints the help and returns undefined if requested. */
export function readOptions(args: readonly string[]): BenchOptions | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      engine: text,
      files: flag,
      tagging: flag,
      matching: flag,
      delivery: flag,
      subscriptions: text,
      'answer-ms': text,
      events: text,
      documents: text,
      seed: text,
      repetitions: text,
      parallel: text,
      opensearch: text,
      only: text,
      'start-opensearch': flag,
      out: text,
      quick: flag,
      peers: text,
      compare: text,
      report: text,
      resume: text,
      'budget-ms': text,
      help: flag,
    },
  })
  if (values.help) {
    console.log(HELP)
    return undefined
  }
  const { engine = 'embedded', opensearch, out, compare, report, resume, quick } = values
  const isSingle = values.files || values.tagging || values.matching || values.delivery
  if (engine !== 'embedded' && engine !== 'cluster') {
    throw new Error(`--engine must be embedded or cluster, got '${engine}'`)
  }
  return {
    files: values.files,
    tagging: values.tagging,
    matching: values.matching,
    delivery: values.delivery,
    subscriptions: whole('subscriptions', values.subscriptions ?? '20000'),
    answerMs: whole('answer-ms', values['answer-ms'] ?? '1'),
    events: whole('events', values.events ?? '20000'),
    engine,
    documents: whole('documents', values.documents ?? documentsOf(engine, isSingle, quick)),
    seed: whole('seed', values.seed ?? '1'),
    repetitions: whole('repetitions', values.repetitions ?? (engine === 'cluster' ? '200' : isSingle ? '50' : '20')),
    parallel: whole('parallel', values.parallel ?? '4'),
    startsOpensearch: values['start-opensearch'],
    only: values.only ?? '',
    quick,
    peers: (values.peers ?? (quick ? 'none' : 'opensearch,clickhouse,duckdb'))
      .split(',')
      .filter((name) => name !== 'none'),
    budgetMs: whole('budget-ms', values['budget-ms'] ?? (quick ? '100' : '300')),
    ...(compare === undefined ? {} : { compare }),
    ...(report === undefined ? {} : { report }),
    ...(resume === undefined ? {} : { resume }),
    ...(opensearch === undefined || opensearch === 'none' ? {} : { opensearch: opensearch.replace(/\/+$/, '') }),
    ...(out === undefined ? {} : { out }),
  }
}

function documentsOf(engine: string, isSingle: boolean, isQuick: boolean): string {
  if (engine === 'cluster') return '200000'
  if (isSingle) return '1000000'
  return isQuick ? '500000' : '5000000'
}

function whole(name: string, value: string): number {
  const n = Number(value)
  if (!Number.isInteger(n) || n < 1) throw new Error(`--${name} must be a positive integer, got '${value}'`)
  return n
}
