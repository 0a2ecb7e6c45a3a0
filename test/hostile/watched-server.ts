import { readFile, writeFile } from 'node:fs/promises'
import { type Answer, type Call, call, must } from '../support/http-client.ts'
import { createIndex, putCollection } from '../support/index-loading.ts'
import { type ServerProcess, startServerProcess } from '../support/server-process.ts'

const DOCUMENTS = 20_000
const OWNERS = 5_000

/** What happened to the server while requests were answered. */
export interface Watched {
  readonly answers: readonly Answer[]
  /** True: they kept the thread of the server so short that nothing can be said of what was answered beside them. */
  readonly isQuick: boolean
  /** Requests to `/livez` that were answered before the last of them. */
  readonly livesBefore: number
  readonly longestLifeMs: number
  /** Longest stretch for which the event loop of the server came to nothing else. */
  readonly loopDelayMs: number
  readonly tookMs: number
  readonly grownMiB: number
}

/** Of processor time, which a busy machine does not make longer. */
const QUICK_MS = 250
/** Of the clock that /proc counts processor time by. */
const TICK_MS = 10

/** A server in a process of its own, with documents, whose memory and patience are watched. */
export class WatchedServer {
  readonly #process: ServerProcess

  private constructor(process: ServerProcess) {
    this.#process = process
  }

  static async start(): Promise<WatchedServer> {
    const server = await startServerProcess({
      flags: ['--set', 'limits.timeMs=4000', '--set', 'log.level=error'],
      nodeFlags: ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=32', '--heap-growing-percent=100'],
    })
    await createIndex(server.base, 'crowd', mappings, documents())
    await putCollection(server.base, 'crowd', params)
    // what is made once, at the first request of a kind, is not the fault of the next one
    for (const path of ['_search?size=1000', '_aggregate?agg=term:kind', '_search?format=csv']) {
      await call(server.base, { path: `/explore/crowd/${path}` })
    }
    return new WatchedServer(server)
  }

  get base(): string {
    return this.#process.base
  }

  /** Sends requests at once, and `/livez` one after the other beside them. */
  async watch(requests: readonly Call[]): Promise<Watched> {
    const before = await this.#resetPeak()
    await this.#loopDelay()
    const [busyBefore, started] = [await this.#busyMs(), performance.now()]
    let left = requests.length
    let livesBefore = 0
    let longestLifeMs = 0
    const asked = requests.map(async (request) => {
      const answer = await call(this.base, request)
      left--
      return answer
    })
    while (left > 0) {
      const sent = performance.now()
      await must(this.base, { path: '/livez' })
      longestLifeMs = Math.max(longestLifeMs, performance.now() - sent)
      if (left > 0) livesBefore++
    }
    const answers = await Promise.all(asked)
    const tookMs = performance.now() - started
    const loopDelayMs = await this.#loopDelay()
    const grownMiB = ((await this.#memory('VmHWM')) - before) / 1024
    const isQuick = (await this.#busyMs()) - busyBefore < QUICK_MS
    return { answers, isQuick, livesBefore, longestLifeMs, loopDelayMs, tookMs, grownMiB }
  }

  async stop(): Promise<void> {
    await this.#process.stop()
    await this.#process.removeData()
  }

  /** Processor time of the thread that answers requests. */
  async #busyMs(): Promise<number> {
    const { pid } = this.#process
    const stat = await readFile(`/proc/${pid}/task/${pid}/stat`, 'utf8')
    // counted behind the name in brackets, which may hold blanks
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return TICK_MS * (Number(fields[11]) + Number(fields[12]))
  }

  /** The longest since the last look. */
  async #loopDelay(): Promise<number> {
    const { text } = await call(this.base, { path: '/metrics' })
    return 1000 * Number(/^periplus_event_loop_delay_max_seconds (\S+)$/m.exec(text)?.[1])
  }

  /** KiB it takes now; its peak is counted from here on. */
  async #resetPeak(): Promise<number> {
    await writeFile(`/proc/${this.#process.pid}/clear_refs`, '5')
    return this.#memory('VmRSS')
  }

  async #memory(name: 'VmHWM' | 'VmRSS'): Promise<number> {
    const status = await readFile(`/proc/${this.#process.pid}/status`, 'utf8')
    return Number(new RegExp(`^${name}:\\s*(\\d+) kB`, 'm').exec(status)?.[1])
  }
}

const mappings = {
  properties: {
    id: { type: 'keyword' },
    kind: { type: 'keyword' },
    owner: { type: 'keyword' },
    n: { type: 'integer' },
    at: { type: 'date' },
    text: { type: 'text' },
    where: { type: 'geo_point' },
  },
}

const params = {
  index_name: 'crowd',
  id_path: 'id',
  geometry_path: 'where',
  centroid_path: 'where',
  timestamp_path: 'at',
  taggable_fields: 'kind',
}

function documents(): string {
  const lines = Array.from({ length: DOCUMENTS }, (_, i) => {
    const owner = ((i * 7919) % OWNERS).toString(36)
    const text = Array.from({ length: 12 }, (_word, j) => ((i * 31 + j * 17) % 4_000).toString(36)).join(' ')
    const where = [((i * 37) % 3_600) / 10 - 180, ((i * 53) % 1_600) / 10 - 80]
    const document = { id: `d${i}`, kind: `k${i % 20}`, owner, n: i, at: 1_700_000_000_000 + i * 60_000, text, where }
    return `{"index":{"_id":"d${i}"}}\n${JSON.stringify(document)}\n`
  })
  return lines.join('')
}
