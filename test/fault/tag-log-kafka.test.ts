import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { clusterDeployment } from '../support/cluster-deployment.ts'
import { clusterUrl } from '../support/cluster-url.ts'
import { call, must } from '../support/http-client.ts'
import { consume, newTopic, ownBroker, produce } from '../support/kafka.ts'
import { PATIENT } from '../support/patience.ts'
import type { ServerProcess } from '../support/server-process.ts'
import { finished, sequence, sequenceCounters, sequenceTags, submit, TaggedIndex } from '../support/tag-sequence.ts'

const DOCUMENTS = 1_000

const broker = await ownBroker()
const topic = newTopic()
const deployment = clusterDeployment(clusterUrl, {
  'tagging.log.kind': 'kafka',
  'tagging.kafka.brokers': broker?.brokers.join(',') ?? '',
  'tagging.kafka.topic': topic,
  'tagging.cluster.bulkActions': '20',
  'log.level': 'warn',
})
const index = new TaggedIndex(deployment, 'troubled')
const { collection } = index

interface Status {
  readonly progress: number
  readonly startTime: number
}

describe.skipIf(broker === undefined)('a server whose tag log is in Kafka', () => {
  const node = broker as NonNullable<typeof broker>
  let server: ServerProcess
  let ids: readonly string[]

  const ready = () => call(server.base, { path: '/readyz' })
  const list = async () =>
    (await must(server.base, { path: `/status/${collection}/_taglist` })) as readonly {
      readonly id: string
      readonly offset: number
    }[]

  async function becomesReady(): Promise<void> {
    await vi.waitFor(async () => {
      const answer = await ready()
      expect(answer.status, answer.text).toBe(200)
    }, PATIENT)
  }

  /** Every request once, in order, and nothing else. */
  async function checkEnd(): Promise<void> {
    expect(await finished(server.base, collection, ids)).toEqual(sequenceCounters(DOCUMENTS))
    expect((await list()).map(({ id }) => id)).toEqual(ids)
    const documents = await index.documents()
    expect(documents.size).toBe(DOCUMENTS)
    for (const { kind, tags } of documents.values()) expect(tags).toEqual(sequenceTags[kind])
  }

  async function restart(): Promise<void> {
    await server.stop()
    server = await deployment.start()
    await becomesReady()
  }

  beforeAll(async () => {
    server = await deployment.start()
    await index.load(server.base, DOCUMENTS)
    await becomesReady()
  })
  afterAll(async () => {
    await deployment.remove()
    await broker?.stop()
  })

  test('refuses tags while the broker is away, says why, and goes on afterwards', async () => {
    const [first, ...others] = sequence
    if (first === undefined) throw new Error('there is a first request')
    const id = await submit(server.base, collection, first)
    await index.whenBegun('first', () => node.halt())

    const path = `/write/${collection}/_tag`
    const refused = await call(server.base, { method: 'POST', path, body: others[0]?.body })
    expect(refused.json()).toMatchObject({ status: 500, error: 'LOG_UNAVAILABLE' })
    expect(refused.headers['retry-after']).toBe('5')
    await vi.waitFor(async () => {
      const answer = await ready()
      expect(answer.json()).toMatchObject({ status: 503, message: expect.stringContaining(`topic ${topic}`) })
    }, PATIENT)
    // what was accepted is done: nothing of it has to be asked of the broker
    await vi.waitFor(async () => expect(await index.count('first')).toBe(DOCUMENTS), PATIENT)

    await node.start()
    await becomesReady()
    const later: string[] = []
    for (const request of others) later.push(await submit(server.base, collection, request))
    ids = [id, ...later]
    await checkEnd()
  })

  test('knows all of it after a restart', async () => {
    await restart()
    await checkEnd()
  })

  test('skips records that are there twice, and whatever is no record', async () => {
    const [first] = await consume(node.brokers, topic, 1)
    const value = first?.value ?? ''
    expect(JSON.parse(value)).toMatchObject({ id: ids[0], v: 1 })
    const garbage = ['', '{', '{"v":1}', 'null', value.replace('"ADD"', '"EAT"')]
    await produce(node.brokers, topic, [{ value }, ...garbage.map((text) => ({ value: text })), { value }])
    // it has a higher offset than all of them
    const [again] = sequence.slice(1)
    if (again === undefined) throw new Error('there is a second request')
    ids = [...ids, await submit(server.base, collection, again)]
    const expected = [...sequenceCounters(DOCUMENTS), sequenceCounters(DOCUMENTS)[1]]
    const check = async (): Promise<void> => {
      expect(await finished(server.base, collection, ids)).toEqual(expected)
      expect((await list()).map(({ id }) => id)).toEqual(ids)
      for (const { kind, tags } of (await index.documents()).values()) expect(tags).toEqual(sequenceTags[kind])
      const { text } = await call(server.base, { path: '/metrics' })
      expect(text).toMatch(new RegExp(`^periplus_tag_log_bad_records_total ${garbage.length}$`, 'm'))
    }
    await check()
    await restart()
    await check()
  })

  test('replays what it has, each record once', async () => {
    const statusOf = async (id: string) =>
      (await must(server.base, { path: `/status/${collection}/_tag/${id}` })) as Status
    const before = await Promise.all(ids.map(statusOf))
    expect(await must(server.base, { method: 'POST', path: `/write/${collection}/_tagreplay?offset=0` })).toBe(0)
    const counters = await finished(server.base, collection, ids)
    const after = await Promise.all(ids.map(statusOf))
    for (const [n, { startTime }] of after.entries()) expect(startTime).toBeGreaterThan(before[n]?.startTime ?? 0)
    expect(counters).toEqual([...sequenceCounters(DOCUMENTS), sequenceCounters(DOCUMENTS)[1]])
    for (const { kind, tags } of (await index.documents()).values()) expect(tags).toEqual(sequenceTags[kind])
  })
})
