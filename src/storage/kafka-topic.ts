import { Consumer, type Message, type MessagesStream } from '@platformatic/kafka'
import { closeClient, kafkaConnection } from './kafka-connection.ts'

const MOST_MESSAGES = 500
const FETCHED_BYTES = 4 * 1024 * 1024
/** Milliseconds without a heartbeat after which a group member loses its partitions. */
const SESSION_MS = 10_000
/** Milliseconds. A join waits for the other members, including those that have disappeared. */
const ANSWERED_WITHIN_MS = 2 * SESSION_MS

export interface KafkaTopicOptions {
  readonly brokers: readonly string[]
  readonly topic: string
  readonly group: string
  /** Creates the topic if it does not exist. */
  readonly creates: boolean
}

type TopicStream = MessagesStream<Buffer, Buffer, Buffer, Buffer>
export type TopicMessage = Message<Buffer, Buffer, Buffer, Buffer>

/**
 * Reads a topic as a member of a consumer group, from the committed offsets or the earliest message. After an error it
 * must be closed; messages that were not committed are read again by the next one.
 */
export class KafkaTopicReader {
  readonly #options: KafkaTopicOptions
  readonly #consumer: Consumer
  /** The next offset to pass, by partition. */
  readonly #done = new Map<number, bigint>()
  #stream: TopicStream | undefined
  /** Resolves when the stream has messages, or ends. */
  #changed = Promise.withResolvers<void>()

  constructor(options: KafkaTopicOptions) {
    this.#options = options
    this.#consumer = new Consumer({
      ...kafkaConnection(options.brokers),
      groupId: options.group,
      requestTimeout: ANSWERED_WITHIN_MS,
      // A rebalance may refuse requests that were valid a moment before.
      retries: 5,
      retryDelay: 250,
      sessionTimeout: SESSION_MS,
      rebalanceTimeout: SESSION_MS,
      heartbeatInterval: 1_000,
      autocommit: false,
      autocreateTopics: options.creates,
      maxBytes: FETCHED_BYTES,
      maxBytesPerPartition: FETCHED_BYTES,
      maxWaitTime: 500,
      highWaterMark: MOST_MESSAGES,
    })
  }

  /** Joins the group. */
  async start(): Promise<void> {
    const { topic } = this.#options
    this.#stream = await this.#consumer.consume({ topics: [topic], mode: 'committed', fallbackMode: 'earliest' })
    // Errors are read from `stream.errored`. Without a listener, an error event would end the process.
    this.#stream.on('error', () => undefined)
    // These listeners stay: the client stops fetching for good if it looks while there is no 'readable' listener.
    const wake = (): void => this.#changed.resolve()
    this.#stream.on('readable', wake).on('end', wake).on('close', wake)
  }

  /** Waits for messages. Undefined if it was closed. */
  async next(): Promise<readonly TopicMessage[] | undefined> {
    for (let messages = await this.#read(); messages !== undefined; messages = await this.#read()) {
      // After a rebalance, messages of lost partitions may remain in the stream, and messages may be repeated.
      const { topic } = this.#options
      const owned = new Set(this.#consumer.assignments?.find((one) => one.topic === topic)?.partitions)
      const fresh = messages.filter(({ partition, offset }) => {
        return owned.has(partition) && offset >= (this.#done.get(partition) ?? 0n)
      })
      if (fresh.length > 0) return fresh
    }
    return undefined
  }

  /** Commits messages that `next` returned. */
  async commit(messages: readonly TopicMessage[]): Promise<void> {
    for (const { partition, offset } of messages) this.#done.set(partition, offset + 1n)
    await this.#consumer.commit({ offsets: ends(messages) })
  }

  close(): Promise<void> {
    return closeClient(() => this.#consumer.close(true))
  }

  /** Returns at least one message, undefined if the stream has ended. */
  async #read(): Promise<readonly TopicMessage[] | undefined> {
    const stream = this.#stream
    if (stream === undefined) throw new Error('the reader has not joined its group')
    for (;;) {
      this.#changed = Promise.withResolvers<void>()
      const messages: TopicMessage[] = []
      while (messages.length < MOST_MESSAGES) {
        const message: TopicMessage | null = stream.read()
        if (message === null) break
        messages.push(message)
      }
      if (messages.length > 0) return messages
      if (stream.errored !== null) throw stream.errored
      if (stream.readableEnded || stream.destroyed) return undefined
      await this.#changed.promise
    }
  }
}

/** Returns the offsets to commit, by partition. */
function ends(messages: readonly TopicMessage[]) {
  const last = new Map(messages.map((message) => [message.partition, message]))
  return [...last.values()].map(({ topic, partition, offset, leaderEpoch }) => ({
    topic,
    partition,
    offset: offset + 1n,
    leaderEpoch,
  }))
}
