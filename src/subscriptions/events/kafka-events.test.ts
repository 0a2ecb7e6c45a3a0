import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import {
  committedOffsets,
  makeTopic,
  newTopic,
  ownBroker,
  produce,
  sharedBrokers,
} from '../../../test/support/kafka.ts'
import { PATIENT } from '../../../test/support/patience.ts'
import { type KafkaEvents, type KafkaEventsOptions, type KafkaMessage, openKafkaEvents } from './kafka-events.ts'

const brokers = await sharedBrokers()
const opened: KafkaEvents[] = []

const closeAll = async (): Promise<void> => void (await Promise.all(opened.splice(0).map((events) => events.close())))
afterEach(closeAll)

function open(options: Pick<KafkaEventsOptions, 'topic' | 'take'> & Partial<KafkaEventsOptions>): KafkaEvents {
  const events = openKafkaEvents({ brokers, group: `group-${options.topic}`, ...options })
  opened.push(events)
  return events
}

const text = ({ value }: KafkaMessage): string => Buffer.from(value ?? []).toString()
const values = (...texts: string[]) => texts.map((value) => ({ value }))

/** Collects each message once, because a rebalance may repeat messages. */
function collector() {
  const taken: string[] = []
  const seen = new Set<string>()
  const take = async (messages: readonly KafkaMessage[]): Promise<void> => {
    for (const message of messages) {
      const place = `${message.partition}:${message.offset}`
      if (!seen.has(place)) taken.push(text(message))
      seen.add(place)
    }
  }
  return { taken, take }
}

describe.skipIf(brokers.length === 0)('events of a topic', () => {
  it('are read from the earliest on, then as they come', async () => {
    const topic = newTopic()
    await makeTopic(brokers, topic)
    await produce(brokers, topic, values('a', 'b'))
    const { taken, take } = collector()
    const events = open({ topic, take })
    await vi.waitFor(() => expect(taken).toEqual(['a', 'b']), PATIENT)
    await produce(brokers, topic, values('c'))
    await vi.waitFor(() => expect(taken).toEqual(['a', 'b', 'c']), PATIENT)
    expect(events.health()).toEqual({ ok: true, detail: `events of topic ${topic}` })
  })

  it('say where they are from', async () => {
    const topic = newTopic()
    await makeTopic(brokers, topic, { partitions: 2 })
    await produce(brokers, topic, [
      { value: 'a', partition: 0 },
      { value: 'b', partition: 1 },
      { value: 'c', partition: 1 },
    ])
    const places = new Set<string>()
    open({
      topic,
      take: async (messages) => {
        for (const one of messages) places.add([one.topic, one.partition, one.offset, text(one)].join())
      },
    })
    await vi.waitFor(
      () => expect(places).toEqual(new Set([`${topic},0,0,a`, `${topic},1,0,b`, `${topic},1,1,c`])),
      PATIENT,
    )
  })

  it('are committed after they were taken, not before', async () => {
    const topic = newTopic()
    await makeTopic(brokers, topic)
    await produce(brokers, topic, values('a', 'b', 'c'))
    const taking = Promise.withResolvers<void>()
    let begun = 0
    open({
      topic,
      take: () => {
        begun += 1
        return taking.promise
      },
    })
    await vi.waitFor(() => expect(begun).toBe(1), PATIENT)
    expect(await committedOffsets(brokers, `group-${topic}`, topic)).toEqual([-1])
    taking.resolve()
    await vi.waitFor(async () => expect(await committedOffsets(brokers, `group-${topic}`, topic)).toEqual([3]), PATIENT)
  })

  it('come again when they were not taken before the end, and only those', async () => {
    const topic = newTopic()
    await makeTopic(brokers, topic)
    await produce(brokers, topic, values('a', 'b'))
    const first = collector()
    open({ topic, take: first.take })
    await vi.waitFor(async () => expect(await committedOffsets(brokers, `group-${topic}`, topic)).toEqual([2]), PATIENT)
    await closeAll()
    await produce(brokers, topic, values('c', 'd'))
    let aborted = false
    const taken = Promise.withResolvers<void>()
    open({
      topic,
      take: (_, signal) => {
        taken.resolve()
        return new Promise((_, reject) => {
          signal.addEventListener('abort', () => {
            aborted = true
            reject(signal.reason)
          })
        })
      },
    })
    await taken.promise
    await closeAll()
    expect(aborted).toBe(true)
    const last = collector()
    open({ topic, take: last.take })
    await vi.waitFor(() => expect(last.taken).toEqual(['c', 'd']), PATIENT)
    expect(first.taken).toEqual(['a', 'b'])
  })

  it('are handed over again when they could not be taken', async () => {
    const topic = newTopic()
    await makeTopic(brokers, topic)
    await produce(brokers, topic, values('a'))
    const warnings: string[] = []
    const { taken, take } = collector()
    let failures = 0
    const events = open({
      topic,
      onWarning: (warning) => warnings.push(warning),
      take: async (messages) => {
        if (failures < 2) {
          failures += 1
          throw new Error('the store is away')
        }
        await take(messages)
      },
    })
    await vi.waitFor(() => expect(taken).toEqual(['a']), PATIENT)
    expect(warnings).toEqual([`events of topic ${topic}: the store is away`])
    await vi.waitFor(() => expect(events.health().ok).toBe(true), PATIENT)
  })

  it('wait while it is paused', async () => {
    const topic = newTopic()
    await makeTopic(brokers, topic)
    const { taken, take } = collector()
    const events = open({ topic, take })
    await produce(brokers, topic, values('a'))
    await vi.waitFor(async () => expect(await committedOffsets(brokers, `group-${topic}`, topic)).toEqual([1]), PATIENT)
    events.pause()
    await produce(brokers, topic, values('b'))
    // Another group receives the message, so this group could too.
    const other = collector()
    open({ topic, group: `other-${topic}`, take: other.take })
    await vi.waitFor(() => expect(other.taken).toEqual(['a', 'b']), PATIENT)
    expect(taken).toEqual(['a'])
    events.resume()
    await vi.waitFor(() => expect(taken).toEqual(['a', 'b']), PATIENT)
  })

  it('come in batches, all of them and in order, also after a backlog', async () => {
    const topic = newTopic()
    await makeTopic(brokers, topic)
    const sent = Array.from({ length: 3_000 }, (_, i) => String(i))
    await produce(brokers, topic, values(...sent))
    const sizes: number[] = []
    const { taken, take } = collector()
    open({
      topic,
      take: async (messages) => {
        sizes.push(messages.length)
        await take(messages)
      },
    })
    await vi.waitFor(() => expect(taken).toHaveLength(sent.length), PATIENT)
    expect(taken).toEqual(sent)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(500)
    await produce(brokers, topic, values('later'))
    await vi.waitFor(() => expect(taken.at(-1)).toBe('later'), PATIENT)
  })

  it('are shared by the members of a group: none is left out', async () => {
    const topic = newTopic()
    await makeTopic(brokers, topic, { partitions: 4 })
    const one = collector()
    const other = collector()
    open({ topic, take: one.take })
    const sent = Array.from({ length: 40 }, (_, i) => ({ value: String(i), partition: i % 4 }))
    await produce(brokers, topic, sent.slice(0, 20))
    await vi.waitFor(() => expect(one.taken.length).toBeGreaterThanOrEqual(20), PATIENT)
    open({ topic, take: other.take })
    await produce(brokers, topic, sent.slice(20))
    await vi.waitFor(
      () => expect(new Set([...one.taken, ...other.taken])).toEqual(new Set(sent.map(({ value }) => value))),
      PATIENT,
    )
  })
})

const broker = brokers.length === 0 ? undefined : await ownBroker()
afterAll(() => broker?.stop())

describe.skipIf(broker === undefined)('events of a topic whose broker goes away', () => {
  it('go on when it is back', async () => {
    const node = broker as NonNullable<typeof broker>
    const topic = newTopic()
    await makeTopic(node.brokers, topic)
    await produce(node.brokers, topic, values('a'))
    const { taken, take } = collector()
    const events = open({ topic, take, brokers: node.brokers })
    await vi.waitFor(() => expect(taken).toEqual(['a']), PATIENT)
    await node.halt()
    await vi.waitFor(() => expect(events.health().ok).toBe(false), PATIENT)
    await node.start()
    await produce(node.brokers, topic, values('b'))
    await vi.waitFor(() => expect(taken).toEqual(['a', 'b']), PATIENT)
    await vi.waitFor(() => expect(events.health().ok).toBe(true), PATIENT)
  })
})
