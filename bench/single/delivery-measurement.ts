import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { startOpensearch } from '../../scripts/cluster/opensearch-node.ts'
import { type ServerProcess, startServerProcess } from '../../test/support/server-process.ts'
import { processorMs } from '../measure/process-figures.ts'
import { timed } from '../measure/timing.ts'
import type { BenchOptions } from '../options.ts'
import { machine, saveResult } from '../report/result-file.ts'
import { table } from '../report/table.ts'

const json = { 'content-type': 'application/json' }
/** Subscriptions posted concurrently. */
const AT_ONCE = 16
/** Poll interval of the liveness probe. */
const GLANCE_MS = 10
/** Gives up if nothing arrived for this long. */
const STALLED_MS = 120_000

interface DeliveryReport {
  readonly date: string
  readonly machine: string
  readonly engine: string
  readonly subscriptions: number
  readonly answerMs: number
  readonly registration: Phase
  readonly matching: Phase
  readonly delivery: Phase
}

/** One phase, with the figures of the server and of a client that probes it meanwhile. */
interface Phase {
  readonly seconds: number
  readonly perSecond: number
  /** Processor time of the server per item. */
  readonly processorMs?: number
  /** Longest response time of `/livez` meanwhile: how long the event loop was blocked. */
  readonly longestWaitMs: number
}

/** One event for many subscriptions with one fast receiver: registration, matching and delivery. */
export async function measureDelivery(options: BenchOptions): Promise<void> {
  const { engine, subscriptions, answerMs, out } = options
  const report = await withServer(options, async (server) => {
    const receiver = await startReceiver(options.answerMs)
    try {
      await prepare(server.base)
      console.log(`registering ${subscriptions} subscriptions`)
      const registration = await phase(server, subscriptions, () => register(server.base, receiver.url, subscriptions))
      console.log('posting one event for all of them')
      const matching = await phase(server, subscriptions, () => matchAll(server.base, subscriptions))
      console.log('delivering')
      const before = receiver.count()
      const rest = subscriptions - before
      const delivery = await phase(server, rest, () => arrived(receiver.count, subscriptions))
      if (receiver.ids.size !== subscriptions) throw new Error(`${receiver.ids.size} notifications arrived`)
      return { registration, matching, delivery }
    } finally {
      await receiver.close()
    }
  })
  const whole: DeliveryReport = {
    date: new Date().toISOString(),
    ...{ machine, engine, subscriptions, answerMs },
    ...report,
  }
  console.log(`\n${render(whole)}\n`)
  await saveResult(whole, out)
}

async function withServer<T>(options: BenchOptions, work: (server: ServerProcess) => Promise<T>): Promise<T> {
  const { engine, opensearch } = options
  const node = engine === 'cluster' && opensearch === undefined ? await startOpensearch() : undefined
  try {
    const url = opensearch ?? node?.url
    const cluster = [
      'engine.kind=cluster',
      `cluster.urls=${url}`,
      'cluster.prefix=bench-delivery-',
      'cluster.replicas=0',
      `secrets.key=${randomBytes(32).toString('base64')}`,
    ]
    const settings = ['egress.allow=127.0.0.1', 'subscriptions.quota=0', ...(engine === 'cluster' ? cluster : [])]
    const server = await startServerProcess({
      nodeFlags: process.execArgv,
      flags: settings.flatMap((setting) => ['--set', setting]),
    })
    try {
      return await work(server)
    } finally {
      await server.stop()
      await server.removeData()
    }
  } finally {
    await node?.stop()
  }
}

interface CountingReceiver {
  readonly url: string
  readonly ids: ReadonlySet<string>
  readonly count: () => number
  readonly close: () => Promise<void>
}

async function startReceiver(answerMs: number): Promise<CountingReceiver> {
  const ids = new Set<string>()
  const receiver = createServer((request, response) => {
    request.resume().on('end', () => {
      ids.add(String(request.headers['webhook-id']))
      setTimeout(() => response.writeHead(204).end(), answerMs)
    })
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const { port } = receiver.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook`,
    ids,
    count: () => ids.size,
    close: () =>
      new Promise((resolve) => {
        receiver.close(() => resolve())
        receiver.closeAllConnections()
      }),
  }
}

async function prepare(base: string): Promise<void> {
  const send = (method: string, path: string, body: object) =>
    timed(`${base}${path}`, { method, headers: json, body: JSON.stringify(body) })
  const mappings = {
    properties: { id: { type: 'keyword' }, at: { type: 'date' }, where: { type: 'geo_point' } },
  }
  await send('PUT', '/index/bench-delivery', { mappings })
  const line = JSON.stringify({ id: 'd1', at: 1, where: '10,20' })
  await timed(`${base}/index/bench-delivery/_bulk`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
    body: `{"index":{"_id":"d1"}}\n${line}\n`,
  })
  await send('PUT', '/collections/bench-delivery', {
    index_name: 'bench-delivery',
    id_path: 'id',
    geometry_path: 'where',
    centroid_path: 'where',
    timestamp_path: 'at',
  })
}

async function register(base: string, callback: string, count: number): Promise<void> {
  let next = 0
  const worker = async (): Promise<void> => {
    while (next < count) {
      const n = next++
      const body = JSON.stringify({
        ...{ created_by: 'bench', active: true, starts_at: 0, expires_at: 4_000_000_000, title: `bench ${n}` },
        subscription: {
          trigger: { collections: ['bench-delivery'], event: ['UPDATE'] },
          callback,
          hits: { filter: '', projection: '' },
        },
      })
      await timed(`${base}/subscriptions`, { method: 'POST', headers: json, body })
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

async function matchAll(base: string, count: number): Promise<void> {
  const event = { id: 'for-all', collection: 'bench-delivery', event: 'UPDATE', object: { id: 'd1' } }
  await timed(`${base}/events`, { method: 'POST', headers: json, body: JSON.stringify(event) })
  for (;;) {
    const { text } = await timed(`${base}/events/for-all`, {})
    const { state, matched } = JSON.parse(text) as { state: string; matched?: number }
    if (state !== 'PENDING') {
      if (matched !== count) throw new Error(`the event is ${state}, with ${matched} notifications of ${count}`)
      return
    }
    await delay(GLANCE_MS)
  }
}

async function arrived(count: () => number, expected: number): Promise<void> {
  let seen = count()
  let changed = performance.now()
  while (count() < expected) {
    if (count() !== seen) {
      seen = count()
      changed = performance.now()
    }
    if (performance.now() - changed > STALLED_MS) throw new Error(`only ${count()} of ${expected} arrived`)
    await delay(GLANCE_MS)
  }
}

async function phase({ base, pid }: ServerProcess, count: number, work: () => Promise<void>): Promise<Phase> {
  const before = await processorMs(pid)
  const started = performance.now()
  let isOver = false
  let longestWaitMs = 0
  const looking = (async () => {
    while (!isOver) {
      longestWaitMs = Math.max(longestWaitMs, (await timed(`${base}/livez`, {})).ms)
      await delay(GLANCE_MS)
    }
  })()
  try {
    await work()
  } finally {
    isOver = true
    await looking
  }
  const seconds = (performance.now() - started) / 1000
  const after = await processorMs(pid)
  const each = before === undefined || after === undefined ? {} : { processorMs: (after - before) / count }
  return { seconds, perSecond: count / seconds, ...each, longestWaitMs }
}

function render({ registration, matching, delivery }: DeliveryReport): string {
  const row = (name: string, { seconds, perSecond, processorMs, longestWaitMs }: Phase): string[] => [
    name,
    `${seconds.toFixed(1)} s`,
    perSecond.toFixed(0),
    processorMs === undefined ? '-' : `${processorMs.toFixed(2)} ms`,
    `${longestWaitMs.toFixed(0)} ms`,
  ]
  return table([
    ['', 'took', 'per second', 'CPU time each', 'maximum latency of /livez'],
    row('registering', registration),
    row('matching', matching),
    row('delivering', delivery),
  ])
}
