import type { QuestionRow, QuestionTable } from '../report/result.ts'
import { askOnce, rowOf } from './ask-questions.ts'
import type { Bench } from './bench.ts'
import { questionsIn } from './plan.ts'

const STATE = 'after a restart'
const REQUESTS = ['first', 'second'] as const

/**
 * Restarts the systems and asks every question twice, the same both times. Nothing is repeated: the first request of a
 * question is there once. Later questions find what earlier ones have read.
 */
export async function askAfterRestart(bench: Bench): Promise<readonly QuestionTable[]> {
  const systems = bench.writable.filter(({ restart }) => restart !== undefined)
  for (const system of systems) await system.restart?.({ cache: false })
  const tables: QuestionTable[] = []
  for (const time of bench.plan.times[STATE]) {
    const rows: Record<(typeof REQUESTS)[number], QuestionRow[]> = { first: [], second: [] }
    for (const question of questionsIn(bench.questions, STATE, time)) {
      bench.say(question.name)
      for (const request of REQUESTS) rows[request].push(rowOf(question, await askOnce(bench, systems, question, time)))
    }
    tables.push(...REQUESTS.map((request) => ({ state: STATE, time, request, rows: rows[request] }) as const))
  }
  return tables
}
