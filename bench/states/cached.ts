import { drawsOf } from '../questions/draws.ts'
import type { Question, TimeFilter } from '../questions/question.ts'
import type { QuestionTable } from '../report/result.ts'
import type { Reply } from '../systems/system.ts'
import { rowOf } from './ask-questions.ts'
import type { Bench } from './bench.ts'
import { questionsIn } from './plan.ts'

const STATE = 'cached'

/** Restarts Periplus with its result cache and asks every question twice in a row; the second answer counts. */
export async function askCached(bench: Bench): Promise<readonly QuestionTable[]> {
  const { periplus, questions, plan } = bench
  await periplus.restart?.({ cache: true })
  const tables: QuestionTable[] = []
  for (const time of plan.times[STATE]) {
    const rows: QuestionTable['rows'][number][] = []
    for (const question of questionsIn(questions, STATE, time)) {
      bench.say(question.name)
      const replies = new Map([[periplus.name, await askTwice(bench, question, time)]])
      rows.push(rowOf(question, { replies, differences: [] }))
    }
    tables.push({ state: STATE, time, rows })
  }
  await periplus.restart?.({ cache: false })
  return tables
}

/** Second answers. */
async function askTwice(bench: Bench, question: Question, time: TimeFilter): Promise<readonly Reply[]> {
  const { periplus, budgetMs } = bench
  const replies: Reply[] = []
  const until = performance.now() + budgetMs
  for (const draw of drawsOf(question, { ...bench, time })) {
    await periplus.ask(question, draw)
    const reply = await periplus.ask(question, draw)
    if (reply !== undefined) replies.push(reply)
    if (performance.now() >= until) break
  }
  return replies
}
