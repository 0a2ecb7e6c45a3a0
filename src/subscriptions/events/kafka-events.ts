import { setTimeout as delay } from 'node:timers/promises'
import { kafkaReason } from '../../storage/kafka-connection.ts'
import { type KafkaTopicOptions, KafkaTopicReader, type TopicMessage } from '../../storage/kafka-topic.ts'

const FIRST_PAUSE_MS = 200
const LONGEST_PAUSE_MS = 5_000

export interface KafkaMessage {
  readonly topic: string
  readonly partition: number
  readonly offset: bigint
  /** Undefined: the message has no value. */
  readonly value: Uint8Array | undefined
}

export interface KafkaEventsOptions extends Omit<KafkaTopicOptions, 'creates'> {
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

class EventTopic implements KafkaEvents {
  readonly #options: KafkaEventsOptions
  readonly #stopped = new AbortController()
  readonly #running: Promise<void>
  #reader: KafkaTopicReader | undefined
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
    const reader = new KafkaTopicReader({ ...this.#options, creates: true })
    this.#reader = reader
    await reader.start()
    this.#trouble = undefined
    onConnected()
    while (!this.#stopped.signal.aborted) {
      const messages = await reader.next()
      if (messages === undefined || !(await this.#handOver(messages))) return
      await reader.commit(messages)
    }
  }

  /** Returns false if it was closed before the messages were taken. */
  async #handOver(messages: readonly TopicMessage[]): Promise<boolean> {
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

  /** Uncommitted messages are delivered again. */
  async #disconnect(): Promise<void> {
    const reader = this.#reader
    this.#reader = undefined
    await reader?.close()
  }

  #warn(reason: string): void {
    if (reason !== this.#trouble) this.#options.onWarning?.(`events of topic ${this.#options.topic}: ${reason}`)
    this.#trouble = reason
  }
}

function asTaken({ topic, partition, offset, value }: TopicMessage): KafkaMessage {
  return { topic, partition, offset, value }
}
