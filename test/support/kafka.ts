import { Admin, Consumer, type Message, Producer, stringDeserializers, stringSerializers } from '@platformatic/kafka'
import { expect, inject, vi } from 'vitest'
import { type KafkaNode, startKafka } from '../../scripts/kafka/kafka-node.ts'
import { MissingTool } from '../../scripts/tools/missing-tool.ts'
import { isChecking } from './checking.ts'
import { PATIENT } from './patience.ts'
import { askService } from './shared-service.ts'

/** Returns the shared broker; empty if it cannot be started. */
export async function sharedBrokers(): Promise<readonly string[]> {
  const brokers = await askService(inject('kafkaService'))
  return brokers.split(',').filter((broker) => broker !== '')
}

/** Starts a separate broker, which the test can stop and start; undefined if it cannot be started. */
export async function ownBroker(): Promise<KafkaNode | undefined> {
  try {
    return await startKafka()
  } catch (error) {
    if (!(error instanceof MissingTool) || isChecking()) throw error
    return undefined
  }
}

let topics = 0

/** Returns a unique topic name. */
export function newTopic(): string {
  topics += 1
  return `topic-${process.pid}-${Date.now()}-${topics}`
}

export async function makeTopic(
  brokers: readonly string[],
  topic: string,
  { partitions = 1, settings = {} }: { partitions?: number; settings?: Readonly<Record<string, string>> } = {},
): Promise<void> {
  await withAdmin(brokers, async (admin) => {
    await admin.createTopics({
      topics: [topic],
      partitions,
      replicas: 1,
      configs: Object.entries(settings).map(([name, value]) => ({ name, value })),
    })
    // The topic is usable when all partitions have a leader.
    await vi.waitFor(async () => {
      const { topics } = await admin.metadata({ topics: [topic], forceUpdate: true })
      const leaders = topics.get(topic)?.partitions.map(({ leader }) => leader) ?? []
      expect(leaders.filter((leader) => leader >= 0)).toHaveLength(partitions)
    }, PATIENT)
  })
}

export async function dropTopic(brokers: readonly string[], topic: string): Promise<void> {
  await withAdmin(brokers, (admin) => admin.deleteTopics({ topics: [topic] }))
}

/** Returns the settings of a topic. */
export async function topicSettings(brokers: readonly string[], topic: string): Promise<ReadonlyMap<string, string>> {
  const [described] = await withAdmin(brokers, (admin) =>
    admin.describeConfigs({ resources: [{ resourceType: 2, resourceName: topic }] }),
  )
  return new Map(described?.configs.map(({ name, value }) => [name, value ?? '']))
}

/** Returns the committed offsets of a group by partition; -1 if there is none. */
export async function committedOffsets(
  brokers: readonly string[],
  group: string,
  topic: string,
  partitions = [0],
): Promise<readonly number[]> {
  const [found] = await withAdmin(brokers, (admin) =>
    admin.listConsumerGroupOffsets({
      groups: [{ groupId: group, topics: [{ name: topic, partitionIndexes: partitions }] }],
    }),
  )
  const known = found?.topics.find(({ name }) => name === topic)?.partitions ?? []
  return partitions.map((partition) => {
    return Number(known.find(({ partitionIndex }) => partitionIndex === partition)?.committedOffset ?? -1n)
  })
}

interface SentMessage {
  readonly key?: string
  readonly value: string
  readonly partition?: number
}

export async function produce(
  brokers: readonly string[],
  topic: string,
  messages: readonly SentMessage[],
): Promise<void> {
  const producer = new Producer({
    clientId: 'test',
    bootstrapBrokers: [...brokers],
    serializers: stringSerializers,
    // Otherwise retries would create duplicates.
    idempotent: true,
  })
  try {
    await producer.send({ messages: messages.map((message) => ({ topic, ...message })) })
  } finally {
    await producer.close()
  }
}

type ReceivedMessage = Message<string, string, string, string>

/** Reads the given number of messages from the beginning of a topic. */
export async function consume(brokers: readonly string[], topic: string, count: number): Promise<ReceivedMessage[]> {
  const consumer = new Consumer({
    clientId: 'test',
    groupId: `test-${newTopic()}`,
    bootstrapBrokers: [...brokers],
    deserializers: stringDeserializers,
    maxWaitTime: 100,
  })
  const received: ReceivedMessage[] = []
  try {
    const stream = await consumer.consume({ topics: [topic], mode: 'earliest', autocommit: false })
    for await (const message of stream) {
      received.push(message)
      if (received.length === count) break
    }
  } finally {
    await consumer.close(true)
  }
  return received
}

async function withAdmin<T>(brokers: readonly string[], work: (admin: Admin) => Promise<T>): Promise<T> {
  const admin = new Admin({ clientId: 'test', bootstrapBrokers: [...brokers] })
  try {
    return await work(admin)
  } finally {
    await admin.close()
  }
}
