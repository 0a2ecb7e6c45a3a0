import { compatibilityPartitioner, findErrorBy, Producer } from '@platformatic/kafka'
import { closeClient, kafkaConnection } from './kafka-connection.ts'

/** Limits per request; well below the default limit of brokers (1 MiB). */
const BATCH_BYTES = 512 * 1024
const MOST_MESSAGES = 500

export interface KafkaSenderOptions {
  readonly brokers: readonly string[]
  readonly topic: string
  /** Milliseconds. How long to wait for the acknowledgement of a message. */
  readonly patienceMs: number
  /** True if a broker with automatic topic creation may create this topic. */
  readonly mayMakeTopic?: boolean
}

export interface OutgoingMessage {
  /** Derived from the key if absent. */
  readonly partition?: number
  readonly key?: string
  readonly value: string | Uint8Array
  readonly headers?: Readonly<Record<string, string>>
}

interface Waiting {
  readonly message: OutgoingMessage
  readonly bytes: number
  readonly until: number
  readonly timer: NodeJS.Timeout
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/** All messages of a request have timed out. */
class Unanswered extends Error {}

/**
 * Sends to a topic, one request at a time and in order; messages that arrive meanwhile are batched into the next
 * request. A message is sent once all replicas have it. After a failure it is unknown whether the broker has it: a
 * retry may duplicate it.
 */
export class KafkaSender {
  readonly #options: KafkaSenderOptions
  #producer: Producer | undefined
  #waiting: Waiting[] = []
  #sending: Promise<void> | undefined
  #closed = false

  constructor(options: KafkaSenderOptions) {
    this.#options = options
  }

  /**
   * Rejects if the broker refuses the message or does not acknowledge it by `until` (milliseconds). A message still in
   * the queue at that time is never sent.
   */
  send(message: OutgoingMessage, until = Date.now() + this.#options.patienceMs): Promise<void> {
    const { topic } = this.#options
    const left = Math.max(0, until - Date.now())
    const bytes = Buffer.byteLength(message.value)
    return new Promise((resolve, reject) => {
      if (this.#closed) {
        reject(new Error(`topic ${topic} was closed`))
        return
      }
      const expire = (): void => {
        this.#waiting = this.#waiting.filter((one) => one !== waiting)
        reject(new Error(`topic ${topic} did not acknowledge a message within ${left} ms`))
      }
      const timer = setTimeout(expire, left)
      const waiting = { message, bytes, until, timer, resolve, reject }
      this.#waiting.push(waiting)
      this.#sending ??= this.#sendAll().finally(() => {
        this.#sending = undefined
      })
    })
  }

  /** Discards queued messages. Messages in flight may or may not be sent. */
  async close(): Promise<void> {
    this.#closed = true
    for (const { timer, reject } of this.#waiting.splice(0)) {
      clearTimeout(timer)
      reject(new Error(`topic ${this.#options.topic} was closed`))
    }
    await this.#discardProducer()
    await this.#sending
  }

  async #sendAll(): Promise<void> {
    for (let batch = this.#takeBatch(); batch.length > 0; batch = this.#takeBatch()) {
      const fault = await this.#attempt(batch)
      const isTooLarge = batch.length > 1 && findErrorBy(asError(fault), 'apiId', 'MESSAGE_TOO_LARGE') !== null
      if (isTooLarge) for (const one of batch) settle([one], await this.#attempt([one]))
      else settle(batch, fault)
    }
  }

  #takeBatch(): readonly Waiting[] {
    let bytes = 0
    let length = 0
    for (const waiting of this.#waiting) {
      bytes += waiting.bytes
      if (length > 0 && (bytes > BATCH_BYTES || length === MOST_MESSAGES)) break
      length += 1
    }
    return this.#waiting.splice(0, length)
  }

  /** Returns undefined once all replicas have the batch, else the error. */
  async #attempt(batch: readonly Waiting[]): Promise<unknown> {
    const { topic } = this.#options
    const producer = this.#openProducer()
    // the client retries indefinitely, with the same sequence number: it needs a timeout
    const givenUp = Promise.withResolvers<never>()
    const left = Math.max(0, ...batch.map(({ until }) => until - Date.now()))
    const timer = setTimeout(() => givenUp.reject(new Unanswered(`topic ${topic} does not respond`)), left)
    try {
      const messages = batch.map(({ message }) => asMessage(topic, message))
      await Promise.race([producer.send({ messages }), givenUp.promise])
      return undefined
    } catch (error) {
      // a new producer has new sequence numbers, which cannot collide with those of messages still in flight
      await this.#discardProducer()
      return error
    } finally {
      clearTimeout(timer)
    }
  }

  #openProducer(): Producer {
    const { brokers, mayMakeTopic = false, patienceMs } = this.#options
    this.#producer ??= new Producer({
      ...kafkaConnection(brokers),
      requestTimeout: patienceMs,
      idempotent: true,
      partitioner: compatibilityPartitioner,
      autocreateTopics: mayMakeTopic,
      retries: true,
      retryDelay: 200,
    })
    return this.#producer
  }

  async #discardProducer(): Promise<void> {
    const producer = this.#producer
    this.#producer = undefined
    if (producer !== undefined) await closeClient(() => producer.close(true))
  }
}

function settle(batch: readonly Waiting[], fault: unknown): void {
  // each message rejects with its own timeout
  if (fault instanceof Unanswered) return
  for (const { timer, resolve, reject } of batch) {
    clearTimeout(timer)
    if (fault === undefined) resolve()
    else reject(fault)
  }
}

const asError = (fault: unknown): Error | undefined => (fault instanceof Error ? fault : undefined)

function asMessage(topic: string, { partition, key, value, headers = {} }: OutgoingMessage) {
  const entries = Object.entries(headers).map(([name, text]) => [Buffer.from(name), Buffer.from(text)] as const)
  return {
    topic,
    value: Buffer.from(value),
    headers: new Map(entries),
    ...(partition === undefined ? {} : { partition }),
    ...(key === undefined ? {} : { key: Buffer.from(key) }),
  }
}
