import { setTimeout as delay } from 'node:timers/promises'
import { Consumer, type Message, type MessagesStream } from '@platformatic/kafka'
import { closeClient, kafkaConnection, kafkaReason } from '../../storage/kafka-connection.ts'

const MOST_MESSAGES = 500
const FETCHED_BYTES = 4 * 1024 * 1024
const FIRST_PAUSE_MS = 200
const LONGEST_PAUSE_MS = 5_000
/** Milliseconds without a heartbeat after which a group member loses its partitions. */
const SESSION_MS = 10_000
/** Milliseconds. A join waits for the other members, including those that have disappeared. */
const ANSWERED_WITHIN_MS = 2 * SESSION_MS

export interface KafkaMessage {
  readonly topic: string
  readonly partition: number
  readonly offset: bigint
  /** Undefined: the message has no value. */
  readonly value: Uint8Array | undefined
}

export interface KafkaEventsOptions {
  readonly brokers: readonly string[]
  readonly topic: string
  readonly group: string
  /** Messages are committed after it resolves. If it rejects, they are passed again until it succeeds. */
  readonly take: (messages: readonly KafkaMessage[], signal: AbortSignal) => Promise<void>
  /** Called for outages and errors of `take`. */
  readonly onWarning?: (message: string) => void
}

/** A topic whose messages are passed to `take` at least once, in partition order. */
export interface KafkaEvents {
  /** Passes no more messages, though a call of `take` may still be running. */
  pause(): void
  resume(): void
  health(): { readonly ok: boolean; readonly detail: string }
  /** Waits for the current call of `take`, whose signal aborts. */
  close(): Promise<void>
}

/** Starts at once, at the committed offset of the group or at the earliest message. Reconnects until it is closed. */
export function openKafkaEvents(options: KafkaEventsOptions): KafkaEvents {
  return new EventTopic(options)
}

type EventStream = MessagesStream<Buffer, Buffer, Buffer, Buffer>
type EventMessage = Message<Buffer, Buffer, Buffer, Buffer>

class EventTopic implements KafkaEvents {
  readonly #options: KafkaEventsOptions
  readonly #stopped = new AbortController()
  readonly #running: Promise<void>
  #consumer: Consumer | undefined
  #resumed: PromiseWithResolvers<void> | undefined
  #trouble: string | undefined = 'not read yet'

  constructor(options: KafkaEventsOptions) {
    this.#options = options
    this.#running = this.#run()
  }

  pause(): void {
    this.#resumed ??= Promise.withResolvers<void>()
  }

  resume(): void {
    this.#resumed?.resolve()
    this.#resumed = undefined
  }

  health(): { readonly ok: boolean; readonly detail: string } {
    const { topic } = this.#options
    if (this.#trouble !== undefined) return { ok: false, detail: `events of topic ${topic}: ${this.#trouble}` }
    return { ok: true, detail: `events of topic ${topic}` }
  }

  async close(): Promise<void> {
    this.#stopped.abort()
    this.resume()
    await this.#disconnect()
    await this.#running
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopped
    for (let pause = FIRST_PAUSE_MS; !signal.aborted; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      try {
        await this.#read(() => {
          pause = FIRST_PAUSE_MS
        })
      } catch (error) {
        if (!signal.aborted) this.#warn(kafkaReason(error))
      }
      await this.#disconnect()
      await delay(pause, undefined, { signal }).catch(() => undefined)
    }
    await this.#disconnect()
  }

  /** Ends with an error, or when it is closed. */
  async #read(onConnected: () => void): Promise<void> {
    const { topic } = this.#options
    const consumer = this.#connect()
    const stream = await consumer.consume({ topics: [topic], mode: 'committed', fallbackMode: 'earliest' })
    // Errors are read from `stream.errored`. Without a listener, an error event would end the process.
    stream.on('error', () => undefined)
    this.#trouble = undefined
    onConnected()
    /** The next offset to pass, by partition. */
    const done = new Map<number, bigint>()
    while (!this.#stopped.signal.aborted) {
      const messages = await nextMessages(stream)
      if (messages === undefined) return
      // After a rebalance, messages of lost partitions may remain in the stream, and messages may be repeated.
      const owned = new Set(consumer.assignments?.find((one) => one.topic === topic)?.partitions)
      const fresh = messages.filter(({ partition, offset }) => {
        return owned.has(partition) && offset >= (done.get(partition) ?? 0n)
      })
      if (fresh.length === 0) continue
      if (!(await this.#handOver(fresh))) return
      for (const { partition, offset } of fresh) done.set(partition, offset + 1n)
      await consumer.commit({ offsets: ends(fresh) })
    }
  }

  /** Returns false if it was closed before the messages were taken. */
  async #handOver(messages: readonly EventMessage[]): Promise<boolean> {
    const { signal } = this.#stopped
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      await this.#resumed?.promise
      if (signal.aborted) return false
      try {
        await this.#options.take(messages.map(asTaken), signal)
        this.#trouble = undefined
        return true
      } catch (error) {
        if (signal.aborted) return false
        this.#warn(kafkaReason(error))
        await delay(pause, undefined, { signal }).catch(() => undefined)
      }
    }
  }

  #connect(): Consumer {
    const { brokers, group } = this.#options
    this.#consumer = new Consumer({
      ...kafkaConnection(brokers),
      groupId: group,
      requestTimeout: ANSWERED_WITHIN_MS,
      // A rebalance may refuse requests that were valid a moment before.
      retries: 5,
      retryDelay: 250,
      sessionTimeout: SESSION_MS,
      rebalanceTimeout: SESSION_MS,
      heartbeatInterval: 1_000,
      autocommit: false,
      autocreateTopics: true,
      maxBytes: FETCHED_BYTES,
      maxBytesPerPartition: FETCHED_BYTES,
      maxWaitTime: 500,
      highWaterMark: MOST_MESSAGES,
    })
    return this.#consumer
  }

  /** Uncommitted messages are delivered again. */
  async #disconnect(): Promise<void> {
    const consumer = this.#consumer
    this.#consumer = undefined
    if (consumer !== undefined) await closeClient(() => consumer.close(true))
  }

  #warn(reason: string): void {
    if (reason !== this.#trouble) this.#options.onWarning?.(`events of topic ${this.#options.topic}: ${reason}`)
    this.#trouble = reason
  }
}

/** Returns at least one message, undefined if the stream has ended. */
async function nextMessages(stream: EventStream): Promise<readonly EventMessage[] | undefined> {
  for (;;) {
    const messages: EventMessage[] = []
    while (messages.length < MOST_MESSAGES) {
      const message: EventMessage | null = stream.read()
      if (message === null) break
      messages.push(message)
    }
    if (messages.length > 0) return messages
    if (stream.errored !== null) throw stream.errored
    if (stream.readableEnded || stream.destroyed) return undefined
    await somethingHappens(stream)
  }
}

function somethingHappens(stream: EventStream): Promise<void> {
  return new Promise((resolve) => {
    const wake = (): void => {
      stream.off('readable', wake)
      stream.off('end', wake)
      stream.off('close', wake)
      resolve()
    }
    stream.on('readable', wake)
    stream.on('end', wake)
    stream.on('close', wake)
  })
}

/** Returns the offsets to commit, by partition. */
function ends(messages: readonly EventMessage[]) {
  const last = new Map(messages.map((message) => [message.partition, message]))
  return [...last.values()].map(({ topic, partition, offset, leaderEpoch }) => ({
    topic,
    partition,
    offset: offset + 1n,
    leaderEpoch,
  }))
}

function asTaken({ topic, partition, offset, value }: EventMessage): KafkaMessage {
  return { topic, partition, offset, value }
}
