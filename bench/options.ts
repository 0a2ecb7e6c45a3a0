import { parseArgs } from 'node:util'

const HELP = `Loads documents and asks questions about them.

  --engine embedded    the embedded engine, by itself or compared with OpenSearch (default)
  --engine cluster     Periplus on a cluster, compared with asking the cluster directly: what Periplus costs

  --files              exports in every format, and tiles: how fast, and in how much memory
  --tagging            bulk edits of all documents, and what a map costs meanwhile

  --matching           events held against 1,000, 10,000 and 100,000 subscriptions
  --delivery           one event delivered to many subscriptions of one receiver (--engine cluster: on a cluster)

  --subscriptions N    how many subscriptions are delivered to (20000)
  --answer-ms N        how long their receiver takes to answer (1)
  --events N           how many events are matched (20000)
  --documents N        how many documents (1000000; cluster: 200000)
  --seed N             seed of documents and questions (1)
  --repetitions N      timed repetitions of each question (50; cluster: 200)
  --parallel N         bulk requests at a time (4)
  --opensearch URL     the node at URL; its index 'bench' is replaced
  --start-opensearch   fetch and start a node (needs Maven, Java 21+, unzip); cluster: done unless there is a URL
  --only TEXT          only the questions whose name contains TEXT, or one of several: 'newest|by id'
  --out FILE           where the JSON goes (bench/results/DATE.json)
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
      help: flag,
    },
  })
  if (values.help) {
    console.log(HELP)
    return undefined
  }
  const { engine = 'embedded', opensearch, out } = values
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
    documents: whole('documents', values.documents ?? (engine === 'cluster' ? '200000' : '1000000')),
    seed: whole('seed', values.seed ?? '1'),
    repetitions: whole('repetitions', values.repetitions ?? (engine === 'cluster' ? '200' : '50')),
    parallel: whole('parallel', values.parallel ?? '4'),
    startsOpensearch: values['start-opensearch'],
    only: values.only ?? '',
    ...(opensearch === undefined || opensearch === 'none' ? {} : { opensearch: opensearch.replace(/\/+$/, '') }),
    ...(out === undefined ? {} : { out }),
  }
}

function whole(name: string, value: string): number {
  const n = Number(value)
  if (!Number.isInteger(n) || n < 1) throw new Error(`--${name} must be a positive integer, got '${value}'`)
  return n
}
