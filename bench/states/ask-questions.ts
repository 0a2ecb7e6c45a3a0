import { askInTurns, type Turned } from '../measure/in-turns.ts'
import { summarise } from '../measure/timing.ts'
import { differenceOf } from '../questions/answers.ts'
import { drawsOf } from '../questions/draws.ts'
import type { Answer, Question, TimeFilter } from '../questions/question.ts'
import type { QuestionRow, QuestionTable, StateName } from '../report/result.ts'
import type { System } from '../systems/system.ts'
import type { Bench } from './bench.ts'
import { questionsIn } from './plan.ts'

interface Asking {
  readonly state: StateName
  readonly systems: readonly System[]
  /** False while documents arrive: two systems are never asked at the same moment. */
  readonly isCompared?: boolean
}

/** Repetitions of the warm-up, so that all systems have compiled their hot code. */
const WARM_UP = 50
/** Of the time of the repetitions. */
const WARM_UP_SHARE = 0.3

/** Asks all questions of a state of all systems in turns, with every time filter of the state. */
export async function askQuestions(bench: Bench, asking: Asking): Promise<readonly QuestionTable[]> {
  const tables: QuestionTable[] = []
  for (const time of bench.plan.times[asking.state]) tables.push(await askAll(bench, asking, time))
  return tables
}

async function askAll(bench: Bench, asking: Asking, time: TimeFilter): Promise<QuestionTable> {
  const { state, systems, isCompared = true } = asking
  const { repetitions, budgetMs } = bench
  const rows: QuestionRow[] = []
  for (const question of questionsIn(bench.questions, state, time)) {
    bench.say(question.name)
    const all = drawsOf(question, { ...bench, repetitions: repetitions + WARM_UP, time })
    const turned = await askInTurns(systems, question, {
      warmUp: all.slice(repetitions),
      warmUpMs: budgetMs * WARM_UP_SHARE,
      draws: all.slice(0, repetitions),
      budgetMs: budgetMs * systems.length,
      differenceOf: isCompared ? differenceIn(question) : () => undefined,
    })
    rows.push(rowOf(question, turned))
  }
  return { state, time, rows }
}

/** Asks a question once, without a warm-up. */
export function askOnce(
  bench: Bench,
  systems: readonly System[],
  question: Question,
  time: TimeFilter,
): Promise<Turned> {
  const draws = drawsOf(question, { ...bench, repetitions: 1, time })
  const differenceOf = differenceIn(question)
  return askInTurns(systems, question, { warmUp: [], warmUpMs: 0, draws, budgetMs: 0, differenceOf })
}

const differenceIn =
  ({ atBorder }: Question) =>
  (expected: Answer, actual: Answer): string | undefined =>
    differenceOf(expected, actual, atBorder)

export function rowOf({ name, group }: Question, { replies, differences }: Turned): QuestionRow {
  const timings = [...replies]
    .filter(([, given]) => given.length > 0)
    .map(([system, given]) => [system, summarise(given.map(({ ms }) => ms))] as const)
  return { question: name, group, timings: Object.fromEntries(timings), differences }
}
