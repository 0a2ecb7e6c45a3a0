import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { committedOffsets, makeTopic, newTopic, ownBroker, produce, sharedBrokers } from '../support/kafka.ts'
import { PATIENT } from '../support/patience.ts'
import { type Follower, hasCount, startFollower } from './follower.ts'
import { makeWorkplace, type RunningServer, type Workplace } from './periplus.ts'

const brokers = await sharedBrokers()
const broker = brokers.length === 0 ? undefined : await ownBroker()
afterAll(() => broker?.stop())

const ship = (id: number, speed = id) => ({
  id,
  time: '2024-05-01T10:00:00Z',
  speed,
  name: 'two\nlines',
  location: `${id % 80},2`,
})
const messages = (first: number, end: number) =>
  Array.from({ length: end - first }, (_, i) => ({
    key: String(first + i),
    value: JSON.stringify(ship(first + i)),
    partition: (first + i) % 3,
  }))

describe.skipIf(brokers.length === 0)('load --follow of a Kafka topic', () => {
  let place: Workplace
  let server: RunningServer
  beforeAll(async () => {
    place = makeWorkplace()
    server = await place.serve()
  })
  afterAll(async () => {
    await server?.stop()
    place?.remove()
  })

  const start = (topic: string, ...args: readonly string[]): Follower =>
    startFollower(place, `kafka://${brokers.join(',')}/${topic}`, '--index', topic, '--collection', topic, ...args)

  it('loads the messages of all partitions, rejects what is no document, and goes on after a restart', async () => {
    const topic = newTopic()
    await makeTopic(brokers, topic, { partitions: 3 })
    await produce(brokers, topic, messages(0, 1_000))
    let follower = start(topic)
    await hasCount(server, topic, 1_000, follower)
    const pretty = JSON.stringify(ship(1_000), null, 2).replaceAll('\n', '\r\n')
    await produce(brokers, topic, [
      { value: 'no JSON', partition: 0 },
      { value: '', partition: 1 },
      { value: pretty, partition: 1 },
      { value: JSON.stringify(ship(5, 500)), partition: 2 },
    ])
    await hasCount(server, topic, 1_001, follower)
    await vi.waitFor(async () => {
      const changed = await (await fetch(`${server.url}/explore/${topic}/5?flat=true`)).json()
      expect(changed).toMatchObject({ data: { speed: 500, name: 'two\nlines' } })
    }, PATIENT)
    expect(await follower.stop('SIGINT')).toBe(3)
    expect(follower.errors()).toContain('Messages without a value are skipped')
    expect(readFileSync(place.path(`${topic}.rejects.ndjson`), 'utf8')).toContain('no JSON')

    const { place: position } = JSON.parse(readFileSync(place.path(`${topic}.position.json`), 'utf8'))
    const committed = await committedOffsets(brokers, position.group, topic, [0, 1, 2])
    expect(committed.reduce((sum, offset) => sum + offset, 0)).toBe(1_004)

    await produce(brokers, topic, messages(1_001, 1_010))
    follower = start(topic)
    await hasCount(server, topic, 1_010, follower)
    expect(follower.errors()).toContain('Going on after the committed offsets')
    expect(await follower.stop('SIGINT')).toBe(0)
    expect(follower.errors()).toContain('loaded 9 documents')
  })

  it('loses nothing when it is killed', async () => {
    const topic = newTopic()
    await makeTopic(brokers, topic, { partitions: 3 })
    await produce(brokers, topic, messages(0, 10))
    let follower = start(topic)
    await hasCount(server, topic, 10, follower)
    await produce(brokers, topic, messages(10, 5_000))
    await vi.waitFor(async () => {
      const counted = await (await fetch(`${server.url}/explore/${topic}/_count`)).json()
      expect((counted as { totalnb: number }).totalnb).toBeGreaterThan(10)
    }, PATIENT)
    await follower.stop('SIGKILL')
    follower = start(topic)
    await hasCount(server, topic, 5_000, follower)
    expect(await follower.stop()).toBe(0)
  })

  it.skipIf(broker === undefined)('waits for brokers that are away, of the configuration', async () => {
    const node = broker as NonNullable<typeof broker>
    const topic = newTopic()
    await makeTopic(node.brokers, topic)
    await produce(node.brokers, topic, [{ value: JSON.stringify(ship(1)) }])
    const configured = ['--set', `events.kafka.brokers=${node.brokers.join(',')}`]
    const follower = startFollower(place, `kafka:${topic}`, '--index', topic, '--collection', topic, ...configured)
    await hasCount(server, topic, 1, follower)
    await node.halt()
    await vi.waitFor(() => expect(follower.errors()).toContain('Trying again until it can.'), PATIENT)
    await node.start()
    await produce(node.brokers, topic, [{ value: JSON.stringify(ship(2)) }])
    await hasCount(server, topic, 2, follower)
    expect(follower.errors()).toContain('can be read again')
    expect(await follower.stop()).toBe(0)
  })

  it('refuses what cannot be read', async () => {
    const [first = ''] = brokers
    for (const [args, text] of [
      [[`kafka://${first}/${newTopic()}`, '--follow'], /Topic topic-\S+ of \S+ does not exist\./],
      [['kafka://127.0.0.1:1/events', '--follow'], /Topic events of 127\.0\.0\.1:1 cannot be read: /],
      [['kafka:events', '--follow'], /no Kafka brokers are configured/],
      [[`kafka://${first}/../events`, '--follow'], /names no Kafka topic/],
      [[`kafka://user@host/events`, '--follow'], /each broker must be HOST:PORT/],
      [[`kafka://${first}/events`, '--follow', '--format', 'csv'], /Messages of a topic are JSON objects/],
      [[`kafka://${first}/events`], /is a Kafka topic: add --follow/],
    ] as const) {
      const { code, stderr } = await place.run(['load', ...args])
      expect([code, stderr]).toEqual([expect.any(Number), expect.stringMatching(text)])
      expect([1, 2]).toContain(code)
    }
  })
})
