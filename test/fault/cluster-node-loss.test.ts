import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type SearchCluster, startOpensearchCluster } from '../../scripts/cluster/opensearch-node.ts'
import { waitForHealth } from '../../scripts/cluster/search-node.ts'
import { clusterUrl } from '../support/cluster-url.ts'
import { loadHarbours } from '../support/harbours.ts'
import { type Answer, call } from '../support/http-client.ts'
import { startServerOn } from '../support/own-cluster-server.ts'
import type { RunningServer } from '../support/running-server.ts'

const TIME_LIMIT_MS = 5_000
/** What a loaded machine may take on top of it. */
const SLACK_MS = 40_000
const CALLERS = 3
/** Right answers in a row that tell that service is full again. */
const ENOUGH = 60
const RECOVERED_WITHIN_MS = 240_000

const questions = [
  '_search?sort=-seen,id&size=20',
  '_search?f=kind:eq:ferry&f=size:gte:50&sort=id&size=5',
  '_count?f=title:like:north',
  '_count?f=where:within:10,10,40,40',
  '_aggregate?agg=term:kind:collect_field-size:collect_fct-sum',
  '_aggregate?agg=datehistogram:seen:interval-1week&agg=term:kind',
  '_geoaggregate?agg=geotile:where:interval-4',
  '_compute?field=size&metric=avg',
].map((question) => `/explore/harbours/${question}`)

interface Told {
  readonly question: string
  readonly answer: Answer
  readonly ms: number
}

/** An answer without what no two have in common. */
function essence(answer: Answer): unknown {
  const { query_time: _, total_time: __, links: ___, ...rest } = answer.json() as Readonly<Record<string, unknown>>
  return rest
}

describe.skipIf(clusterUrl === '')('a cluster of three nodes that loses one', () => {
  let cluster: SearchCluster
  let server: RunningServer
  /** Has time enough to load the documents and to tell the right answers, on any machine. */
  let patient: RunningServer
  beforeAll(async () => {
    cluster = await startOpensearchCluster({ size: 3, heapMiB: 256, purpose: 'testing' })
    const settings = { 'cluster.shards': '3', 'cluster.replicas': '1', 'cache.enabled': 'false' }
    patient = await startServerOn(cluster.urls, settings)
    await loadHarbours(patient.base, 4_000)
    await waitForHealth(cluster.urls[0] ?? '', 'wait_for_status=green')
    server = await startServerOn(cluster.urls, { ...settings, 'limits.timeMs': String(TIME_LIMIT_MS) })
  })
  afterAll(async () => {
    await server?.stop()
    await patient?.stop()
    await cluster?.stop()
  })

  test('answers rightly or says it cannot, and soon serves again in full', async () => {
    const right = new Map<string, unknown>()
    for (const question of questions) {
      const answer = await call(patient.base, { path: question })
      expect(answer.status, `${question} ${answer.text}`).toBe(200)
      right.set(question, essence(answer))
    }
    const told: Told[] = []
    let inARow = 0
    let killed = false
    const until = Date.now() + RECOVERED_WITHIN_MS
    const isOver = (): boolean => (killed && inARow >= ENOUGH) || Date.now() > until
    const ask = async (from: number): Promise<void> => {
      for (let i = from; !isOver(); i++) {
        const question = questions[i % questions.length] ?? ''
        const began = performance.now()
        const answer = await call(server.base, { path: question })
        told.push({ question, answer, ms: performance.now() - began })
        inARow = answer.status === 200 ? inARow + 1 : 0
      }
    }
    const callers = Array.from({ length: CALLERS }, (_, i) => ask(i))
    while (told.length < 3 * questions.length && Date.now() < until) await new Promise(setImmediate)
    await (await managerOf(cluster)).kill()
    inARow = 0
    killed = true
    await Promise.all(callers)

    for (const { question, answer, ms } of told) {
      expect([200, 503, 504], `${question} ${answer.text}`).toContain(answer.status)
      expect(ms, question).toBeLessThan(TIME_LIMIT_MS + SLACK_MS)
      if (answer.status === 200) expect(essence(answer), question).toEqual(right.get(question))
    }
    expect(
      inARow,
      `answers in a row; all: ${told.map(({ answer }) => answer.status).join(' ')}`,
    ).toBeGreaterThanOrEqual(ENOUGH)
    const ready = await call(server.base, { path: '/readyz' })
    expect(ready.status, ready.text).toBe(200)
  })
})

/** The node whose loss hurts most. */
async function managerOf({ nodes, urls }: SearchCluster) {
  const answer = await fetch(`${urls[0]}/_cat/cluster_manager?h=node`)
  const name = (await answer.text()).trim()
  const node = nodes[Number(name.replace('node-', '')) - 1]
  if (node === undefined) throw new Error(`no node is called ${name}`)
  return node
}
