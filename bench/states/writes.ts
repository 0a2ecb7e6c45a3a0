import { indexLines } from '../data/bulk-lines.ts'
import { documentDrawer, idOf, LAST_DAY } from '../data/documents.ts'
import { seededRandom } from '../data/random.ts'
import { whileClientsAsk } from '../measure/throughput.ts'
import { summarise } from '../measure/timing.ts'
import { drawsOf } from '../questions/draws.ts'
import type { WriteRow } from '../report/result.ts'
import type { System } from '../systems/system.ts'
import type { Bench } from './bench.ts'

const BATCHES = [1, 200, 5_000] as const
const READERS = 8
/** Requests per size of a batch. */
const WRITES = 15
/** Beyond the ids of the live stream. */
const FIRST_ID = 500_000_000

/** Times of bulk requests of new documents while clients read. */
export async function measureWrites(bench: Bench): Promise<readonly WriteRow[]> {
  const rows: WriteRow[] = []
  for (const system of bench.writable) {
    const draw = documentDrawer(seededRandom(bench.seed + 5), bench.seed)
    let next = FIRST_ID
    for (const batch of BATCHES) {
      bench.say(`${system.name}, batches of ${batch}`)
      const writeAll = async (): Promise<readonly number[]> => {
        const times: number[] = []
        for (let n = 0; n < WRITES; n++) {
          const lines = Array.from({ length: batch }, () => indexLines(draw(idOf(next), LAST_DAY + next++ - FIRST_ID)))
          const body = Buffer.from(lines.join(''))
          const sent = performance.now()
          await system.write('points', body)
          times.push(performance.now() - sent)
        }
        return times
      }
      const { result } = await whileClientsAsk(READERS, readerOf(bench, system), writeAll)
      rows.push({ system: system.name, batch, readers: READERS, timing: summarise(result) })
    }
  }
  return rows
}

/** Readers ask what is quick for every system, in turn. */
function readerOf(bench: Bench, system: System): (n: number) => Promise<unknown> {
  const asked = bench.questions
    .filter(({ group, dataset, opensearch }) => group === 'counts' && dataset === undefined && opensearch !== undefined)
    .flatMap((question) =>
      drawsOf(question, { ...bench, repetitions: 50, time: 'changing' }).map((draw) => ({ question, draw })),
    )
  return async (n) => {
    const one = asked[n % asked.length]
    return one && system.ask(one.question, one.draw)
  }
}
