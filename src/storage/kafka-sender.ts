import { compatibilityPartitioner, findErrorBy, Producer } from '@platformatic/kafka'
import { closeClient, kafkaConnection } from './kafka-connection.ts'

/** What one request may hold: well below what brokers accept unless told otherwise (1 MiB). */
const MOST_BYTES = 512 * 1024
const MOST_MESSAGES = 500

export interface KafkaSenderOptions {
  readonly brokers: readonly string[]
  readonly topic: string
  /** How long a message may wait for its acknowledgement. */
  readonly patienceMs: number
  /** Whether a broker that makes topics when they are used may make this one. */
  readonly mayMakeTopic?: boolean
}

export interface OutgoingMessage {
  /** Chosen by the key unless given. */
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

/** The time of every message of a request is over. */
class Unanswered extends Error {}

/**
 * Sends to a topic, one request at a time and in order; messages that come meanwhile share the next one. A message is
 * sent when all copies have it. After a failure nobody knows whether the broker has it: another attempt may double it.
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
   * Rejects when the broker refuses the message, or does not acknowledge it in time (`until`, ms); one that still waits
   * then is never sent.
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

  /** What waits is not sent any more; what is under way may or may not be. */
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
      if (length > 0 && (bytes > MOST_BYTES || length === MOST_MESSAGES)) break
      length += 1
    }
    return this.#waiting.splice(0, length)
  }

  /** Undefined when all copies have it, else why not. */
  async #attempt(batch: readonly Waiting[]): Promise<unknown> {
    const { topic } = this.#options
    const producer = this.#openProducer()
    // the client tries again and again, under the same number: it must be made to give up
    const givenUp = Promise.withResolvers<never>()
    const left = Math.max(0, ...batch.map(({ until }) => until - Date.now()))
    const timer = setTimeout(() => givenUp.reject(new Unanswered(`topic ${topic} does not answer`)), left)
    try {
      const messages = batch.map(({ message }) => asMessage(topic, message))
      await Promise.race([producer.send({ messages }), givenUp.promise])
      return undefined
    } catch (error) {
      // the numbers of what may still be under way must not meet those of what comes
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
  // each message says so itself, by its own clock
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
