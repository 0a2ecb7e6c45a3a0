import { readFile, writeFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { type Answer, type Call, call, must } from '../support/http-client.ts'
import { createIndex, putCollection } from '../support/index-loading.ts'
import { type ServerProcess, startServerProcess } from '../support/server-process.ts'

const DOCUMENTS = 20_000
const OWNERS = 5_000

/** State of the server while it served requests. */
export interface Watched {
  readonly answers: readonly Answer[]
  /** True if the requests used so little CPU time that the responsiveness cannot be judged. */
  readonly isQuick: boolean
  /** Number of `/livez` responses before the last of the requests was finished. */
  readonly livesBefore: number
  readonly longestLifeMs: number
  /** Maximum event loop delay of the server. */
  readonly loopDelayMs: number
  readonly tookMs: number
  readonly grownMiB: number
}

/** Milliseconds of CPU time, which does not depend on the load of the machine. */
const QUICK_MS = 250
/** Pause between two `/livez` requests, which would keep a core busy otherwise. */
const PAUSE_MS = 5
/** Milliseconds per clock tick of the CPU times in /proc. */
const TICK_MS = 10

/** A server in a separate process, loaded with documents, whose memory and responsiveness are monitored. */
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
    // Warm up, so that one-time costs are not attributed to later requests.
    for (const path of ['_search?size=1000', '_aggregate?agg=term:kind', '_search?format=csv']) {
      await call(server.base, { path: `/explore/crowd/${path}` })
    }
    return new WatchedServer(server)
  }

  get base(): string {
    return this.#process.base
  }

  /** Sends requests concurrently, and `/livez` requests one after the other meanwhile. */
  async watch(requests: readonly Call[]): Promise<Watched> {
    const before = await this.#resetPeak()
    await this.#loopDelay()
    const [busyBefore, started] = [await this.#busyMs(), performance.now()]
    let left = requests.length
    let livesBefore = 0
    let longestLifeMs = 0
    const asked = requests.map((request) =>
      answerOf(this.base, request).finally(() => {
        left--
      }),
    )
    // Rejections are reported below, when all have ended.
    const settled = Promise.allSettled(asked)
    while (left > 0) {
      const sent = performance.now()
      await must(this.base, { path: '/livez' })
      longestLifeMs = Math.max(longestLifeMs, performance.now() - sent)
      if (left > 0) livesBefore++
      await Promise.race([settled, delay(PAUSE_MS)])
    }
    await settled
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

  /** Returns the CPU time of the main thread. */
  async #busyMs(): Promise<number> {
    const { pid } = this.#process
    const stat = await readFile(`/proc/${pid}/task/${pid}/stat`, 'utf8')
    // The fields start after the process name in parentheses, which may contain spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return TICK_MS * (Number(fields[11]) + Number(fields[12]))
  }

  /** Returns the maximum event loop delay since the previous call. */
  async #loopDelay(): Promise<number> {
    const { text } = await call(this.base, { path: '/metrics' })
    return 1000 * Number(/^periplus_event_loop_delay_max_seconds (\S+)$/m.exec(text)?.[1])
  }

  /** Returns the current memory in KiB and resets the peak. */
  async #resetPeak(): Promise<number> {
    await writeFile(`/proc/${this.#process.pid}/clear_refs`, '5')
    return this.#memory('VmRSS')
  }

  async #memory(name: 'VmHWM' | 'VmRSS'): Promise<number> {
    const status = await readFile(`/proc/${this.#process.pid}/status`, 'utf8')
    return Number(new RegExp(`^${name}:\\s*(\\d+) kB`, 'm').exec(status)?.[1])
  }
}

/**
 * A stream that takes longer than limits.timeMs is cut: its status has been sent, so it counts as 504. A server that has
 * crashed does not respond to the next request.
 */
async function answerOf(base: string, request: Call): Promise<Answer> {
  try {
    return await call(base, request)
  } catch (error) {
    if (!(error instanceof Error && error.message === 'aborted')) throw error
    return { status: 504, headers: {}, text: '', bytes: Buffer.alloc(0), json: () => undefined }
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
