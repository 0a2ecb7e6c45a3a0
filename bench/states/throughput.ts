import { CLIENTS, REFRESH_REQUESTS, refreshAtOnce, throughputOf } from '../measure/throughput.ts'
import { summarise } from '../measure/timing.ts'
import { drawsOf } from '../questions/draws.ts'
import type { Draw, Question } from '../questions/question.ts'
import type { RefreshRow, ThroughputRow } from '../report/result.ts'
import type { System } from '../systems/system.ts'
import type { Bench } from './bench.ts'

/** Seconds of each number of clients. */
const SECONDS = 5
const REFRESHES = 10

interface AskedQuestion {
  readonly question: Question
  readonly draw: Draw
}

/** Questions of a dashboard per second, with several numbers of clients. */
export async function measureThroughput(bench: Bench): Promise<readonly ThroughputRow[]> {
  const asked = dashboardRequests(bench, 200)
  const rows: ThroughputRow[] = []
  for (const clients of CLIENTS) {
    for (const system of bench.writable) {
      bench.say(`${system.name}, ${clients} clients`)
      const throughput = await throughputOf(clients, SECONDS, (n) => ask(system, asked[n % asked.length]))
      rows.push({ system: system.name, question: 'a mixture of dashboard requests', ...throughput })
    }
  }
  return rows
}

/** Time until a dashboard has all its answers, when it sends its requests at once. */
export async function measureRefreshes(bench: Bench): Promise<readonly RefreshRow[]> {
  const times = new Map(bench.writable.map(({ name }) => [name, [] as number[]]))
  const all = dashboardRequests(bench, REFRESHES * REFRESH_REQUESTS)
  for (let n = 0; n < REFRESHES; n++) {
    const asked = all.slice(n * REFRESH_REQUESTS, (n + 1) * REFRESH_REQUESTS)
    for (const system of bench.writable) {
      times.get(system.name)?.push(await refreshAtOnce(asked.map((one) => () => ask(system, one))))
    }
  }
  return [...times].map(([system, given]) => ({ system, requests: REFRESH_REQUESTS, timing: summarise(given) }))
}

const ask = async (system: System, one: AskedQuestion | undefined): Promise<unknown> =>
  one && system.ask(one.question, one.draw)

/** Requests that both systems answer: counts, rankings, timelines, grids and newest documents, each with a time filter. */
function dashboardRequests(bench: Bench, count: number): readonly AskedQuestion[] {
  const questions = bench.questions.filter(
    ({ group, dataset, opensearch }) =>
      dataset === undefined && opensearch !== undefined && ['counts', 'aggregations', 'documents'].includes(group),
  )
  const each = Math.ceil(count / Math.max(1, questions.length))
  const drawn = questions.map((question) => ({
    question,
    draws: drawsOf(question, { ...bench, repetitions: each, time: 'changing' }),
  }))
  return Array.from({ length: each }, (_, n) =>
    drawn.flatMap(({ question, draws }) => {
      const draw = draws[n]
      return draw === undefined ? [] : [{ question, draw }]
    }),
  )
    .flat()
    .slice(0, count)
}
