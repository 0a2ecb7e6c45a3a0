import { setTimeout as delay } from 'node:timers/promises'
import { type Admin, ConfigResourceTypes, findErrorBy } from '@platformatic/kafka'
import { type DescribedTopic, describeTopic, withAdmin } from '../../storage/kafka-admin.ts'
import type { Place } from './kafka-tag-log-partition.ts'

/** Bytes. Requests have at most 1 MiB and a record is slightly larger. The default limit of brokers is 1 MiB. */
const LARGEST_RECORD = 4 * 1024 * 1024

/** Number of lookups of a new topic, and milliseconds between them. */
const MADE_WITHIN = 20
const MADE_EVERY_MS = 100

export interface TopicOptions {
  readonly brokers: readonly string[]
  readonly topic: string
  /** Retention of records. Absent: forever. */
  readonly retentionMs?: number
}

/** The topic exists but cannot be used as the log. A retry does not help. */
export class TopicRefused extends Error {
  override readonly name = 'TopicRefused'
}

/** Finds or creates the topic. Throws TopicRefused unless it has exactly one partition. */
export async function findTopic(options: TopicOptions): Promise<Place> {
  return withAdmin(options.brokers, async (admin) => {
    const { topic } = options
    const found =
      (await describeTopic(admin, topic)) ?? (await make(admin, options)) ?? (await describeSoon(admin, topic))
    if (found === undefined) throw new Error(`topic ${topic} is being created`)
    if (found.partitions !== 1) {
      throw new TopicRefused(`topic ${topic} has ${found.partitions} partitions; the tag log requires exactly one`)
    }
    return { topic, topicId: found.id, node: found.leader }
  })
}

/** Returns warnings about topic settings that may lose records. */
export async function topicWarnings(options: TopicOptions): Promise<readonly string[]> {
  return withAdmin(options.brokers, async (admin) => {
    const { topic } = options
    const wanted = wantedSettings(options)
    const [described] = await admin.describeConfigs({
      resources: [
        { resourceType: ConfigResourceTypes.TOPIC, resourceName: topic, configurationKeys: Object.keys(wanted) },
      ],
    })
    return Object.entries(wanted).flatMap(([name, value]) => {
      const actual = described?.configs.find((one) => one.name === name)?.value ?? ''
      return actual === value ? [] : [`topic ${topic} has ${name}=${actual}; the tag log requires ${value}`]
    })
  })
}

function wantedSettings({ retentionMs = -1 }: TopicOptions): Readonly<Record<string, string>> {
  return { 'cleanup.policy': 'delete', 'retention.ms': String(retentionMs), 'retention.bytes': '-1' }
}

/** Waits for a topic that was just created, since not every broker knows it at once. */
async function describeSoon(admin: Admin, topic: string): Promise<DescribedTopic | undefined> {
  for (let attempt = 1; ; attempt++) {
    const found = await describeTopic(admin, topic)
    if (found !== undefined || attempt === MADE_WITHIN) return found
    await delay(MADE_EVERY_MS)
  }
}

/** Creates the topic, unless another server has created it meanwhile. */
async function make(admin: Admin, options: TopicOptions): Promise<undefined> {
  const settings = { ...wantedSettings(options), 'max.message.bytes': String(LARGEST_RECORD) }
  try {
    await admin.createTopics({
      topics: [options.topic],
      partitions: 1,
      // Default replication factor of the brokers.
      replicas: -1,
      configs: Object.entries(settings).map(([name, value]) => ({ name, value })),
    })
  } catch (error) {
    if (!(error instanceof Error) || findErrorBy(error, 'apiId', 'TOPIC_ALREADY_EXISTS') === null) throw error
  }
  return undefined
}
