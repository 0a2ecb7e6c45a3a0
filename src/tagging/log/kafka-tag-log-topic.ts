import { setTimeout as delay } from 'node:timers/promises'
import { Admin, ConfigResourceTypes, findErrorBy } from '@platformatic/kafka'
import { closeClient, kafkaConnection } from '../../storage/kafka-connection.ts'
import type { Place } from './kafka-tag-log-partition.ts'

/** Requests have at most 1 MiB, of which a record is a little more; brokers take 1 MiB unless told otherwise. */
const LARGEST_RECORD = 4 * 1024 * 1024

/** How often, and at what distance, a topic that was made is looked for. */
const MADE_WITHIN = 20
const MADE_EVERY_MS = 100

export interface TopicOptions {
  readonly brokers: readonly string[]
  readonly topic: string
  /** How long records are kept; for ever unless given. */
  readonly retentionMs?: number
}

/** The topic is there, but is not the log: waiting does not help. */
export class TopicRefused extends Error {
  override readonly name = 'TopicRefused'
}

/** Finds the topic, or makes it; refuses one that cannot hold one sequence. */
export async function findTopic(options: TopicOptions): Promise<Place> {
  return withAdmin(options, async (admin) => {
    const { topic } = options
    const found = (await describe(admin, topic)) ?? (await make(admin, options)) ?? (await describeSoon(admin, topic))
    if (found === undefined) throw new Error(`topic ${topic} is being made`)
    if (found.partitions !== 1) {
      throw new TopicRefused(`topic ${topic} has ${found.partitions} partitions; the tag log needs exactly one`)
    }
    return { topic, topicId: found.id, node: found.leader }
  })
}

/** What of the topic's settings may lose records. */
export async function topicWarnings(options: TopicOptions): Promise<readonly string[]> {
  return withAdmin(options, async (admin) => {
    const { topic } = options
    const wanted = wantedSettings(options)
    const [described] = await admin.describeConfigs({
      resources: [
        { resourceType: ConfigResourceTypes.TOPIC, resourceName: topic, configurationKeys: Object.keys(wanted) },
      ],
    })
    return Object.entries(wanted).flatMap(([name, value]) => {
      const actual = described?.configs.find((one) => one.name === name)?.value ?? ''
      return actual === value ? [] : [`topic ${topic} has ${name}=${actual}; the tag log wants ${value}`]
    })
  })
}

function wantedSettings({ retentionMs = -1 }: TopicOptions): Readonly<Record<string, string>> {
  return { 'cleanup.policy': 'delete', 'retention.ms': String(retentionMs), 'retention.bytes': '-1' }
}

interface Described {
  readonly id: string
  readonly partitions: number
  readonly leader: number
}

/** A topic that was just made is not known to every broker at once. */
async function describeSoon(admin: Admin, topic: string): Promise<Described | undefined> {
  for (let attempt = 1; ; attempt++) {
    const found = await describe(admin, topic)
    if (found !== undefined || attempt === MADE_WITHIN) return found
    await delay(MADE_EVERY_MS)
  }
}

async function describe(admin: Admin, topic: string): Promise<Described | undefined> {
  try {
    const { topics } = await admin.metadata({ topics: [topic], autocreateTopics: false, forceUpdate: true })
    const found = topics.get(topic)
    if (found === undefined) return undefined
    return { id: found.id, partitions: found.partitionsCount, leader: found.partitions[0]?.leader ?? -1 }
  } catch (error) {
    // the client has no code for it
    if (error instanceof Error && error.message.startsWith('Unknown topic')) return undefined
    throw error
  }
}

/** Undefined: another server was faster. */
async function make(admin: Admin, options: TopicOptions): Promise<undefined> {
  const settings = { ...wantedSettings(options), 'max.message.bytes': String(LARGEST_RECORD) }
  try {
    await admin.createTopics({
      topics: [options.topic],
      partitions: 1,
      // as many copies as the brokers make of any topic
      replicas: -1,
      configs: Object.entries(settings).map(([name, value]) => ({ name, value })),
    })
  } catch (error) {
    if (!(error instanceof Error) || findErrorBy(error, 'apiId', 'TOPIC_ALREADY_EXISTS') === null) throw error
  }
  return undefined
}

async function withAdmin<T>({ brokers }: TopicOptions, work: (admin: Admin) => Promise<T>): Promise<T> {
  const admin = new Admin(kafkaConnection(brokers))
  try {
    return await work(admin)
  } finally {
    await closeClient(() => admin.close())
  }
}
