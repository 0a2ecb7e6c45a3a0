import { Admin } from '@platformatic/kafka'
import { closeClient, kafkaConnection } from './kafka-connection.ts'

export interface DescribedTopic {
  readonly id: string
  readonly partitions: number
  /** Broker id of the leader of the first partition. */
  readonly leader: number
}

export async function withAdmin<T>(brokers: readonly string[], work: (admin: Admin) => Promise<T>): Promise<T> {
  const admin = new Admin(kafkaConnection(brokers))
  try {
    return await work(admin)
  } finally {
    await closeClient(() => admin.close())
  }
}

/** Undefined if the topic does not exist. */
export async function describeTopic(admin: Admin, topic: string): Promise<DescribedTopic | undefined> {
  try {
    const { topics } = await admin.metadata({ topics: [topic], autocreateTopics: false, forceUpdate: true })
    const found = topics.get(topic)
    if (found === undefined) return undefined
    return { id: found.id, partitions: found.partitionsCount, leader: found.partitions[0]?.leader ?? -1 }
  } catch (error) {
    // The client has no error code for this.
    if (error instanceof Error && error.message.startsWith('Unknown topic')) return undefined
    throw error
  }
}
