import { setTimeout as pause } from 'node:timers/promises'
import { describeTopic, withAdmin } from '../../storage/kafka-admin.ts'
import { kafkaReason } from '../../storage/kafka-connection.ts'
import { type KafkaTopicOptions, KafkaTopicReader, type TopicMessage } from '../../storage/kafka-topic.ts'
import { InputFault } from '../source/input-fault.ts'
import type { GrowingInput, Stretch } from './growing-input.ts'
import type { TopicPlace } from './input-place.ts'

const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 10_000

export interface GrowingTopicOptions extends KafkaTopicOptions {
  readonly say: (text: string) => void
}

/**
 * The messages of a Kafka topic as lines of NDJSON, one line for each message. Messages are committed when their lines
 * are consumed.
 */
export class GrowingTopic implements GrowingInput {
  readonly #options: GrowingTopicOptions
  #reader: KafkaTopicReader | undefined
  /** Messages of the last stretch. */
  #given: readonly TopicMessage[] = []
  #isFirst = true
  #isEmptySaid = false

  private constructor(options: GrowingTopicOptions) {
    this.#options = options
  }

  /** Throws InputFault if the topic does not exist, or the brokers do not respond. */
  static async open(options: GrowingTopicOptions): Promise<GrowingTopic> {
    const { brokers, topic } = options
    const where = `Topic ${topic} of ${brokers.join(', ')}`
    const found = await withAdmin(brokers, (admin) => describeTopic(admin, topic)).catch((error: unknown) => {
      throw new InputFault(`${where} cannot be read: ${kafkaReason(error)}.`)
    })
    if (found === undefined) throw new InputFault(`${where} does not exist.`)
    return new GrowingTopic(options)
  }

  get place(): TopicPlace {
    return { group: this.#options.group }
  }

  async next(signal: AbortSignal): Promise<Stretch | undefined> {
    const { topic, say } = this.#options
    let isAway = false
    for (let wait = FIRST_PAUSE_MS; !signal.aborted; wait = Math.min(wait * 2, LONGEST_PAUSE_MS)) {
      try {
        const stretch = await this.#read(signal)
        if (isAway) say(`Topic ${topic} can be read again.`)
        return stretch
      } catch (error) {
        if (signal.aborted) break
        if (!isAway) say(`Topic ${topic} cannot be read: ${kafkaReason(error)}. Trying again until it can.`)
        isAway = true
        await this.#disconnect()
        await pause(wait, undefined, { signal }).catch(() => undefined)
      }
    }
    return undefined
  }

  async advance(count: number): Promise<void> {
    if (count === 0) return
    const messages = this.#given
    this.#given = []
    this.#isFirst = false
    try {
      await this.#reader?.commit(messages)
    } catch (error) {
      // The messages are loaded, and will be read again.
      this.#options.say(`Topic ${this.#options.topic}: offsets were not committed: ${kafkaReason(error)}.`)
      await this.#disconnect()
    }
  }

  close(): Promise<void> {
    return this.#disconnect()
  }

  async #read(signal: AbortSignal): Promise<Stretch | undefined> {
    const reader = await this.#connected()
    const closed = (): void => void this.#disconnect()
    signal.addEventListener('abort', closed, { once: true })
    try {
      for (let messages = await reader.next(); messages !== undefined; messages = await reader.next()) {
        const lines = messages.map(({ value }) => lineOf(value))
        if (lines.some((line) => line.length === 0)) this.#sayEmpty()
        const bytes = Buffer.concat(lines.flat())
        if (bytes.length === 0) {
          await reader.commit(messages)
          continue
        }
        this.#given = messages
        return { bytes, isEnd: false, isStart: this.#isFirst }
      }
      if (signal.aborted) return undefined
      throw new Error('the connection was closed')
    } finally {
      signal.removeEventListener('abort', closed)
    }
  }

  async #connected(): Promise<KafkaTopicReader> {
    if (this.#reader !== undefined) return this.#reader
    const reader = new KafkaTopicReader(this.#options)
    this.#reader = reader
    await reader.start()
    return reader
  }

  async #disconnect(): Promise<void> {
    const reader = this.#reader
    this.#reader = undefined
    this.#given = []
    await reader?.close()
  }

  #sayEmpty(): void {
    if (!this.#isEmptySaid) this.#options.say('Messages without a value are skipped: they delete no documents.')
    this.#isEmptySaid = true
  }
}

const LINE_END = Buffer.from('\n')

/** Line ends are not part of JSON strings, so that others can be replaced by spaces. */
function lineOf(value: Uint8Array | null | undefined): readonly Uint8Array[] {
  if (value === null || value === undefined || value.length === 0) return []
  const line = Uint8Array.from(value, (byte) => (byte === 0x0a || byte === 0x0d ? 0x20 : byte))
  return [line, LINE_END]
}
