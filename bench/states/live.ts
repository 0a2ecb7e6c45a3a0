import { liveBatches } from '../data/changes.ts'
import { summarise } from '../measure/timing.ts'
import type { QuestionRow, QuestionTable, StateName, WriterRow } from '../report/result.ts'
import type { System } from '../systems/system.ts'
import { askOnce, askQuestions } from './ask-questions.ts'
import type { Bench } from './bench.ts'
import { BATCH, LiveWriter } from './live-writer.ts'
import { questionsIn } from './plan.ts'

/** Batches that a slower system gets in one request afterwards. */
const AT_ONCE = 25

/** The batches of one system. They go on from one rate to the next, so that every new document has an id of its own. */
interface Stream {
  readonly system: System
  readonly batches: Iterator<Buffer, never>
  written: number
}

/** Asks all questions while documents arrive at every system at once. */
export class LiveStates {
  readonly #streams: readonly Stream[]

  constructor({ writable, seed, documents }: Bench) {
    this.#streams = writable.map((system) => ({ system, batches: liveBatches(seed, documents), written: 0 }))
  }

  async ask(bench: Bench, state: StateName, rate: number): Promise<LiveResult> {
    const writers = this.#streams.map((stream) => ({
      stream,
      writer: new LiveWriter(stream.system, rate, stream.batches),
    }))
    const tables = await askQuestions(bench, { state, systems: bench.writable, isCompared: false })
    const rows: WriterRow[] = []
    for (const { stream, writer } of writers) {
      const { system, wanted, reached, batchMs } = await writer.stop()
      stream.written += batchMs.length
      rows.push({ ...{ state, system, wanted, reached, batch: BATCH }, timing: summarise(batchMs) })
    }
    await this.#catchUp()
    return { tables: await withDifferences(bench, tables), writers: rows }
  }

  /** Writes what slower systems have missed, so that all have the same documents. */
  async #catchUp(): Promise<void> {
    const most = Math.max(...this.#streams.map(({ written }) => written))
    for (const stream of this.#streams) {
      while (stream.written < most) {
        const count = Math.min(AT_ONCE, most - stream.written)
        const batches = Array.from({ length: count }, () => stream.batches.next().value)
        await stream.system.write('points', Buffer.concat(batches))
        stream.written += count
      }
      await stream.system.refresh('points')
    }
  }
}

/** Compares answers after the writes, because two systems never have the same documents meanwhile. */
async function withDifferences(bench: Bench, tables: readonly QuestionTable[]): Promise<readonly QuestionTable[]> {
  const compared: QuestionTable[] = []
  for (const table of tables) {
    const rows: QuestionRow[] = []
    for (const question of questionsIn(bench.questions, table.state, table.time)) {
      const row = table.rows.find((one) => one.question === question.name)
      const { differences } = await askOnce(bench, bench.writable, question, table.time)
      if (row !== undefined) rows.push({ ...row, differences: [...row.differences, ...differences] })
    }
    compared.push({ ...table, rows })
  }
  return compared
}

interface LiveResult {
  readonly tables: readonly QuestionTable[]
  readonly writers: readonly WriterRow[]
}
